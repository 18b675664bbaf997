-------------------------- MODULE Kip101NotForEver --------------------------
(***************************************************************************)
(* ... but not for ever: with a third election, a follower that kept too   *)
(* much after a fast leader change is counted for the high watermark,      *)
(* elected, and a committed record is lost.                                *)
(***************************************************************************)
EXTENDS MC
=============================================================================
