-------------------------- MODULE HardFailuresTold --------------------------
(***************************************************************************)
(* The schedule of KIP-101's second scenario (KAFKA-3919), told step by    *)
(* step. Both replicas hold both records, nothing is flushed beyond B's    *)
(* first. Both lose power, B its second record with it; B, the shorter     *)
(* one, comes back first, leads and writes another second record. Then A   *)
(* returns.                                                                *)
(***************************************************************************)
EXTENDS MC

Schedule ==
    <<<<"Write", "A", "all">>, <<"Write", "A", "all">>,
      <<"SendFetch", "B">>, <<"HandleFetch", "A", "B">>, <<"HandleFetchResponse", "B">>,
      <<"SendFetch", "B">>, <<"HandleFetch", "A", "B">>, <<"HandleFetchResponse", "B">>,
      <<"PowerLoss", "B", 1>>, <<"PowerLoss", "A", 2>>,
      <<"Restart", "B">>, <<"Elect", "B">>, <<"BecomeLeader", "B", 2>>, <<"Write", "B", "all">>,
      \* A's high watermark is 2, and so is the end of its log: it cuts nothing.
      <<"Restart", "A">>, <<"BecomeFollower", "A", 2>>>>

ToldHere(step) == Follows(Schedule, step)
=============================================================================
