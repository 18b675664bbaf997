--------------------------- MODULE Kip279Unfenced ---------------------------
(***************************************************************************)
(* KIP-279 without fencing. A follower that has heard of the newest        *)
(* election asks the elected leader, which has not heard of it yet, and    *)
(* answers all the same from what it knows: nothing of the follower's      *)
(* epoch. The follower falls back to its lagging high watermark, cuts what *)
(* was committed, and is elected. Under KIP-320 the leader refuses a       *)
(* request from an epoch that it does not know.                            *)
(***************************************************************************)
EXTENDS MC
=============================================================================
