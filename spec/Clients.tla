------------------------------ MODULE Clients -------------------------------
(***************************************************************************)
(* What a producer knows of its record.                                    *)
(*                                                                         *)
(* With acks=all it is told "stored" when the high watermark has passed    *)
(* the record, and AckedSurvives is what that is worth.  With acks=1 it is *)
(* told at once.  And it may never hear: the leader dies, or hears that it *)
(* leads no more, and drops who waits; the producer times out.  Then the   *)
(* record may be stored, and may be gone.  (A producer that writes it      *)
(* again may have it twice; Kafka's idempotent producers are not here.)    *)
(***************************************************************************)
EXTENDS MC

\* Whose producer was told, and who still waits at a leader.
Answered  == {a.id : a \in acked}
WaitAt(r) == {log[r][o + 1].id : o \in {p \in pending[r] : p < Len(log[r])}}

\* The records of producers that will never hear.  Every producer here asks for acks=all.
Unanswered == (1 .. written) \ (Answered \cup UNION {WaitAt(r) : r \in Replicas})

\* What no protocol promises of such a record: that it is gone ...
UnansweredIsGone ==
    \A l \in Replicas : P!IsElectedLeader(l) =>
        \A id \in Unanswered : \A o \in 0 .. P!Min(hw[l], P!Leo(l)) - 1 : P!RecordAt(l, o).id # id

\* ... or that it is there.
UnansweredIsStored ==
    \A l \in Replicas : P!IsElectedLeader(l) => Unanswered \subseteq P!Records(l)

\* Nor of one of which only the leader has said that it is stored.
AckedByOneSurvives ==
    \A l \in Replicas : P!IsElectedLeader(l) =>
        \A a \in acked : a.acks = "1" => a.id \in destroyed \cup P!Records(l)
=============================================================================
