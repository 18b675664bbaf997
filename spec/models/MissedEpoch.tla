---------------------------- MODULE MissedEpoch -----------------------------
(***************************************************************************)
(* The mend of KAFKA-7164, with three replicas: after the first steps of   *)
(* same-leader, when B has missed an epoch in which its leader was cut,    *)
(* everything that can happen within the bound.                            *)
(***************************************************************************)
EXTENDS MC

Before ==
    <<<<"Write", "A", "all">>, <<"SendFetch", "B">>, <<"HandleFetch", "A", "B">>, <<"HandleFetchResponse", "B">>,
      <<"Elect", "C">>, <<"BecomeLeader", "C", 2>>, <<"BecomeFollower", "A", 2>>,
      <<"SendOffsetsForLeaderEpoch", "A">>, <<"HandleOffsetsForLeaderEpoch", "C", "A">>,
      <<"HandleOffsetsForLeaderEpochResponse", "A">>,
      <<"Write", "C", "all">>, <<"SendFetch", "A">>, <<"HandleFetch", "C", "A">>, <<"HandleFetchResponse", "A">>,
      <<"Elect", "A">>, <<"BecomeLeader", "A", 3>>>>

ToldFirst(step) == TLCGet("level") > Len(Before) \/ Follows(Before, step)
=============================================================================
