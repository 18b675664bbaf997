-------------------------- MODULE JoinAtEpochStart --------------------------
(***************************************************************************)
(* The mend of KAFKA-7128, with three replicas: after the first twelve     *)
(* steps of join-at-high-watermark, when C has fetched from a new leader   *)
(* whose high watermark is below what was committed, everything that can   *)
(* happen within the bound. C joins only with what was there when B was    *)
(* elected.                                                                *)
(***************************************************************************)
EXTENDS MC

Before ==
    <<<<"ShrinkIsr", "A", "C">>, <<"Write", "A", "all">>,
      <<"SendFetch", "B">>, <<"HandleFetch", "A", "B">>, <<"HandleFetchResponse", "B">>,
      <<"SendFetch", "B">>, <<"HandleFetch", "A", "B">>,
      <<"Elect", "B">>, <<"BecomeLeader", "B", 2>>,
      <<"BecomeFollower", "C", 2>>, <<"SendFetch", "C">>, <<"HandleFetch", "B", "C">>>>

ToldFirst(step) == TLCGet("level") > Len(Before) \/ Follows(Before, step)
=============================================================================
