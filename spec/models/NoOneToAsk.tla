----------------------------- MODULE NoOneToAsk -----------------------------
(***************************************************************************)
(* The schedule of FastRestartTold under KIP-101, but that the leader dies *)
(* before its answer arrives: B restarts and asks where to truncate, A     *)
(* answers, and dies with the answer under way. There is no one to ask. B, *)
(* elected, keeps its whole log, and that is right: only a follower        *)
(* truncates.                                                              *)
(***************************************************************************)
EXTENDS MC

Schedule ==
    <<<<"Write", "A", "all">>,
      <<"SendFetch", "B">>, <<"HandleFetch", "A", "B">>, <<"HandleFetchResponse", "B">>,
      <<"SendFetch", "B">>, <<"HandleFetch", "A", "B">>,
      <<"Crash", "B">>, <<"Restart", "B">>, <<"BecomeFollower", "B", 1>>,
      <<"SendOffsetsForLeaderEpoch", "B">>, <<"HandleOffsetsForLeaderEpoch", "A", "B">>,
      <<"Crash", "A">>, <<"Elect", "B">>, <<"BecomeLeader", "B", 2>>>>

ToldHere(step) == Follows(Schedule, step)
=============================================================================
