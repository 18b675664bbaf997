--------------------------- MODULE EpochFileLater ---------------------------
(***************************************************************************)
(* KAFKA-15046: since 3.8 a truncation reaches the epoch file later.       *)
(* Records that follow without a new epoch do not write it, and after a    *)
(* crash the file gives them the epoch of those that were cut.             *)
(***************************************************************************)
EXTENDS MC
=============================================================================
