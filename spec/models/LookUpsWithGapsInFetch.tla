----------------------- MODULE LookUpsWithGapsInFetch -----------------------
(***************************************************************************)
(* The same logs, where the follower finds out by fetching. A fetch below  *)
(* the leader's start is out of range before anybody looks at epochs.      *)
(***************************************************************************)
EXTENDS TwoLogs
=============================================================================
