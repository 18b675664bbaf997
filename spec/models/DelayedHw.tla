----------------------------- MODULE DelayedHw ------------------------------
(***************************************************************************)
(* The first fix that KIP-101 weighed, and no epochs: a leader's high      *)
(* watermark moves only when its followers know of it, one round later.    *)
(* For one election and one crash that does, if each high watermark is on  *)
(* disk at once.                                                           *)
(***************************************************************************)
EXTENDS MC
=============================================================================
