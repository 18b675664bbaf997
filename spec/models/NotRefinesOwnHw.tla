-------------------------- MODULE NotRefinesOwnHw ---------------------------
(***************************************************************************)
(* Truncation to the own high watermark: a record that consumers have read *)
(* is not in the log of the replica that is elected. The log of the users  *)
(* gets shorter, which is no step of the abstract one.                     *)
(***************************************************************************)
EXTENDS Refinement
=============================================================================
