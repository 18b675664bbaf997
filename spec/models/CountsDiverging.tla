-------------------------- MODULE CountsDiverging ---------------------------
(***************************************************************************)
(* KAFKA-13141: in 2.8.0 the leader counted the fetch offset of a follower *)
(* that it told to cut. The offset was taken for a copy of its own         *)
(* records, the high watermark covered them, and with the leader's death   *)
(* they were gone.                                                         *)
(***************************************************************************)
EXTENDS MC
=============================================================================
