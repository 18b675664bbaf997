---------------------- MODULE EpochFileLaterOneRecord -----------------------
(***************************************************************************)
(* With one record, none follows a truncation without a new epoch: the     *)
(* epoch file may be as late as it likes, for what it has too much is cut  *)
(* when it is read.                                                        *)
(***************************************************************************)
EXTENDS MC
=============================================================================
