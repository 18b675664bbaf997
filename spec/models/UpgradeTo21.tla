---------------------------- MODULE UpgradeTo21 -----------------------------
(***************************************************************************)
(* 2.0.1 beside 2.1, before the protocol is raised: one truncates where an *)
(* epoch was skipped, the other with any new one. Requests are not fenced  *)
(* while one side does not say its epoch.                                  *)
(***************************************************************************)
EXTENDS MC
=============================================================================
