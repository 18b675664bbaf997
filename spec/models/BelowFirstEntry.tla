-------------------------- MODULE BelowFirstEntry ---------------------------
(***************************************************************************)
(* KIP-279 as in 2.0.1: below the first entry of a cache everything begins *)
(* where that entry does (KAFKA-7415), on the leader and on the follower.  *)
(* A follower that shares no older epoch with its leader finds that out,   *)
(* and cuts.                                                               *)
(***************************************************************************)
EXTENDS MC
=============================================================================
