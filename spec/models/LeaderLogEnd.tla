---------------------------- MODULE LeaderLogEnd ----------------------------
(***************************************************************************)
(* The second fix that KIP-101 weighed, and no epochs: a follower asks its *)
(* leader before it truncates, and cuts to the leader's log end. For one   *)
(* election and one crash that does, whenever the high watermark reaches   *)
(* the disk.                                                               *)
(***************************************************************************)
EXTENDS MC
=============================================================================
