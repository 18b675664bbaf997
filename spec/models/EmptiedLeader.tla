--------------------------- MODULE EmptiedLeader ----------------------------
(***************************************************************************)
(* An emptied leader defeats KIP-101. It lost its whole log with its       *)
(* power, its first entry is its own new epoch, and of any older epoch it  *)
(* knows nothing: the answer is "unknown", and the follower falls back to  *)
(* its high watermark.                                                     *)
(***************************************************************************)
EXTENDS MC
=============================================================================
