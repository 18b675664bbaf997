--------------------------- MODULE ReplicatedLog ---------------------------
(***************************************************************************)
(* What users of a partition are promised, and all that they are: one log  *)
(* that only grows.                                                        *)
(*                                                                         *)
(* Producers append to it, and are told when their record is stored.       *)
(* Consumers read it at a server, any that takes itself for the one to     *)
(* serve, and get what it holds from the beginning on.  A server may lag,  *)
(* and a new one may know less of the log than the old one told: what it   *)
(* answers is never wrong.                                                 *)
(*                                                                         *)
(* Nothing of replicas, epochs or high watermarks is here.  Refinement     *)
(* says how LeaderEpoch implements it.                                     *)
(***************************************************************************)
EXTENDS Integers, Sequences

CONSTANT Servers

VARIABLES
    log,       \* the records that are stored, for ever and in this order
    told,      \* the ids of those whose producers were told so
    answer     \* [server -> what it answers to a read from the beginning: [serves, records]]

vars == <<log, told, answer>>

IsPrefixOf(one, other) == Len(one) <= Len(other) /\ \A i \in 1 .. Len(one) : one[i] = other[i]

Ids(records) == {records[i].id : i \in DOMAIN records}

\* Every answer is the log, as far as it goes.
AnswersAreTrue == \A s \in Servers : IsPrefixOf(answer[s].records, log)

\* A producer is told nothing but the truth.
ToldIsStored == told \subseteq Ids(log)

Init == log = <<>> /\ told = {} /\ AnswersAreTrue

\* Producers append.  A high watermark may pass several records at once.
Store == IsPrefixOf(log, log')

\* They are told of what is stored, and nobody takes it back.
Tell == told \subseteq told' /\ ToldIsStored'

\* Consumers read.  One that stays with its server never sees the log get shorter.
Read ==
    /\ AnswersAreTrue'
    /\ \A s \in Servers : answer[s].serves /\ answer'[s].serves => IsPrefixOf(answer[s].records, answer'[s].records)

\* One step of an implementation may do all three: the fetch that commits a record also lets it be read, and its producer be
\* told.
Next == Store /\ Tell /\ Read

Spec == Init /\ [][Next]_vars

\* No two reads contradict each other, nor what producers were told.
THEOREM Spec => [](AnswersAreTrue /\ ToldIsStored)
=============================================================================
