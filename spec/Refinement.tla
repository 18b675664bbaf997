----------------------------- MODULE Refinement -----------------------------
(***************************************************************************)
(* LeaderEpoch implements ReplicatedLog: with a sound profile, where       *)
(* elections are clean and what is written stays written.                  *)
(*                                                                         *)
(* A ghost that only grows would do so under every rule.  So the log of    *)
(* the users is looked up in a real one, at every state: the log of the    *)
(* replica that the controller has elected, as far as a high watermark     *)
(* ever reached.  If that one lacks a record, the users' log shrinks, and  *)
(* if it has another one there, it is rewritten; ReplicatedLog allows      *)
(* neither.  And what a leader answers is its own log, below its own high  *)
(* watermark, whether it was replaced meanwhile or not.                    *)
(*                                                                         *)
(* The one history that it takes is how far high watermarks ever reached   *)
(* (Readers): the high watermark itself goes back at a fail-over.          *)
(***************************************************************************)
EXTENDS Readers

\* A record was ever below a leader's high watermark at each of these offsets.
EverReadable == {past.offset : past \in readable}

\* How far: the first offset that no consumer could ever read.
ReadableEnd == CHOOSE end \in 0 .. MaxRecords : end \notin EverReadable /\ \A o \in 0 .. end - 1 : o \in EverReadable

\* Where the truth is.  A partition without a leader waits for one of its in-sync replicas: each has all.
Holder == IF controller.leader # P!NoOne THEN controller.leader ELSE CHOOSE r \in controller.isr : TRUE

\* A holder whose log is too short shows what it has.
UsersLog == P!Prefix(log[Holder], P!Min(ReadableEnd, P!Leo(Holder)))

\* A leader that knows nothing above its log end answers no more than it has.
ToConsumer(r) == P!Prefix(log[r], P!Min(hw[r], P!Leo(r)))

Users == INSTANCE ReplicatedLog WITH
    Servers <- Replicas,
    log     <- UsersLog,
    told    <- {a.id : a \in {b \in acked : b.acks = "all"}},
    answer  <- [r \in Replicas |-> [serves  |-> role[r] = "leader",
                                    records |-> IF role[r] = "leader" THEN ToConsumer(r) ELSE <<>>]]

Refines == Users!Spec

THEOREM ReadersInit /\ [][Next /\ Remembered]_<<P!vars, readable>> => Refines
=============================================================================
