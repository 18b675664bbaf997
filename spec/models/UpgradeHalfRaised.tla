------------------------- MODULE UpgradeHalfRaised --------------------------
(***************************************************************************)
(* A rolling upgrade to 2.0 in its last stage: every broker runs 2.0.1,    *)
(* one speaks the new protocol. The one that does not takes the answer for *)
(* an offset, and the fast leader change forks its log.                    *)
(***************************************************************************)
EXTENDS MC
=============================================================================
