----------------------- MODULE HardFailuresDivergence -----------------------
(***************************************************************************)
(* Divergence after hard failures: KIP-101's second scenario, KAFKA-3919.  *)
(*                                                                         *)
(* Both replicas lose power, and one of them the end of its log. It comes  *)
(* back first, is elected and writes. The other returns with a high        *)
(* watermark as high as its log, so truncating to it cuts nothing, and the *)
(* two logs hold different records at one offset from then on.             *)
(***************************************************************************)
EXTENDS MC
=============================================================================
