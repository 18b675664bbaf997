-------------------------- MODULE StaleFetchFenced --------------------------
(***************************************************************************)
(* The mend of stale-fetch, with three replicas: after its first 18 steps, *)
(* when A leads again and B has missed two elections, everything that can  *)
(* happen within the bound. B's fetch is refused.                          *)
(***************************************************************************)
EXTENDS MC

Before ==
    <<<<"Write", "A", "all">>, <<"SendFetch", "B">>, <<"HandleFetch", "A", "B">>, <<"HandleFetchResponse", "B">>,
      <<"Elect", "C">>, <<"BecomeLeader", "C", 2>>, <<"BecomeFollower", "A", 2>>,
      <<"SendOffsetsForLeaderEpoch", "A">>, <<"HandleOffsetsForLeaderEpoch", "C", "A">>,
      <<"HandleOffsetsForLeaderEpochResponse", "A">>,
      <<"Write", "C", "all">>, <<"SendFetch", "A">>, <<"HandleFetch", "C", "A">>, <<"HandleFetchResponse", "A">>,
      <<"Elect", "A">>, <<"BecomeLeader", "A", 3>>, <<"Crash", "C">>, <<"ShrinkIsr", "A", "C">>>>

ToldFirst(step) == TLCGet("level") > Len(Before) \/ Follows(Before, step)
=============================================================================
