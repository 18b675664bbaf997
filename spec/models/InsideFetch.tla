---------------------------- MODULE InsideFetch -----------------------------
(***************************************************************************)
(* Truncation inside Fetch, as in 2.8.1 and later: the follower says with  *)
(* each fetch which epoch its log ends with, and the leader answers where  *)
(* the logs part. No question goes before.                                 *)
(***************************************************************************)
EXTENDS MC
=============================================================================
