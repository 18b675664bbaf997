--------------------------------- MODULE MC ---------------------------------
(***************************************************************************)
(* The protocol within bounds, for TLC.                                    *)
(*                                                                         *)
(* Each action of LeaderEpoch stands here once more under its own name,    *)
(* with its bound as a guard, so that TLC's traces and graphs show the     *)
(* protocol's names and every state of the graph is one of the protocol's. *)
(* Arguments come from constant sets, for else TLC could not tell the      *)
(* actions apart.                                                          *)
(***************************************************************************)
EXTENDS Integers, Sequences, FiniteSets, TLC, Profiles

CONSTANTS
    Replicas, FirstLeader, MinIsr, LazyCheckpoint, ResumeSameEpoch, OldNews,
    Profile,          \* the name of the profile that every replica follows, but for those Upgraded
    Acks,             \* what producers may ask for: a subset of {"1", "all"}
    MaxRecords, MaxElections, MaxCrashes, MaxPowerLosses, MaxUnclean, MaxLostMessages,
    Watch             \* names of interesting states that the run must reach: see Interesting

VARIABLES
    log, flushed, epochCache, epochFile, checkpoint,
    role, leaderEpoch, leader, hw, fetchState, incarnation,
    isr, remoteLeo, remoteHw, isrProposal, epochStart, pending,
    controller, oldNews, elr, network,
    written, acked, committed, destroyed, faults

\* A model of a rolling upgrade gives these two other values.
Upgraded        == {}       \* the replicas that have been upgraded
UpgradedProfile == Profile  \* the name of the profile that they follow

\* So does a model of eligible leader replicas.
EligibleLeaders == FALSE

ProfileOf == [r \in Replicas |-> Profiles[IF r \in Upgraded THEN UpgradedProfile ELSE Profile]]

P == INSTANCE LeaderEpoch

\* Epochs are spent on elections, and on partitions that go offline, which takes a fault.
Epochs  == 1 .. 1 + MaxElections + MaxUnclean + MaxCrashes + MaxPowerLosses
Lengths == 0 .. MaxRecords

ElectionsHeld == controller.epoch - 1 - faults.unclean - faults.offline

(***************************************************************************)
(* A told schedule, or a recorded trace, narrows the steps: its module     *)
(* puts an operator of its own in place of this one.                       *)
(***************************************************************************)
Told(step) == TRUE

\* A model with a history of its own notes it at the end of each step: see Readers.
Noted == TRUE

Ends(step) == Noted /\ Told(step)

\* For a schedule given as a sequence of steps: the next step is the next of the schedule.  Its end is worth a word.
\* It counts by the depth of the search, so a schedule must not come back to a state.
Follows(schedule, step) ==
    LET next == TLCGet("level")
    IN  /\ next <= Len(schedule)
        /\ schedule[next] = step
        /\ next = Len(schedule) => PrintT(<<"reached", "StoryEnds">>)

Write(r, acks)            == written < MaxRecords /\ P!Write(r, acks) /\ Ends(<<"Write", r, acks>>)
BecomeLeader(r, e)        == P!BecomeLeader(r, e) /\ Ends(<<"BecomeLeader", r, e>>)
BecomeFollower(r, e)      == P!BecomeFollower(r, e) /\ Ends(<<"BecomeFollower", r, e>>)
SendFetch(f)              == P!SendFetch(f) /\ Ends(<<"SendFetch", f>>)
HandleFetch(l, f)         == P!HandleFetch(l, f) /\ Ends(<<"HandleFetch", l, f>>)
HandleFetchResponse(f)    == P!HandleFetchResponse(f) /\ Ends(<<"HandleFetchResponse", f>>)
SendOffsetsForLeaderEpoch(f) ==
    P!SendOffsetsForLeaderEpoch(f) /\ Ends(<<"SendOffsetsForLeaderEpoch", f>>)
HandleOffsetsForLeaderEpoch(l, f) ==
    P!HandleOffsetsForLeaderEpoch(l, f) /\ Ends(<<"HandleOffsetsForLeaderEpoch", l, f>>)
HandleOffsetsForLeaderEpochResponse(f) ==
    P!HandleOffsetsForLeaderEpochResponse(f) /\ Ends(<<"HandleOffsetsForLeaderEpochResponse", f>>)
ShrinkIsr(l, f)           == P!ShrinkIsr(l, f) /\ Ends(<<"ShrinkIsr", l, f>>)
ExpandIsr(l, f)           == P!ExpandIsr(l, f) /\ Ends(<<"ExpandIsr", l, f>>)
AlterPartition(l)         == P!AlterPartition(l) /\ Ends(<<"AlterPartition", l>>)
HandleAlterPartitionResponse(l) ==
    P!HandleAlterPartitionResponse(l) /\ Ends(<<"HandleAlterPartitionResponse", l>>)
Elect(r)                  == ElectionsHeld < MaxElections /\ P!Elect(r) /\ Ends(<<"Elect", r>>)
ElectUnclean(r)           == faults.unclean < MaxUnclean /\ P!ElectUnclean(r) /\ Ends(<<"ElectUnclean", r>>)
PartitionOffline          == P!PartitionOffline /\ Ends(<<"PartitionOffline">>)
CheckpointHighWatermark(r) == P!CheckpointHighWatermark(r) /\ Ends(<<"CheckpointHighWatermark", r>>)
FlushEpochFile(r)         == P!FlushEpochFile(r) /\ Ends(<<"FlushEpochFile", r>>)
\* Flushing matters only where power can be lost.
Flush(r)                  == MaxPowerLosses > 0 /\ P!Flush(r) /\ Ends(<<"Flush", r>>)
Crash(r)                  == faults.crashes < MaxCrashes /\ P!Crash(r) /\ Ends(<<"Crash", r>>)
PowerLoss(r, n) ==
    faults.powerLosses < MaxPowerLosses /\ P!PowerLoss(r, n) /\ Ends(<<"PowerLoss", r, n>>)
Restart(r)                == P!Restart(r) /\ Ends(<<"Restart", r>>)
LoseMessage(f)            == faults.lostMessages < MaxLostMessages /\ P!LoseMessage(f) /\ Ends(<<"LoseMessage", f>>)

Init == P!Init

Next ==
    \/ \E r \in Replicas, acks \in Acks : Write(r, acks)
    \/ \E r \in Replicas, e \in Epochs : BecomeLeader(r, e)
    \/ \E r \in Replicas, e \in Epochs : BecomeFollower(r, e)
    \/ \E f \in Replicas : SendFetch(f)
    \/ \E l, f \in Replicas : HandleFetch(l, f)
    \/ \E f \in Replicas : HandleFetchResponse(f)
    \/ \E f \in Replicas : SendOffsetsForLeaderEpoch(f)
    \/ \E l, f \in Replicas : HandleOffsetsForLeaderEpoch(l, f)
    \/ \E f \in Replicas : HandleOffsetsForLeaderEpochResponse(f)
    \/ \E l, f \in Replicas : ShrinkIsr(l, f)
    \/ \E l, f \in Replicas : ExpandIsr(l, f)
    \/ \E l \in Replicas : AlterPartition(l)
    \/ \E l \in Replicas : HandleAlterPartitionResponse(l)
    \/ \E r \in Replicas : Elect(r)
    \/ \E r \in Replicas : ElectUnclean(r)
    \/ PartitionOffline
    \/ \E r \in Replicas : CheckpointHighWatermark(r)
    \/ \E r \in Replicas : FlushEpochFile(r)
    \/ \E r \in Replicas : Flush(r)
    \/ \E r \in Replicas : Crash(r)
    \/ \E r \in Replicas, n \in Lengths : PowerLoss(r, n)
    \/ \E r \in Replicas : Restart(r)
    \/ \E f \in Replicas : LoseMessage(f)

(***************************************************************************)
(* No vacuous success: a model that must hold also says, in Watch, which   *)
(* interesting states its run must reach.  TLC prints the first state of   *)
(* each kind, and a check that misses one fails.                           *)
(***************************************************************************)
Responses(type) == {m \in network : m.type = type /\ m.error = "none"}
Truncations ==
    {[follower |-> m.follower, cut |-> P!TruncationFor(m.follower, P!Answer(m.epoch, m.endOffset))] :
        m \in Responses("OffsetsForLeaderEpochResponse")}
    \cup
    {[follower |-> m.follower, cut |-> P!TruncationFor(m.follower, m.diverging)] :
        m \in {n \in Responses("FetchResponse") : n.diverging # P!NoAnswer}}

Sights ==
    <<"AckedRecord",       \* a producer was told that its record is stored
      "LaterLeader",       \* after a commit, another leader is elected and knows it
      "ZombieLeader",      \* a replica leads that has been replaced
      "DivergedLogs",      \* two logs differ at one offset
      "CutsRecords",       \* an answer is about to cut records from a follower's log
      "CutsBelowHw",       \* ... below the follower's own high watermark
      "SecondRound",       \* ... and the follower will have to ask again
      "FallsBackToHw",     \* the leader knows nothing, and the follower's log is longer than its high watermark
      "Refused",           \* a request was refused for its leader epoch
      "OutOfRange",        \* a follower is ahead of its leader
      "JoinsIsr",          \* a follower outside the ISR may join
      "LateReply">>        \* a reply comes to a follower that has heard of another epoch since it asked

Interesting(sight) ==
    CASE sight = "AckedRecord"   -> acked # {}
      [] sight = "LaterLeader"   -> committed # {} /\ controller.epoch > 1 /\ \E r \in Replicas : P!IsElectedLeader(r)
      [] sight = "ZombieLeader"  -> \E r \in Replicas : role[r] = "leader" /\ leaderEpoch[r] < controller.epoch
      [] sight = "DivergedLogs"  -> \E r, s \in Replicas : ~P!Agree(r, s)
      [] sight = "CutsRecords"   -> \E t \in Truncations : t.cut.offset < P!Leo(t.follower)
      [] sight = "CutsBelowHw"   -> \E t \in Truncations : t.cut.offset < hw[t.follower]
      [] sight = "SecondRound"   -> \E t \in Truncations : ~t.cut.done
      [] sight = "FallsBackToHw" -> \E m \in Responses("OffsetsForLeaderEpochResponse") :
                                        m.endOffset = P!Undefined /\ hw[m.follower] < P!Leo(m.follower)
      [] sight = "Refused"       -> \E m \in network : "error" \in DOMAIN m /\
                                        m.error \in {"FENCED_LEADER_EPOCH", "UNKNOWN_LEADER_EPOCH"}
      [] sight = "OutOfRange"    -> \E m \in network : "error" \in DOMAIN m /\ m.error = "OFFSET_OUT_OF_RANGE"
      [] sight = "JoinsIsr"      -> \E l, f \in Replicas : ENABLED P!ExpandIsr(l, f)
      [] sight = "LateReply"     -> \E m \in network : "error" \in DOMAIN m /\ m.leaderEpoch < leaderEpoch[m.follower]
                                        /\ role[m.follower] = "follower" /\ leader[m.follower] = m.leader

\* Besides these, a told schedule that has come to its end says so: StoryEnds.
ASSUME Watch \subseteq {Sights[i] : i \in DOMAIN Sights} \cup {"StoryEnds"}
ASSUME \A i \in DOMAIN Sights : TLCSet(i, FALSE)

\* Always true; it speaks once of each kind of state that is watched for.
Watched ==
    \A i \in DOMAIN Sights :
        Sights[i] \in Watch /\ ~TLCGet(i) /\ Interesting(Sights[i])
            => PrintT(<<"reached", Sights[i]>>) /\ TLCSet(i, TRUE)

(***************************************************************************)
(* The properties, under their own names.                                  *)
(***************************************************************************)
TypeOk                    == P!TypeOk
CommittedSurvives         == P!CommittedSurvives
CommittedSurvivesAnything == P!CommittedSurvivesAnything
AckedSurvives             == P!AckedSurvives
FollowerAgrees            == P!FollowerAgrees
AppendAgrees              == P!AppendAgrees
CutsOnlyWhatDiverges      == P!CutsOnlyWhatDiverges
RoundsProgress            == P!RoundsProgress
NoDivergence              == P!NoDivergence
LogMatching               == P!LogMatching
EpochsMonotone            == P!EpochsMonotone
CacheMatchesLog           == P!CacheMatchesLog
=============================================================================
