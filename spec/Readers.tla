------------------------------ MODULE Readers -------------------------------
(***************************************************************************)
(* What consumers can have read.                                           *)
(*                                                                         *)
(* A consumer reads what is below the high watermark of the replica that   *)
(* it takes for the leader, which may have been replaced already; since    *)
(* KIP-392 also from a follower, below that one's.  This module remembers  *)
(* every record that a consumer of a leader could have read, and says what *)
(* it must never see.  It adds a history and takes no step of its own.     *)
(***************************************************************************)
EXTENDS MC

VARIABLE readable     \* [offset, id, epoch] of each record that was ever below the HW of a replica that led

\* The records of replica r below an offset.
Below(r, offset) ==
    {[offset |-> i - 1, id |-> log[r][i].id, epoch |-> log[r][i].epoch] : i \in 1 .. P!Min(offset, Len(log[r]))}

ReadableNow == UNION {Below(r, hw[r]) : r \in {s \in Replicas : role[s] = "leader"}}

ReadersInit == Init /\ readable = {}
Remembered  == readable' = readable \cup ReadableNow'

\* No two reads contradict each other: at one offset there is one record, for ever.
NoPhantom == \A one, other \in readable : one.offset = other.offset => one.id = other.id

\* The same for a consumer that reads from a follower.
NoPhantomFromFollower ==
    \A f \in {s \in Replicas : role[s] = "follower"} :
        \A one \in Below(f, hw[f]), other \in readable : one.offset = other.offset => one.id = other.id

\* What the high watermark is still for, with leader epochs in place: a consumer that read up to the leader's log end would
\* see phantoms.
NoPhantomAtLogEnd ==
    \A l \in {s \in Replicas : role[s] = "leader"} :
        \A one \in Below(l, P!Leo(l)), other \in readable : one.offset = other.offset => one.id = other.id

(***************************************************************************)
(* A consumer that has read a record and goes on from the offset after it, *)
(* at a leader elected since.  If the leader has another record there, or  *)
(* none, the consumer has a past that never was, and should be told.       *)
(***************************************************************************)
HasRead(l, past) == past.offset < P!Leo(l) /\ P!RecordAt(l, past.offset).id = past.id

\* It is answered without an error, and with records that follow on others than it has read.
GoesOn(l, past) == past.offset + 1 <= hw[l] /\ ~HasRead(l, past)

\* Before KIP-320 the offset is all that it brings.
ResumesOnItsPast ==
    \A l \in Replicas : P!IsElectedLeader(l) => \A past \in readable : ~GoesOn(l, past)

\* With KIP-320 it asks first where the epoch of its last record ends (Kafka's OffsetsForLeaderEpochClient), and
\* a shorter answer, or one for another epoch, tells it.
IsTold(l, past) ==
    LET end == P!EndOf(l, past.epoch)
    IN  end.epoch # past.epoch \/ end.endOffset < past.offset + 1

ResumesOnItsPastOrIsTold ==
    \A l \in Replicas : P!IsElectedLeader(l) => \A past \in readable : GoesOn(l, past) => IsTold(l, past)
=============================================================================
