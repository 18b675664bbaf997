------------------------ MODULE Kip101NotForEver011 -------------------------
(***************************************************************************)
(* The same with the very rules of 0.11: a leader does not note its epoch  *)
(* before its first record, and entries that do not advance are ignored.   *)
(***************************************************************************)
EXTENDS MC
=============================================================================
