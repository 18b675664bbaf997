---------------------------- MODULE MinIsrAlone -----------------------------
(***************************************************************************)
(* A common belief is that min.insync.replicas protects what was           *)
(* acknowledged. Under own-high-watermark truncation it does not: both     *)
(* replicas were in sync when the record was acknowledged, and it is lost  *)
(* all the same.                                                           *)
(***************************************************************************)
EXTENDS MC
=============================================================================
