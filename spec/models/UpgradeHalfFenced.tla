------------------------- MODULE UpgradeHalfFenced --------------------------
(***************************************************************************)
(* A rolling upgrade to 2.1 in its last stage: one broker says its epoch,  *)
(* the other does not, and a request without an epoch is not refused.      *)
(***************************************************************************)
EXTENDS MC
=============================================================================
