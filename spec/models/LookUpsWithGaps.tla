-------------------------- MODULE LookUpsWithGaps ---------------------------
(***************************************************************************)
(* Compaction has taken records out of both logs, each its own, and        *)
(* retention has moved their starts. As long as the leader's cache has     *)
(* seen every record that is gone, truncation is exact: an entry outlives  *)
(* its records.                                                            *)
(***************************************************************************)
EXTENDS TwoLogs
=============================================================================
