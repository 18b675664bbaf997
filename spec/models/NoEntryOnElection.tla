------------------------- MODULE NoEntryOnElection --------------------------
(***************************************************************************)
(* KAFKA-7415: a leader that notes its epoch only with its first record    *)
(* does not know of it when it is asked, and the follower falls back to    *)
(* its high watermark.                                                     *)
(***************************************************************************)
EXTENDS MC
=============================================================================
