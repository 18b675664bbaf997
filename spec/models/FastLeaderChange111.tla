------------------------ MODULE FastLeaderChange111 -------------------------
(***************************************************************************)
(* The fast leader change under the very rules of 1.1.1. It takes a third  *)
(* record there: 1.1.1 notes an epoch with its first record only, so a new *)
(* leader that has not written yet answers "unknown", and the fallback to  *)
(* the high watermark happens to be right.                                 *)
(***************************************************************************)
EXTENDS MC
=============================================================================
