--------------------------- MODULE UnansweredLost ---------------------------
(***************************************************************************)
(* A producer with acks=all that never hears: its leader dies before any   *)
(* follower has the record. The next leader does not have it. The producer *)
(* times out on a record that is gone.                                     *)
(***************************************************************************)
EXTENDS Clients
=============================================================================
