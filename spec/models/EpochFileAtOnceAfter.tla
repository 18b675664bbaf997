------------------------ MODULE EpochFileAtOnceAfter ------------------------
(***************************************************************************)
(* As in epoch-file-later-loss, with an epoch file that is written at      *)
(* once: after the first 18 steps, when B's file would be stale,           *)
(* everything that can happen within the bound.                            *)
(***************************************************************************)
EXTENDS MC

Before ==
    <<<<"Write", "A", "all">>, <<"SendFetch", "B">>, <<"HandleFetch", "A", "B">>, <<"HandleFetchResponse", "B">>,
      <<"Write", "A", "all">>,
      <<"Elect", "B">>, <<"BecomeLeader", "B", 2>>, <<"Elect", "A">>, <<"BecomeLeader", "A", 3>>,
      <<"BecomeFollower", "B", 3>>, <<"SendFetch", "B">>, <<"HandleFetch", "A", "B">>, <<"HandleFetchResponse", "B">>,
      <<"SendFetch", "B">>, <<"HandleFetch", "A", "B">>, <<"HandleFetchResponse", "B">>,
      <<"SendFetch", "B">>, <<"HandleFetch", "A", "B">>>>

ToldFirst(step) == TLCGet("level") > Len(Before) \/ Follows(Before, step)
=============================================================================
