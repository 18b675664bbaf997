-------------------------- MODULE Kip279AsReleased --------------------------
(***************************************************************************)
(* KIP-279 as first released, in 2.0.0: an epoch below the first entry of  *)
(* a cache is unknown, on the leader and on the follower. A follower that  *)
(* shares no older epoch with its leader takes the answer for an offset,   *)
(* as under KIP-101, and the logs stay forked. Closed in 2.0.1             *)
(* (KAFKA-7415). Two records do not show it.                               *)
(***************************************************************************)
EXTENDS MC
=============================================================================
