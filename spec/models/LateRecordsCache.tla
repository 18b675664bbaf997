-------------------------- MODULE LateRecordsCache --------------------------
(***************************************************************************)
(* ... and entries of the epoch cache that contradict the late records go, *)
(* older ones of the same epoch too. What they described has no epoch      *)
(* then, for good.                                                         *)
(***************************************************************************)
EXTENDS MC
=============================================================================
