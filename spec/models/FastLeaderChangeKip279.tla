----------------------- MODULE FastLeaderChangeKip279 -----------------------
(***************************************************************************)
(* KIP-279 as in 2.0.1 mends the fast leader change: the answer names the  *)
(* epoch it speaks of, and a follower that never had that epoch cuts to    *)
(* its own end of the next lower one and asks again.                       *)
(***************************************************************************)
EXTENDS MC
=============================================================================
