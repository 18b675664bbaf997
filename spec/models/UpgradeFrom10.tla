---------------------------- MODULE UpgradeFrom10 ---------------------------
(***************************************************************************)
(* A rolling upgrade from 0.10.2 to 0.11 in its first stage: one broker    *)
(* runs 0.11. While the other one knows no epochs its question has no      *)
(* answer, so it cuts to its own high watermark as before, and loses an    *)
(* acknowledged record.                                                    *)
(*                                                                         *)
(* Source: ReplicaFetcherThread.fetchEpochsFromLeader, 0.11.0.2, with an   *)
(* inter.broker.protocol.version of 0.10.2.                                *)
(***************************************************************************)
EXTENDS MC
=============================================================================
