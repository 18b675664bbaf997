------------------------ MODULE PhantomFromFollower -------------------------
(***************************************************************************)
(* KAFKA-14704, seen by a consumer that reads from a follower (KIP-392):   *)
(* for a moment the high watermark covers records that are about to be     *)
(* cut.                                                                    *)
(***************************************************************************)
EXTENDS Readers
=============================================================================
