-------------------------- MODULE UnansweredStored --------------------------
(***************************************************************************)
(* A producer with acks=all that never hears: its leader dies before the   *)
(* high watermark has passed the record. The follower has it, is elected,  *)
(* and commits it. The producer times out on a record that is stored.      *)
(***************************************************************************)
EXTENDS Clients
=============================================================================
