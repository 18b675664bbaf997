---------------------------- MODULE UpgradeFrom20 ---------------------------
(***************************************************************************)
(* A patch of 2.0 that is rolled out: one broker runs 2.0.1. It notes its  *)
(* epoch when elected, so it answers where 2.0.0 would have nothing to     *)
(* say; and the follower that still runs 2.0.0 finds nothing below its     *)
(* first epoch, takes the answer for an offset, and keeps a record that    *)
(* its leader never had.                                                   *)
(***************************************************************************)
EXTENDS MC
=============================================================================
