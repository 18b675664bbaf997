------------------------------ MODULE LoggedRun ------------------------------
(***************************************************************************)
(* Whether what a running system has logged is a behaviour of the          *)
(* protocol.                                                               *)
(*                                                                         *)
(* Several processes have written their own logs, without a common clock.  *)
(* Each event says which step its process took, or which it may have       *)
(* taken, and what the process saw afterwards of its own variables: as     *)
(* much as it likes.  A behaviour explains the logs if it takes the events *)
(* of each process in their order, and each leads to what was seen.  How   *)
(* the processes' events follow each other the merged log tells only       *)
(* roughly, and the protocol exactly: what was not sent cannot be handled. *)
(*                                                                         *)
(* Without properties: the question is which behaviours there are.         *)
(***************************************************************************)
EXTENDS MC

CONSTANTS
    Processes,   \* those that logged something
    Log,         \* [Processes -> sequence of events], see Explains
    HiddenSteps, \* steps that may happen without an event, each as in an event
    HighestEpoch, \* no hidden election goes beyond it
    Slack        \* by how many places an event may stand too late in the merged log

VARIABLES
    at,          \* [Processes -> how many of its events are explained]
    matched,     \* how many in all
    names        \* sequence: what the log calls the record that is i here

(***************************************************************************)
(* A step, with the values that each of its arguments may have.            *)
(***************************************************************************)
Taken(step) ==
    LET args == step.args
    IN  CASE step.action = "Write"           -> \E r \in args[1], acks \in args[2] : P!Write(r, acks)
          [] step.action = "BecomeLeader"    -> \E r \in args[1], e \in args[2] : P!BecomeLeader(r, e)
          [] step.action = "BecomeFollower"  -> \E r \in args[1], e \in args[2] : P!BecomeFollower(r, e)
          [] step.action = "SendFetch"       -> \E f \in args[1] : P!SendFetch(f)
          [] step.action = "HandleFetch"     -> \E l \in args[1], f \in args[2] : P!HandleFetch(l, f)
          [] step.action = "HandleFetchResponse" -> \E f \in args[1] : P!HandleFetchResponse(f)
          [] step.action = "SendOffsetsForLeaderEpoch" -> \E f \in args[1] : P!SendOffsetsForLeaderEpoch(f)
          [] step.action = "HandleOffsetsForLeaderEpoch" ->
                 \E l \in args[1], f \in args[2] : P!HandleOffsetsForLeaderEpoch(l, f)
          [] step.action = "HandleOffsetsForLeaderEpochResponse" ->
                 \E f \in args[1] : P!HandleOffsetsForLeaderEpochResponse(f)
          [] step.action = "ShrinkIsr"       -> \E l \in args[1], f \in args[2] : P!ShrinkIsr(l, f)
          [] step.action = "ExpandIsr"       -> \E l \in args[1], f \in args[2] : P!ExpandIsr(l, f)
          [] step.action = "AlterPartition"  -> \E l \in args[1] : P!AlterPartition(l)
          [] step.action = "HandleAlterPartitionResponse" -> \E l \in args[1] : P!HandleAlterPartitionResponse(l)
          [] step.action = "Elect"           -> \E r \in args[1] : P!Elect(r)
          [] step.action = "ElectUnclean"    -> \E r \in args[1] : P!ElectUnclean(r)
          [] step.action = "PartitionOffline" -> P!PartitionOffline
          [] step.action = "CheckpointHighWatermark" -> \E r \in args[1] : P!CheckpointHighWatermark(r)
          [] step.action = "FlushEpochFile"  -> \E r \in args[1] : P!FlushEpochFile(r)
          [] step.action = "Flush"           -> \E r \in args[1] : P!Flush(r)
          [] step.action = "Crash"           -> \E r \in args[1] : P!Crash(r)
          [] step.action = "PowerLoss"       -> \E r \in args[1], n \in args[2] : P!PowerLoss(r, n)
          [] step.action = "Restart"         -> \E r \in args[1] : P!Restart(r)
          [] step.action = "LoseMessage"     -> \E f \in args[1] : P!LoseMessage(f)

(***************************************************************************)
(* What the log shows of a state, and in its own names of the records.     *)
(***************************************************************************)
Named(records) == [i \in DOMAIN records |-> [id |-> names[records[i].id], epoch |-> records[i].epoch]]

\* Of a record or function a log may show some fields.
Partly(value, shown) == \A field \in DOMAIN shown : field \in DOMAIN value /\ value[field] = shown[field]

Shows(name, r, shown) ==
    CASE name = "log"          -> Named(log[r]) = shown
      [] name = "logEndOffset" -> P!Leo(r) = shown
      [] name = "flushed"      -> flushed[r] = shown
      [] name = "epochCache"   -> epochCache[r] = shown
      [] name = "epochFile"    -> epochFile[r] = shown
      [] name = "checkpoint"   -> checkpoint[r] = shown
      [] name = "role"         -> role[r] = shown
      [] name = "leaderEpoch"  -> leaderEpoch[r] = shown
      [] name = "leader"       -> leader[r] = shown
      [] name = "hw"           -> hw[r] = shown
      [] name = "fetchState"   -> fetchState[r] = shown
      [] name = "incarnation"  -> incarnation[r] = shown
      [] name = "isr"          -> isr[r] = shown
      [] name = "remoteLeo"    -> Partly(remoteLeo[r], shown)
      [] name = "remoteHw"     -> Partly(remoteHw[r], shown)
      [] name = "isrProposal"  -> Partly(isrProposal[r], shown)
      [] name = "epochStart"   -> epochStart[r] = shown
      [] name = "pending"      -> pending[r] = shown
      [] name = "controller"   -> Partly(controller, shown)
      [] name = "oldNews"      -> oldNews = shown
      [] name = "elr"          -> elr = shown

\* A message of follower f that looks so is under way.
Carries(f, shown) ==
    \E m \in P!UnderWay(f) : \A field \in DOMAIN shown :
        /\ field \in DOMAIN m
        /\ (IF field = "records" THEN Named(m[field]) ELSE m[field]) = shown[field]

\* What producers were told in this step, by the names of the records.
NewlyTold(newAcked, newNames) == {newNames[a.id] : a \in newAcked \ acked}

(***************************************************************************)
(* An event is explained by one of the steps that it may be, if all that   *)
(* it shows is so afterwards.  The message of a handled reply was there    *)
(* before.                                                                 *)
(***************************************************************************)
Explains(p, event) ==
    /\ "received" \in DOMAIN event => Carries(event.follower, event.received)
    /\ \E i \in DOMAIN event.steps : Taken(event.steps[i])
    /\ IF written' = written
       THEN names' = names
       ELSE \E id \in event.ids \ {names[i] : i \in DOMAIN names} : names' = Append(names, id)
    /\ \A name \in DOMAIN event.shows : Shows(name, event.of, event.shows[name])'
    /\ "sent" \in DOMAIN event => Carries(event.follower, event.sent)'
    /\ "told" \in DOMAIN event => NewlyTold(acked', names') = event.told
    /\ at' = [at EXCEPT ![p] = @ + 1]
    /\ matched' = matched + 1

\* A long constant that a model's configuration gives is evaluated at each mention, unless TLC keeps it.
Kept == 103
ASSUME TLCSet(Kept, Log)
LogOf(p) == TLCGet(Kept)[p]

Unexplained == {p \in Processes : at[p] < Len(LogOf(p))}
NextOf(p)   == LogOf(p)[at[p] + 1]

\* The merged log is in order, but for a few places.  So the search is of a size that grows as the log does.
Earliest == P!SmallestOf({NextOf(p).place : p \in Unexplained})
Ready    == {p \in Unexplained : NextOf(p).place <= Earliest + Slack}

\* Nothing that another process does can hinder such an event, help it, or see whether it has happened yet: so it may be
\* taken first, and alone.  Without this the orders of the processes would multiply.
First == {p \in Ready : NextOf(p).first}

Hides ==
    /\ \E i \in DOMAIN HiddenSteps : Taken(HiddenSteps[i])
    /\ controller'.epoch <= HighestEpoch
    /\ faults'.crashes <= MaxCrashes /\ faults'.powerLosses <= MaxPowerLosses /\ faults'.lostMessages <= MaxLostMessages
    /\ IF written' = written
       THEN names' = names
       ELSE \E id \in 1 .. MaxRecords : id \notin {names[i] : i \in DOMAIN names} /\ names' = Append(names, id)
    /\ UNCHANGED <<at, matched>>

LoggedInit == Init /\ at = [p \in Processes |-> 0] /\ matched = 0 /\ names = <<>>

\* The event is named by a quantifier, for what it shows is no variable: it must not become another one where it is primed.
LoggedNext ==
    \/ \E p \in IF First # {} THEN {CHOOSE q \in First : TRUE} ELSE Ready :
           \E event \in {NextOf(p)} : Explains(p, event)
    \/ First = {} /\ Unexplained # {} /\ Hides

(***************************************************************************)
(* What is told of the search.  One explanation is enough: it ends there.  *)
(***************************************************************************)
Best  == 101
Shown == 102
ASSUME TLCSet(Best, -1) /\ TLCSet(Shown, 0)

Progress ==
    /\ matched > TLCGet(Best) => TLCSet(Best, matched) /\ PrintT(<<"matched", matched>>)
    /\ Unexplained = {} => TLCSet("exit", TRUE)

\* Of a log that is not explained: where it ends, in as many states as are worth a look.
CONSTANTS Most, MostStates
Frontier ==
    matched = Most /\ TLCGet(Shown) < MostStates =>
        /\ TLCSet(Shown, TLCGet(Shown) + 1)
        /\ PrintT(<<"state", at, names, 
              [log |-> log, flushed |-> flushed, epochCache |-> epochCache, epochFile |-> epochFile,
               checkpoint |-> checkpoint, role |-> role, leaderEpoch |-> leaderEpoch, leader |-> leader, hw |-> hw,
               fetchState |-> fetchState, incarnation |-> incarnation, isr |-> isr, remoteLeo |-> remoteLeo,
               remoteHw |-> remoteHw, isrProposal |-> isrProposal, epochStart |-> epochStart, pending |-> pending,
               controller |-> controller, oldNews |-> oldNews, elr |-> elr, network |-> network, written |-> written,
               acked |-> acked, committed |-> committed, destroyed |-> destroyed, faults |-> faults]>>)
=============================================================================
