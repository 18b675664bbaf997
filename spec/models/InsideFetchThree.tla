-------------------------- MODULE InsideFetchThree --------------------------
(***************************************************************************)
(* Truncation inside Fetch with a third election, as in 3.5 and later: a   *)
(* follower that is told to cut does not take the leader's high watermark  *)
(* with that.                                                              *)
(***************************************************************************)
EXTENDS MC
=============================================================================
