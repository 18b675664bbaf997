------------------------- MODULE PowerLossTakesAll --------------------------
(***************************************************************************)
(* Not the protocol's fault: where power is lost before a record is        *)
(* flushed, and min.insync.replicas is 1, a committed record is lost under *)
(* any rule. The property here is CommittedSurvives without its exception. *)
(***************************************************************************)
EXTENDS MC
=============================================================================
