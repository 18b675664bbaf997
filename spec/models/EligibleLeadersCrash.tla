------------------------ MODULE EligibleLeadersCrash ------------------------
(***************************************************************************)
(* KIP-966 in the bound of eligible-leaders-below-min-isr: a replica dies  *)
(* before another loses power. The high watermark waits for                *)
(* min.insync.replicas, so the one that was left alone has committed       *)
(* nothing by itself.                                                      *)
(***************************************************************************)
EXTENDS MC
=============================================================================
