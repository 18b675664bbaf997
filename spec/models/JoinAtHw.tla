------------------------------ MODULE JoinAtHw ------------------------------
(***************************************************************************)
(* KAFKA-7128: a new leader's high watermark may be below what was         *)
(* committed before. A replica that has no more than that joins the ISR,   *)
(* is elected, and a committed record is gone. It takes a third replica.   *)
(***************************************************************************)
EXTENDS MC

Schedule ==
    <<\* C leaves the ISR with nothing; A and B have a record, and A knows it, so it is committed.
      <<"ShrinkIsr", "A", "C">>, <<"Write", "A", "all">>,
      <<"SendFetch", "B">>, <<"HandleFetch", "A", "B">>, <<"HandleFetchResponse", "B">>,
      <<"SendFetch", "B">>, <<"HandleFetch", "A", "B">>,
      \* B leads by a preferred election. A is alive and in sync, so B's high watermark stays 0.
      <<"Elect", "B">>, <<"BecomeLeader", "B", 2>>,
      \* C fetches from 0, which is as far as B's high watermark: it joins.
      <<"BecomeFollower", "C", 2>>, <<"SendFetch", "C">>, <<"HandleFetch", "B", "C">>, <<"ExpandIsr", "B", "C">>,
      <<"Crash", "B">>, <<"Elect", "C">>, <<"BecomeLeader", "C", 3>>>>

ToldHere(step) == Follows(Schedule, step)
=============================================================================
