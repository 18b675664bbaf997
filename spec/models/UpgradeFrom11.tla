--------------------------- MODULE UpgradeFrom11 ----------------------------
(***************************************************************************)
(* A rolling upgrade from 1.1 to 2.0 in its first stage: one broker runs   *)
(* 2.0.1. Where the other one leads, its answer names no epoch, and the    *)
(* fast leader change forks the log of the new broker as well.             *)
(***************************************************************************)
EXTENDS MC
=============================================================================
