---------------------- MODULE LookUpsWithRemoteRecords ----------------------
(***************************************************************************)
(* Tiered storage: the records below the local start are remote, and the   *)
(* cache still has their epochs. An answer may speak of them: the follower *)
(* cuts to an offset below the leader's local start, and begins anew       *)
(* there, with the epochs of what is below.                                *)
(***************************************************************************)
EXTENDS TwoLogs
=============================================================================
