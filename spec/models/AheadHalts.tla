----------------------------- MODULE AheadHalts -----------------------------
(***************************************************************************)
(* An in-sync follower loses its log with its power and is elected. The    *)
(* old leader is ahead of it then, and where unclean elections are         *)
(* disabled its broker halts, up to 2.0.0, rather than cut what was        *)
(* committed.                                                              *)
(***************************************************************************)
EXTENDS MC
=============================================================================
