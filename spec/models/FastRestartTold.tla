-------------------------- MODULE FastRestartTold ---------------------------
(***************************************************************************)
(* The schedule of KIP-101's first scenario (KAFKA-1211), told step by     *)
(* step. B has everything, but learns of the high watermark one fetch      *)
(* late. It restarts just then, before its leader dies.                    *)
(***************************************************************************)
EXTENDS MC

Schedule ==
    <<<<"Write", "A", "all">>,
      <<"SendFetch", "B">>, <<"HandleFetch", "A", "B">>, <<"HandleFetchResponse", "B">>,
      \* A's high watermark becomes 1, and the producer is told so; B's is still 0.
      <<"SendFetch", "B">>, <<"HandleFetch", "A", "B">>,
      <<"Crash", "B">>, <<"Restart", "B">>, <<"BecomeFollower", "B", 1>>,
      <<"Crash", "A">>, <<"Elect", "B">>, <<"BecomeLeader", "B", 2>>>>

ToldHere(step) == Follows(Schedule, step)
=============================================================================
