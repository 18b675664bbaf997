----------------------- MODULE HardFailuresToldKip101 -----------------------
(***************************************************************************)
(* The schedule of HardFailuresTold under KIP-101. A, back from its loss   *)
(* of power, asks where epoch 1 ends, is told 1, cuts its second record,   *)
(* although that is below its own high watermark, and fetches the new one. *)
(***************************************************************************)
EXTENDS MC

Schedule ==
    <<<<"Write", "A", "all">>, <<"Write", "A", "all">>,
      <<"SendFetch", "B">>, <<"HandleFetch", "A", "B">>, <<"HandleFetchResponse", "B">>,
      <<"SendFetch", "B">>, <<"HandleFetch", "A", "B">>, <<"HandleFetchResponse", "B">>,
      <<"PowerLoss", "B", 1>>, <<"PowerLoss", "A", 2>>,
      <<"Restart", "B">>, <<"Elect", "B">>, <<"BecomeLeader", "B", 2>>, <<"Write", "B", "all">>,
      <<"Restart", "A">>, <<"BecomeFollower", "A", 2>>,
      <<"SendOffsetsForLeaderEpoch", "A">>, <<"HandleOffsetsForLeaderEpoch", "B", "A">>,
      <<"HandleOffsetsForLeaderEpochResponse", "A">>,
      <<"SendFetch", "A">>, <<"HandleFetch", "B", "A">>, <<"HandleFetchResponse", "A">>>>

ToldHere(step) == Follows(Schedule, step)
=============================================================================
