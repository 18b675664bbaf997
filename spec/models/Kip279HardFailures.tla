------------------------- MODULE Kip279HardFailures -------------------------
(***************************************************************************)
(* KIP-279, with the look-up of 2.0.1, where power is lost twice: neither  *)
(* does a follower keep what its leader has lost, nor does a leader that   *)
(* lost all it had leave it without an answer.                             *)
(***************************************************************************)
EXTENDS MC
=============================================================================
