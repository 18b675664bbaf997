------------------------- MODULE SkippedEpochFetch --------------------------
(***************************************************************************)
(* The schedule of SkippedEpoch, where followers truncate inside Fetch.    *)
(***************************************************************************)
EXTENDS MC

Schedule ==
    <<<<"Write", "A", "all">>,
      <<"SendFetch", "C">>, <<"HandleFetch", "A", "C">>, <<"HandleFetchResponse", "C">>,
      <<"SendFetch", "C">>, <<"HandleFetch", "A", "C">>,
      <<"Elect", "B">>, <<"BecomeLeader", "B", 2>>, <<"BecomeFollower", "C", 2>>,
      <<"SendFetch", "C">>, <<"HandleFetch", "B", "C">>, <<"HandleFetchResponse", "C">>,
      <<"Elect", "A">>, <<"BecomeLeader", "A", 3>>, <<"BecomeFollower", "B", 3>>,
      <<"SendFetch", "B">>, <<"HandleFetch", "A", "B">>, <<"HandleFetchResponse", "B">>,
      <<"SendFetch", "B">>, <<"HandleFetch", "A", "B">>, <<"HandleFetchResponse", "B">>,
      <<"SendFetch", "B">>, <<"HandleFetch", "A", "B">>,
      <<"Elect", "C">>, <<"BecomeLeader", "C", 4>>>>

ToldHere(step) == Follows(Schedule, step)
=============================================================================
