-------------------------- MODULE FastLeaderChange --------------------------
(***************************************************************************)
(* Fast leader change: KAFKA-6361, the hole that KIP-101 left.             *)
(*                                                                         *)
(* Leadership moves twice, each time before the other replica has          *)
(* followed. A leader is then asked about an epoch that its own log never  *)
(* had. KIP-101's answer, the start of the next higher epoch, does not say *)
(* whose records lie below it, and the follower keeps records that its     *)
(* leader does not have. Nobody crashes.                                   *)
(***************************************************************************)
EXTENDS MC
=============================================================================
