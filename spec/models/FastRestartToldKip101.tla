----------------------- MODULE FastRestartToldKip101 ------------------------
(***************************************************************************)
(* The schedule of FastRestartTold under KIP-101, with the round trip that *)
(* its rule asks for: B restarts, asks where its last epoch ends, is told  *)
(* 1, and cuts nothing. Its leader dies then.                              *)
(***************************************************************************)
EXTENDS MC

Schedule ==
    <<<<"Write", "A", "all">>,
      <<"SendFetch", "B">>, <<"HandleFetch", "A", "B">>, <<"HandleFetchResponse", "B">>,
      <<"SendFetch", "B">>, <<"HandleFetch", "A", "B">>,
      <<"Crash", "B">>, <<"Restart", "B">>, <<"BecomeFollower", "B", 1>>,
      \* The answer is A's log end, 1, not its high watermark, and not B's.
      <<"SendOffsetsForLeaderEpoch", "B">>, <<"HandleOffsetsForLeaderEpoch", "A", "B">>,
      <<"HandleOffsetsForLeaderEpochResponse", "B">>,
      <<"Crash", "A">>, <<"Elect", "B">>, <<"BecomeLeader", "B", 2>>>>

ToldHere(step) == Follows(Schedule, step)
=============================================================================
