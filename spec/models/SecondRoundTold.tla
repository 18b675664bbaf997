-------------------------- MODULE SecondRoundTold ---------------------------
(***************************************************************************)
(* A schedule that needs the second round of KIP-279, told step by step.   *)
(* Both logs share a record of epoch 1. Then B leads epoch 2 and A leads   *)
(* epoch 3, each writes a record that the other never gets, and B leads    *)
(* again. A asks for epoch 3; B never had it, and answers for epoch 2,     *)
(* which A never had. A cuts to its own end of epoch 1 and asks again.     *)
(***************************************************************************)
EXTENDS MC

Schedule ==
    <<<<"Write", "A", "all">>,
      <<"SendFetch", "B">>, <<"HandleFetch", "A", "B">>, <<"HandleFetchResponse", "B">>,
      <<"Elect", "B">>, <<"BecomeLeader", "B", 2>>, <<"Write", "B", "all">>,
      <<"Elect", "A">>, <<"BecomeLeader", "A", 3>>, <<"Write", "A", "all">>,
      <<"Elect", "B">>, <<"BecomeLeader", "B", 4>>, <<"BecomeFollower", "A", 4>>,
      <<"SendOffsetsForLeaderEpoch", "A">>, <<"HandleOffsetsForLeaderEpoch", "B", "A">>,
      <<"HandleOffsetsForLeaderEpochResponse", "A">>,
      <<"SendOffsetsForLeaderEpoch", "A">>, <<"HandleOffsetsForLeaderEpoch", "B", "A">>,
      <<"HandleOffsetsForLeaderEpochResponse", "A">>,
      <<"SendFetch", "A">>, <<"HandleFetch", "B", "A">>, <<"HandleFetchResponse", "A">>>>

ToldHere(step) == Follows(Schedule, step)
=============================================================================
