---------------------------- MODULE UpgradeFrom10 ---------------------------
(***************************************************************************)
(* A rolling upgrade from 0.10.2 to 0.11 in its first stage: one broker    *)
(* runs 0.11 and asks before it cuts. The other one knows no epochs and    *)
(* has no answer, so the new broker cuts to its own high watermark as      *)
(* before, and loses an acknowledged record.                               *)
(***************************************************************************)
EXTENDS MC
=============================================================================
