-------------------------- MODULE FastRestartLoss ---------------------------
(***************************************************************************)
(* Data loss on fast restart: KIP-101's first scenario, KAFKA-1211.        *)
(*                                                                         *)
(* A follower's high watermark lags its leader's by one fetch. Until       *)
(* 0.10.2 a follower that restarts cuts its log to that lagging offset     *)
(* before it asks anybody. If the leader dies before the follower has      *)
(* fetched the record again, the follower is elected, for it never left    *)
(* the ISR, and an acknowledged record is gone. One election and one       *)
(* restart are enough, and none of it is unclean.                          *)
(***************************************************************************)
EXTENDS MC
=============================================================================
