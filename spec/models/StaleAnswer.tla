---------------------------- MODULE StaleAnswer -----------------------------
(***************************************************************************)
(* KAFKA-7786: the answer to a question of an earlier epoch is taken. It   *)
(* is a refusal, and the follower, which has heard of the newer epoch by   *)
(* then, gives up and waits for news that does not come.                   *)
(***************************************************************************)
EXTENDS Liveness
=============================================================================
