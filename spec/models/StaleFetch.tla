----------------------------- MODULE StaleFetch -----------------------------
(***************************************************************************)
(* KIP-320: a leader counts the fetch of a follower that is two elections  *)
(* behind, and has not truncated since. The fetch says where the           *)
(* follower's log ends, and not whose records it has. It takes three       *)
(* replicas.                                                               *)
(***************************************************************************)
EXTENDS MC

Schedule ==
    <<\* A leads, and B has its record.
      <<"Write", "A", "all">>, <<"SendFetch", "B">>, <<"HandleFetch", "A", "B">>, <<"HandleFetchResponse", "B">>,
      \* C leads epoch 2 with an empty log, A cuts, C writes, and A has that.
      <<"Elect", "C">>, <<"BecomeLeader", "C", 2>>, <<"BecomeFollower", "A", 2>>,
      <<"SendOffsetsForLeaderEpoch", "A">>, <<"HandleOffsetsForLeaderEpoch", "C", "A">>,
      <<"HandleOffsetsForLeaderEpochResponse", "A">>,
      <<"Write", "C", "all">>, <<"SendFetch", "A">>, <<"HandleFetch", "C", "A">>, <<"HandleFetchResponse", "A">>,
      \* A leads epoch 3. B has heard of neither, and fetches from A as it always did.
      <<"Elect", "A">>, <<"BecomeLeader", "A", 3>>, <<"Crash", "C">>, <<"ShrinkIsr", "A", "C">>,
      <<"SendFetch", "B">>, <<"HandleFetch", "A", "B">>,
      <<"Crash", "A">>, <<"Elect", "B">>, <<"BecomeLeader", "B", 4>>>>

ToldHere(step) == Follows(Schedule, step)
=============================================================================
