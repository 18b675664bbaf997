--------------------- MODULE NotRefinesCountsDiverging ----------------------
(***************************************************************************)
(* 2.8.0, whose leader counts the log end of a follower that it tells to   *)
(* cut: a record is read before the replica that is elected next has it.   *)
(***************************************************************************)
EXTENDS Refinement
=============================================================================
