--------------------------- MODULE EpochsInMemory ---------------------------
(***************************************************************************)
(* Would it do to keep leader epochs in memory? A replica that restarts    *)
(* has nothing to ask for, and cuts to its high watermark: the loss that   *)
(* epochs were made against.                                               *)
(***************************************************************************)
EXTENDS MC
=============================================================================
