--------------------------- MODULE DelayedHwThree ---------------------------
(***************************************************************************)
(* The first fix that KIP-101 weighed, with three replicas. What all       *)
(* in-sync replicas have goes down when one joins that has less: a         *)
(* follower that was told of a record is told less again. The leader, who  *)
(* heard from it before, moves its high watermark as if it still knew.     *)
(***************************************************************************)
EXTENDS MC
=============================================================================
