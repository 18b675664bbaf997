---------------------------- MODULE SkippedEpoch ----------------------------
(***************************************************************************)
(* A leader is deposed and elected again, and has heard nothing of the     *)
(* epoch between.  It leads on, with what it knew of its followers; but    *)
(* one of them has followed the other leader meanwhile, and was cut.  No   *)
(* crash, clean elections only, and all three are in sync all the time.    *)
(* Source: isNewLeader in Partition.makeLeader, Replica.resetReplicaState. *)
(***************************************************************************)
EXTENDS MC

Schedule ==
    <<<<"Write", "A", "all">>,
      \* A knows that C has the record.
      <<"SendFetch", "C">>, <<"HandleFetch", "A", "C">>, <<"HandleFetchResponse", "C">>,
      <<"SendFetch", "C">>, <<"HandleFetch", "A", "C">>,
      \* B, which has nothing, leads.  C is cut; A hears nothing of it.
      <<"Elect", "B">>, <<"BecomeLeader", "B", 2>>, <<"BecomeFollower", "C", 2>>,
      <<"SendOffsetsForLeaderEpoch", "C">>, <<"HandleOffsetsForLeaderEpoch", "B", "C">>,
      <<"HandleOffsetsForLeaderEpochResponse", "C">>,
      \* A leads again, and when B has the record, A takes it for committed.
      <<"Elect", "A">>, <<"BecomeLeader", "A", 3>>, <<"BecomeFollower", "B", 3>>,
      <<"SendOffsetsForLeaderEpoch", "B">>, <<"HandleOffsetsForLeaderEpoch", "A", "B">>,
      <<"HandleOffsetsForLeaderEpochResponse", "B">>,
      <<"SendFetch", "B">>, <<"HandleFetch", "A", "B">>, <<"HandleFetchResponse", "B">>,
      <<"SendFetch", "B">>, <<"HandleFetch", "A", "B">>,
      <<"Elect", "C">>, <<"BecomeLeader", "C", 4>>>>

ToldHere(step) == Follows(Schedule, step)
=============================================================================
