---------------------- MODULE LookUpsAtARefilledLeader ----------------------
(***************************************************************************)
(* A new replica fetched a log whose first records of an epoch were        *)
(* compacted away, and so has that epoch begin too late, or not at all.    *)
(* When it leads, it takes the end of the epoch before for later than it   *)
(* was, and a follower that comes back keeps records that were never       *)
(* committed, in the gap; or cuts records that both had and only the       *)
(* leader has lost.                                                        *)
(***************************************************************************)
EXTENDS TwoLogs
=============================================================================
