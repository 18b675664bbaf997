----------------------------- MODULE SameLeader -----------------------------
(***************************************************************************)
(* KAFKA-7164: a follower that missed an epoch follows the same leader as  *)
(* before, and goes on without truncation; but that leader has cut its own *)
(* log meanwhile.                                                          *)
(***************************************************************************)
EXTENDS MC

Schedule ==
    <<\* B has a record of A's that C never gets.
      <<"Write", "A", "all">>, <<"SendFetch", "B">>, <<"HandleFetch", "A", "B">>, <<"HandleFetchResponse", "B">>,
      \* C leads, of which B does not hear. A cuts the record, and gets another one.
      <<"Elect", "C">>, <<"BecomeLeader", "C", 2>>, <<"BecomeFollower", "A", 2>>,
      <<"SendOffsetsForLeaderEpoch", "A">>, <<"HandleOffsetsForLeaderEpoch", "C", "A">>,
      <<"HandleOffsetsForLeaderEpochResponse", "A">>,
      <<"Write", "C", "all">>, <<"SendFetch", "A">>, <<"HandleFetch", "C", "A">>, <<"HandleFetchResponse", "A">>,
      \* A leads again. To B it is the leader that it had.
      <<"Elect", "A">>, <<"BecomeLeader", "A", 3>>, <<"BecomeFollower", "B", 3>>>>

ToldHere(step) == Follows(Schedule, step)
=============================================================================
