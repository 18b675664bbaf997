--------------------------- MODULE UndefinedEpoch ---------------------------
(***************************************************************************)
(* KAFKA-6857: with the old message format no epoch is known. The follower *)
(* asks for the undefined one, and the leader, whose cache is empty too,   *)
(* takes that for its latest and answers with its log end: nothing is cut. *)
(***************************************************************************)
EXTENDS MC
=============================================================================
