--------------------------- MODULE AnyBrokerEpoch ---------------------------
(***************************************************************************)
(* KAFKA-14139: while the controller has yet to confirm that a follower    *)
(* joins, that one loses its log and comes back. It joins with nothing.    *)
(***************************************************************************)
EXTENDS MC
=============================================================================
