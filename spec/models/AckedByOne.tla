----------------------------- MODULE AckedByOne -----------------------------
(***************************************************************************)
(* With acks=1 a producer is told that its record is stored when its       *)
(* leader has it. Another leader, cleanly elected, need not have it: that  *)
(* is what it asked for.                                                   *)
(***************************************************************************)
EXTENDS Clients
=============================================================================
