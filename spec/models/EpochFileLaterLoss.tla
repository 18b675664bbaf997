------------------------- MODULE EpochFileLaterLoss -------------------------
(***************************************************************************)
(* KAFKA-15046, where it does harm: by the epoch of records that were cut  *)
(* long ago a follower cuts a committed one, and is elected before it has  *)
(* got it again.                                                           *)
(***************************************************************************)
EXTENDS MC

Schedule ==
    <<\* B has A's first record, A alone the second.
      <<"Write", "A", "all">>, <<"SendFetch", "B">>, <<"HandleFetch", "A", "B">>, <<"HandleFetchResponse", "B">>,
      <<"Write", "A", "all">>,
      \* B leads, and notes that its epoch begins at 1. It writes nothing.
      <<"Elect", "B">>, <<"BecomeLeader", "B", 2>>, <<"Elect", "A">>, <<"BecomeLeader", "A", 3>>,
      \* B is told to go back to where epoch 1 ends. Its cache forgets epoch 2, its file does not yet.
      <<"BecomeFollower", "B", 3>>, <<"SendFetch", "B">>, <<"HandleFetch", "A", "B">>, <<"HandleFetchResponse", "B">>,
      \* It gets the second record, of epoch 1, which is no new entry. The record is committed.
      <<"SendFetch", "B">>, <<"HandleFetch", "A", "B">>, <<"HandleFetchResponse", "B">>,
      <<"SendFetch", "B">>, <<"HandleFetch", "A", "B">>,
      \* B comes back with the old file, takes the record for one of epoch 2, and cuts it.
      <<"Crash", "B">>, <<"Restart", "B">>, <<"BecomeFollower", "B", 3>>,
      <<"SendFetch", "B">>, <<"HandleFetch", "A", "B">>, <<"HandleFetchResponse", "B">>,
      <<"Crash", "A">>, <<"Elect", "B">>, <<"BecomeLeader", "B", 4>>>>

ToldHere(step) == Follows(Schedule, step)
=============================================================================
