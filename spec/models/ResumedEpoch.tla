---------------------------- MODULE ResumedEpoch ----------------------------
(***************************************************************************)
(* KAFKA-1120: the controller misses that the leader was away. It comes    *)
(* back with less, in the same epoch, and writes other records at offsets  *)
(* that others have already. No comparison of epochs can see that.         *)
(***************************************************************************)
EXTENDS MC
=============================================================================
