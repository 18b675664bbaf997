---------------------------- MODULE LeaderEpoch ----------------------------
(***************************************************************************)
(* The replication protocol of one Kafka partition, as far as leader       *)
(* epochs reach.                                                           *)
(*                                                                         *)
(* A controller elects one replica as leader and numbers its reign: the    *)
(* leader epoch.  Clients write to the leader, the others fetch from it.   *)
(* The leader's high watermark (HW) is the offset below which all in-sync  *)
(* replicas have everything; a follower learns it from the leader's        *)
(* replies, so its own lags by a fetch.  When the leader changes, logs may *)
(* differ at their ends.  Every replica must cut what its new leader does  *)
(* not have, and nothing that was committed: this module is about how it   *)
(* knows where.                                                            *)
(*                                                                         *)
(* Which rule a replica follows is its profile (see Profiles).  The wrong  *)
(* rules are here beside the right ones.                                   *)
(*                                                                         *)
(* To read it: variables, then what a follower does when it hears of a     *)
(* leader (BecomeFollower), the question it asks (…OffsetsForLeaderEpoch…),*)
(* fetching (…Fetch…), the leader (BecomeLeader, Write, ShrinkIsr,         *)
(* ExpandIsr), the controller (Elect), and what may happen to machines.    *)
(*                                                                         *)
(* Not here: several partitions, compaction, retention, consumers,         *)
(* transactions, and the controller's own fault tolerance.                 *)
(***************************************************************************)
EXTENDS Integers, Sequences, FiniteSets, EpochCache

CONSTANTS
    Replicas,         \* the replicas of the partition, as strings
    FirstLeader,      \* the one that leads at first
    ProfileOf,        \* [Replicas -> profile]
    MinIsr,           \* min.insync.replicas
    LazyCheckpoint,   \* TRUE: the HW reaches the disk in a step of its own; FALSE: with every change
    ResumeSameEpoch,  \* TRUE: the controller may miss that a leader died and came back (KAFKA-1120)
    OldNews,          \* TRUE: a replica may hear of an election when a newer one was held already; FALSE: of the newest only
    EligibleLeaders   \* TRUE: the controller keeps eligible leader replicas (KIP-966)

VARIABLES
    \* What a replica keeps on disk, and the cache that it keeps of one file.
    log,              \* [r -> sequence of records [id, epoch]]; the record at offset o is log[r][o + 1]
    flushed,          \* [r -> how many records of the log would survive a loss of power]
    epochCache,       \* [r -> its leader epoch cache]
    epochFile,        \* [r -> the file leader-epoch-checkpoint, which is the cache's copy on disk]
    checkpoint,       \* [r -> the HW in replication-offset-checkpoint]

    \* What it keeps in memory.
    role,             \* [r -> "down", "halted", "starting" (no news of a leader yet), "follower" or "leader"]
    leaderEpoch,      \* [r -> the newest leader epoch it has heard of, 0 if none]
    leader,           \* [r -> who leads in that epoch]
    hw,               \* [r -> its high watermark]
    fetchState,       \* [r -> a follower is "truncating", "fetching" or (fenced) "failed", any other "idle"]
    incarnation,      \* [r -> how often it has been started again]

    \* What a leader keeps in memory besides.
    isr,              \* [r -> the in-sync replicas as this leader knows them]
    remoteLeo,        \* [r -> [f -> the offset that follower f fetched from last, Undefined if none yet]]
    remoteHw,         \* [r -> [f -> the HW that follower f told, Undefined if none yet]]; only where the rule asks for it
    isrProposal,      \* [r -> the ISR that it has asked the controller for, and the controller's answer]
    epochStart,       \* [r -> its log end offset when it became leader]
    pending,          \* [r -> offsets whose producers (acks=all) still wait for the HW]

    \* The world between them.
    controller,       \* the newest election and its ISR: [epoch, leader, isr]
    oldNews,          \* earlier ones that a replica may still hear of
    elr,              \* the eligible leader replicas: not in sync, but with all that is committed (KIP-966)
    network,          \* the messages under way

    \* Ghosts and budgets.  No step of the protocol depends on them.
    written,          \* how many records clients have written; the next one gets id written + 1
    acked,            \* the records that a producer was told are stored: [id, acks]
    committed,        \* the records ever covered by the HW of the leader that the controller had elected: [offset, id]
    destroyed,        \* ids of records whose last in-sync copy was destroyed by a loss of power or an unclean election
    faults            \* how often each: crashes, powerLosses, unclean elections, offline partitions, lostMessages

diskVars   == <<log, flushed, epochCache, epochFile, checkpoint>>
memoryVars == <<role, leaderEpoch, leader, hw, fetchState, incarnation>>
leaderVars == <<isr, remoteLeo, remoteHw, isrProposal, epochStart, pending>>
controllerVars == <<controller, oldNews, elr>>
ghostVars  == <<written, acked, committed, destroyed, faults>>
vars       == <<diskVars, memoryVars, leaderVars, controllerVars, network, ghostVars>>

NoOne == "none"

NoProposal == [isr |-> {}, joining |-> NoOne, inIncarnation |-> 0, answer |-> "none"]

Min(a, b) == IF a < b THEN a ELSE b
Max(a, b) == IF a > b THEN a ELSE b
SmallestOf(offsets) == CHOOSE a \in offsets : \A b \in offsets : a <= b

\* The log end offset.
Leo(r) == Len(log[r])

Prefix(sequence, length) == SubSeq(sequence, 1, length)

Alive(r) == role[r] \notin {"down", "halted"}

\* A leader that has not been replaced.  One that has, and does not know it yet, is a zombie.
IsElectedLeader(r) == role[r] = "leader" /\ leaderEpoch[r] = controller.epoch

(***************************************************************************)
(* Messages.  Each names the follower that asked, the leader it asked, the *)
(* follower's incarnation and leader epoch, and what it asked for, so that *)
(* two different messages are never equal.  A reply repeats them.          *)
(*                                                                         *)
(* A fetcher has one request under way at a time: it waits for the reply.  *)
(* Both die when either end goes down, and when the news of another epoch  *)
(* starts the fetcher anew: a reply that comes later finds a partition     *)
(* that is truncating, and is ignored.  Where it is not ignored            *)
(* (KAFKA-7786, KAFKA-18723: see lateReplies in Profiles) it stays under   *)
(* way.                                                                    *)
(***************************************************************************)
UnderWay(f) == {m \in network : m.follower = f}

TruncatesInFetch(f) == ProfileOf[f].truncation = "insideFetch"

\* A connection needs somebody at the other end.
MaySend(f) == UnderWay(f) = {} /\ Alive(leader[f])

\* A follower that truncates inside Fetch says which epoch its log ends with.  Under a rule that was only proposed it also
\* says what its high watermark is.
FetchRequest(f) ==
    [type |-> "FetchRequest", follower |-> f, leader |-> leader[f], incarnation |-> incarnation[f],
     leaderEpoch |-> leaderEpoch[f], offset |-> Leo(f),
     lastFetchedEpoch |-> IF TruncatesInFetch(f) THEN LatestEpoch(epochCache[f]) ELSE Undefined,
     knownHw |-> IF ProfileOf[f].hwWaitsForFollowers THEN hw[f] ELSE Undefined]

\* diverging: where the leader's log parts from the follower's, or NoAnswer.
FetchResponse(m, error, diverging, endOffset, highWatermark, records) ==
    [type |-> "FetchResponse", follower |-> m.follower, leader |-> m.leader, incarnation |-> m.incarnation,
     leaderEpoch |-> m.leaderEpoch, offset |-> m.offset, lastFetchedEpoch |-> m.lastFetchedEpoch, knownHw |-> m.knownHw,
     error |-> error, diverging |-> diverging, endOffset |-> endOffset, hw |-> highWatermark, records |-> records]

OffsetsForLeaderEpochRequest(f) ==
    [type |-> "OffsetsForLeaderEpochRequest", follower |-> f, leader |-> leader[f], incarnation |-> incarnation[f],
     leaderEpoch |-> leaderEpoch[f], asked |-> LatestEpoch(epochCache[f])]

OffsetsForLeaderEpochResponse(m, error, answer) ==
    [type |-> "OffsetsForLeaderEpochResponse", follower |-> m.follower, leader |-> m.leader,
     incarnation |-> m.incarnation, leaderEpoch |-> m.leaderEpoch, asked |-> m.asked,
     error |-> error, epoch |-> answer.epoch, endOffset |-> answer.endOffset]

ReplaceMessage(old, new) == network' = (network \ {old}) \cup {new}

\* What of f's messages a new start of its fetcher leaves under way, because the reply would not be told from a newer one.
\* Such a message is the only one that f has under way until it is handled: with another leader Kafka's other fetcher
\* thread could be faster.
OutlivesNews(f) ==
    CASE ProfileOf[f].lateReplies = "ignored" -> {}
      [] ProfileOf[f].lateReplies = "answers" -> {m \in UnderWay(f) : m.type \in {"OffsetsForLeaderEpochRequest", "OffsetsForLeaderEpochResponse"}}
      [] ProfileOf[f].lateReplies = "records" -> {m \in UnderWay(f) : m.type \in {"FetchRequest", "FetchResponse"}}

\* The fetcher thread of that leader has the partition, and takes the reply.
IsAwaited(f, m, state) == role[f] = "follower" /\ leader[f] = m.leader /\ fetchState[f] = state

\* Why leader l refuses a request, or "none".  Only a request whose sender fences carries an epoch to compare; it is
\* compared first.
\* Source: Partition.checkCurrentLeaderEpoch, 2.1.0.
Refusal(l, m) ==
    LET compares == ProfileOf[l].fenced /\ ProfileOf[m.follower].fenced /\ role[l] # "starting"
    IN  CASE compares /\ m.leaderEpoch < leaderEpoch[l] -> "FENCED_LEADER_EPOCH"
          [] compares /\ m.leaderEpoch > leaderEpoch[l] -> "UNKNOWN_LEADER_EPOCH"
          [] ~(compares /\ m.leaderEpoch # leaderEpoch[l]) /\ role[l] # "leader" -> "NOT_LEADER"
          [] OTHER -> "none"

(***************************************************************************)
(* The high watermark.                                                     *)
(***************************************************************************)

\* With an eager checkpoint the file follows each change at once.
WriteCheckpoint(r, offset) ==
    checkpoint' = IF LazyCheckpoint THEN checkpoint ELSE [checkpoint EXCEPT ![r] = offset]

\* The ISR that leader r must wait for while it has asked for another: since KIP-497 whoever is in one of the two.  (The other
\* ways are mistakes that the KIP warns of.)
\* Source: Partition.maybeIncrementLeaderHW, PartitionState.maximalIsr, 2.7.0.
Counted(r, ownIsr, proposed) ==
    CASE proposed = {}                             -> ownIsr
      [] ProfileOf[r].countsForHw = "eitherIsr"    -> ownIsr \cup proposed
      [] ProfileOf[r].countsForHw = "confirmedIsr" -> ownIsr
      [] ProfileOf[r].countsForHw = "proposedIsr"  -> proposed

\* What the followers have, or under the rule that was only proposed what they know that all have, as far as leader r knows.
Confirmed(r, f, newRemoteLeo, newRemoteHw) ==
    IF ProfileOf[r].hwWaitsForFollowers THEN newRemoteHw[f] ELSE newRemoteLeo[f]

\* Leader r, with this log, ISR and knowledge of its followers, moves its HW as far as all in-sync replicas are, and never
\* back.  (Kafka lets a replica that has just caught up hold it back before it is in the ISR; here it need not, which allows
\* more.)  A producer that waited for it is told, unless the ISR is too small.  Since 3.7 the HW itself waits then (KIP-966).
\* Source: Partition.maybeIncrementLeaderHW, DelayedProduce.
AdvanceHwFrom(r, oldHw, newLog, newIsr, proposed, newRemoteLeo, newRemoteHw, newPending, toldAtOnce) ==
    LET counted == Counted(r, newIsr, proposed) \ {r}
        reached == {Len(newLog)} \cup {Confirmed(r, f, newRemoteLeo, newRemoteHw) : f \in counted}
        waits   == ProfileOf[r].hwNeedsMinIsr /\ Cardinality(newIsr) < MinIsr
        newHw   == IF waits THEN oldHw ELSE Max(oldHw, SmallestOf(reached))
        stored  == {o \in newPending : o < newHw}
    IN  /\ hw' = [hw EXCEPT ![r] = newHw]
        /\ WriteCheckpoint(r, newHw)
        /\ pending' = [pending EXCEPT ![r] = newPending \ stored]
        /\ acked' = acked \cup toldAtOnce \cup
                        IF Cardinality(newIsr) >= MinIsr
                        THEN {[id |-> newLog[o + 1].id, acks |-> "all"] : o \in stored}
                        ELSE {}

\* With the log, ISR and followers as they are, but for what has just changed.
AdvanceHw(r, newLog, newIsr, newRemoteLeo, newPending, toldAtOnce) ==
    AdvanceHwFrom(r, hw[r], newLog, newIsr, isrProposal[r].isr, newRemoteLeo, remoteHw[r], newPending, toldAtOnce)

\* What the HW of an elected leader covers is committed.
Covered(sequence, offset) == {[offset |-> i - 1, id |-> sequence[i].id] : i \in 1 .. Min(offset, Len(sequence))}

NoteCommitted(elected, newLog, newHw) ==
    committed' = IF elected THEN committed \cup Covered(newLog, newHw) ELSE committed

(***************************************************************************)
(* Truncation of replica r to an offset: records and epoch entries go, and *)
(* in releases that bound the HW by the log end, so does the HW.  The      *)
(* epoch file follows at once, or since 3.8 later, in a step of its own,   *)
(* or with the next entry (KAFKA-15046).                                   *)
(* Source: Log.truncateTo; 2.4.0 for the HW, 2.6.1 for entries at the end; *)
(* LeaderEpochFileCache.truncateFromEndAsyncFlush, 3.8.0.                  *)
(***************************************************************************)
TruncateWithHw(r, offset, highWatermark) ==
    LET cuts  == offset < Leo(r)
        newHw == IF ProfileOf[r].lowersHw THEN Min(highWatermark, offset) ELSE highWatermark
    IN  /\ log'        = [log EXCEPT ![r] = Prefix(@, Min(offset, Len(@)))]
        /\ flushed'    = [flushed EXCEPT ![r] = Min(@, offset)]
        /\ epochCache' = IF cuts \/ ProfileOf[r].clearsAtEnd
                         THEN [epochCache EXCEPT ![r] = TruncateFromEnd(@, offset)]
                         ELSE epochCache
        /\ epochFile'  = IF ProfileOf[r].epochFile = "later" THEN epochFile ELSE [epochFile EXCEPT ![r] = epochCache'[r]]
        /\ hw'         = [hw EXCEPT ![r] = newHw]
        /\ WriteCheckpoint(r, newHw)

Truncate(r, offset) == TruncateWithHw(r, offset, hw[r])

\* The epoch file is written with every new entry.
WriteEpochFile(r) ==
    epochFile' = IF epochCache'[r] # epochCache[r] THEN [epochFile EXCEPT ![r] = epochCache'[r]] ELSE epochFile

(***************************************************************************)
(* A replica hears that another one leads.                                 *)
(*                                                                         *)
(* It may hear late, and of an election that is no longer the newest.  One *)
(* that has just started is told the newest.                               *)
(***************************************************************************)
News(r, e) ==
    {n \in {controller} \cup oldNews :
        /\ Alive(r)
        /\ n.epoch = e
        /\ e > leaderEpoch[r]
        /\ role[r] = "starting" => n = controller}

\* Whether the news starts the fetcher anew, with truncation first; else it goes on as it was.
\* Source: Partition.makeFollower; 2.0.0 compares leaders only, 2.0.1 also looks for a gap in the epochs, 2.1.0 takes any
\* new epoch.
StartsAnew(f, n) ==
    \/ role[f] # "follower"
    \/ leader[f] # n.leader
    \/ ProfileOf[f].truncateWhen = "epochSkipped" /\ n.epoch > leaderEpoch[f] + 1
    \/ ProfileOf[f].truncateWhen = "epochChanged"

\* A follower asks its leader, unless its rule does without, or it has nothing to ask for.
Asks(f) ==
    /\ ProfileOf[f].truncation \notin {"highWatermark", "insideFetch"}
    /\ ProfileOf[f].asksWithoutEpoch \/ epochCache[f] # <<>>

\* Before it fetches: nothing where the rule is to find out by fetching, and there is an epoch to tell the leader; else it
\* cuts to its own high watermark.
\* Source: AbstractFetcherThread.partitionFetchState and truncateToHighWatermark, 2.8.0.
TruncateUnasked(f) ==
    IF TruncatesInFetch(f) /\ epochCache[f] # <<>>
    THEN UNCHANGED <<diskVars, hw>>
    ELSE Truncate(f, Min(hw[f], Leo(f)))

\* What a leader knows of its followers, and asked of the controller, ends with its reign.
ForgetFollowers(l) ==
    /\ remoteLeo'   = [remoteLeo EXCEPT ![l] = [r \in Replicas |-> Undefined]]
    /\ remoteHw'    = [remoteHw EXCEPT ![l] = [r \in Replicas |-> Undefined]]
    /\ isrProposal' = [isrProposal EXCEPT ![l] = NoProposal]

BecomeFollower(f, e) == \E n \in News(f, e) :
    /\ n.leader \notin {f, NoOne}
    /\ role'        = [role EXCEPT ![f] = "follower"]
    /\ leaderEpoch' = [leaderEpoch EXCEPT ![f] = e]
    /\ leader'      = [leader EXCEPT ![f] = n.leader]
    /\ isr'         = [isr EXCEPT ![f] = {}]
    /\ ForgetFollowers(f)
    /\ epochStart'  = [epochStart EXCEPT ![f] = Undefined]
    /\ pending'     = [pending EXCEPT ![f] = {}]
    /\ IF ~StartsAnew(f, n)
       THEN UNCHANGED <<diskVars, hw, fetchState, network>>
       ELSE /\ network' = network \ (UnderWay(f) \ OutlivesNews(f))
            /\ IF Asks(f)
               THEN /\ fetchState' = [fetchState EXCEPT ![f] = "truncating"]
                    /\ UNCHANGED <<diskVars, hw>>
               ELSE /\ fetchState' = [fetchState EXCEPT ![f] = "fetching"]
                    /\ TruncateUnasked(f)
    /\ UNCHANGED <<incarnation, controllerVars, ghostVars>>

(***************************************************************************)
(* The question where to truncate.  Requests and replies are steps of      *)
(* their own: anything may happen between them.                            *)
(***************************************************************************)
SendOffsetsForLeaderEpoch(f) ==
    /\ role[f] = "follower"
    /\ fetchState[f] = "truncating"
    /\ MaySend(f)
    /\ network' = network \cup {OffsetsForLeaderEpochRequest(f)}
    /\ UNCHANGED <<diskVars, memoryVars, leaderVars, controllerVars, ghostVars>>

\* The leader answers from its epoch cache.  The answer's epoch travels only if both sides know KIP-279.
EndOf(l, asked) ==
    EndOffsetFor(ProfileOf[l].lookup, ProfileOf[l].guardUndefined, epochCache[l], Leo(l), asked)

\* Two answers that KIP-101 weighed, or that suggest themselves, and that know nothing of epochs: the leader's log end, and
\* its high watermark.
AnswerTo(l, asked) ==
    CASE ProfileOf[l].lookup = "logEnd"        -> Answer(Undefined, Leo(l))
      [] ProfileOf[l].lookup = "highWatermark" -> Answer(Undefined, hw[l])
      [] OTHER                                 -> EndOf(l, asked)

HandleOffsetsForLeaderEpoch(l, f) ==
    \E m \in UnderWay(f) :
        LET found   == AnswerTo(l, m.asked)
            answer  == IF ProfileOf[f].truncation = "epochAndOffset" THEN found ELSE Answer(Undefined, found.endOffset)
            refusal == Refusal(l, m)
        IN  /\ m.type = "OffsetsForLeaderEpochRequest"
            /\ m.leader = l
            /\ Alive(l)
            /\ ReplaceMessage(m,
                   OffsetsForLeaderEpochResponse(m, refusal, IF refusal = "none" THEN answer ELSE NoAnswer))
            /\ UNCHANGED <<diskVars, memoryVars, leaderVars, controllerVars, ghostVars>>

\* KIP-101: min(answer, own end), in one round; the own HW where the leader knows nothing.
TruncationByOffset(f, answer) ==
    [offset |-> IF answer.endOffset = Undefined THEN Min(hw[f], Leo(f)) ELSE Min(answer.endOffset, Leo(f)),
     done   |-> TRUE]

\* KIP-279: if the follower never had the epoch that the leader answers for, it cuts to its own end of the next lower
\* epoch and asks again.
\* Source: AbstractFetcherThread.getOffsetTruncationState, 2.0.0.
TruncationByEpochAndOffset(f, answer) ==
    LET own == EndOffsetFor(ProfileOf[f].lookup, ProfileOf[f].guardUndefined, epochCache[f], Leo(f), answer.epoch)
    IN  CASE answer.endOffset = Undefined \/ answer.epoch = Undefined -> TruncationByOffset(f, answer)
          [] own.endOffset = Undefined -> TruncationByOffset(f, answer)
          [] own.epoch # answer.epoch  -> [offset |-> Min(own.endOffset, Leo(f)), done |-> FALSE]
          [] OTHER -> [offset |-> Min(Min(own.endOffset, answer.endOffset), Leo(f)), done |-> TRUE]

TruncationFor(f, answer) ==
    IF ProfileOf[f].truncation = "offsetOnly"
    THEN TruncationByOffset(f, answer)
    ELSE TruncationByEpochAndOffset(f, answer)

\* A refused follower asks again, until it hears of the leader's epoch.  One that was fenced gives up until then.
\* Source: AbstractFetcherThread.onPartitionFenced, 2.1.1.
AfterRefusal(f, error) ==
    fetchState' = [fetchState EXCEPT ![f] = IF error = "FENCED_LEADER_EPOCH" THEN "failed" ELSE @]

HandleOffsetsForLeaderEpochResponse(f) ==
    \E m \in UnderWay(f) :
        /\ m.type = "OffsetsForLeaderEpochResponse"
        /\ network' = network \ {m}
        /\ CASE ~IsAwaited(f, m, "truncating") -> UNCHANGED <<diskVars, hw, fetchState>>
             [] IsAwaited(f, m, "truncating") /\ m.error # "none" ->
                    AfterRefusal(f, m.error) /\ UNCHANGED <<diskVars, hw>>
             [] OTHER ->
                    LET truncation == TruncationFor(f, Answer(m.epoch, m.endOffset))
                    IN  /\ Truncate(f, truncation.offset)
                        /\ fetchState' =
                               [fetchState EXCEPT ![f] = IF truncation.done THEN "fetching" ELSE "truncating"]
        /\ UNCHANGED <<role, leaderEpoch, leader, incarnation, leaderVars, controllerVars, ghostVars>>

(***************************************************************************)
(* Fetching.                                                               *)
(***************************************************************************)
\* Once it has truncated, a follower fetches from its log end on, for ever.
SendFetch(f) ==
    /\ role[f] = "follower"
    /\ fetchState[f] = "fetching"
    /\ MaySend(f)
    /\ network' = network \cup {FetchRequest(f)}
    /\ UNCHANGED <<diskVars, memoryVars, leaderVars, controllerVars, ghostVars>>

\* Where the leader's log ends for the epoch that the follower's log ends with.
\* Source: Partition.readRecords, 2.8.0.
EndOfLastFetched(l, m) == EndOf(l, m.lastFetchedEpoch)

Diverges(l, m) ==
    LET end == EndOfLastFetched(l, m)
    IN  m.lastFetchedEpoch # Undefined /\ (end.epoch < m.lastFetchedEpoch \/ end.endOffset < m.offset)

\* The epoch is looked at first: a leader that knows nothing of it says "out of range" too.
OutOfRange(l, m) ==
    \/ m.lastFetchedEpoch # Undefined /\ EndOfLastFetched(l, m).endOffset = Undefined
    \/ m.offset > Leo(l) /\ ~Diverges(l, m)

\* The fetch offset tells the leader how far the follower is, and may move the HW.  The reply was read before that: it
\* carries the HW as it was, which is why a follower's HW lags by a fetch.  In 1.0.0, 1.0.1 and 1.1.0 it was the HW after
\* (KAFKA-5758, undone by KAFKA-7104).
\* Source: ReplicaManager.fetchMessages (readFromLocalLog before updateFollowerLogReadResults).
CountFetch(l, f, m) ==
    LET newRemoteLeo == [remoteLeo[l] EXCEPT ![f] = m.offset]
        newRemoteHw  == [remoteHw[l] EXCEPT ![f] = m.knownHw]
    IN  /\ remoteLeo' = [remoteLeo EXCEPT ![l] = newRemoteLeo]
        /\ remoteHw'  = [remoteHw EXCEPT ![l] = newRemoteHw]
        /\ AdvanceHwFrom(l, hw[l], log[l], isr[l], isrProposal[l].isr, newRemoteLeo, newRemoteHw, pending[l], {})
        /\ NoteCommitted(IsElectedLeader(l), log[l], hw'[l])

CountNothing == UNCHANGED <<hw, checkpoint, remoteLeo, remoteHw, pending, acked, committed>>

\* What a reply tells the follower to be its high watermark.  Where the leader's own waits for the followers', it is what all
\* in-sync replicas have: they know it before the leader uses it.  While nothing is known of one, it is the leader's own.
HwToTell(l) ==
    CASE ProfileOf[l].hwWaitsForFollowers ->
             LET have == {remoteLeo'[l][f] : f \in isr[l] \ {l}}
             IN  IF Undefined \in have THEN hw[l] ELSE SmallestOf({Leo(l)} \cup have)
      [] ~ProfileOf[l].hwWaitsForFollowers /\ ProfileOf[l].countsBeforeReply -> hw'[l]
      [] OTHER -> hw[l]

HandleFetch(l, f) ==
    \E m \in UnderWay(f) :
        /\ m.type = "FetchRequest"
        /\ m.leader = l
        /\ Alive(l)
        /\ CASE Refusal(l, m) # "none" ->
                   /\ ReplaceMessage(m, FetchResponse(m, Refusal(l, m), NoAnswer, Undefined, Undefined, <<>>))
                   /\ CountNothing
             [] Refusal(l, m) = "none" /\ OutOfRange(l, m) ->
                   /\ ReplaceMessage(m, FetchResponse(m, "OFFSET_OUT_OF_RANGE", NoAnswer, Leo(l), Undefined, <<>>))
                   /\ IF ProfileOf[l].forgetsOutOfRange
                      THEN /\ remoteLeo' = [remoteLeo EXCEPT ![l][f] = Undefined]
                           /\ UNCHANGED <<hw, checkpoint, remoteHw, pending, acked, committed>>
                      ELSE CountNothing
             \* The answer is "cut", without records.  2.8.0 counted the offset of a log that differs (KAFKA-13141).
             [] Refusal(l, m) = "none" /\ ~OutOfRange(l, m) /\ Diverges(l, m) ->
                   /\ ReplaceMessage(m, FetchResponse(m, "none", EndOfLastFetched(l, m), Leo(l), hw[l], <<>>))
                   /\ IF ProfileOf[l].countsDiverging THEN CountFetch(l, f, m) ELSE CountNothing
             [] OTHER ->
                   /\ CountFetch(l, f, m)
                   /\ LET records == SubSeq(log[l], m.offset + 1, Leo(l))
                      IN  ReplaceMessage(m, FetchResponse(m, "none", NoAnswer, Leo(l), HwToTell(l), records))
        /\ UNCHANGED <<log, flushed, epochCache, epochFile, isrProposal, role, leaderEpoch, leader, fetchState, incarnation, isr,
                       epochStart, controllerVars, written, destroyed, faults>>

\* Records in the format before v2 carry no epoch that could be noted.
NotesRecords(r) == ProfileOf[r].epochCache /\ ProfileOf[r].recordsCarryEpoch

\* Each record that begins an epoch adds an entry to the cache.
RECURSIVE CacheAfter(_, _, _, _)
CacheAfter(rule, cache, startOffset, records) ==
    IF records = <<>>
    THEN cache
    ELSE CacheAfter(rule, Assign(rule, cache, Head(records).epoch, startOffset), startOffset + 1, Tail(records))

\* The follower appends what it got, and takes the leader's HW as far as its own log reaches.
AppendFetched(f, m) ==
    LET newLog == log[f] \o m.records
        newHw  == Min(m.hw, Len(newLog))
    IN  /\ log'        = [log EXCEPT ![f] = newLog]
        /\ epochCache' = IF NotesRecords(f)
                         THEN [epochCache EXCEPT ![f] = CacheAfter(ProfileOf[f].assign, @, Leo(f), m.records)]
                         ELSE epochCache
        /\ hw'         = [hw EXCEPT ![f] = newHw]
        /\ WriteEpochFile(f)
        /\ WriteCheckpoint(f, newHw)
        /\ UNCHANGED flushed

\* Memory is gone, and so are the connections.
Stop(r, newRole) ==
    /\ role'        = [role EXCEPT ![r] = newRole]
    /\ leaderEpoch' = [leaderEpoch EXCEPT ![r] = 0]
    /\ leader'      = [leader EXCEPT ![r] = NoOne]
    /\ hw'          = [hw EXCEPT ![r] = 0]
    /\ fetchState'  = [fetchState EXCEPT ![r] = "idle"]
    /\ isr'         = [isr EXCEPT ![r] = {}]
    /\ ForgetFollowers(r)
    /\ epochStart'  = [epochStart EXCEPT ![r] = Undefined]
    /\ pending'     = [pending EXCEPT ![r] = {}]
    /\ network'         = {m \in network : m.follower # r /\ m.leader # r}
    /\ UNCHANGED <<incarnation, controllerVars, written, acked, committed>>

\* The broker exits, and would again if it were started: nobody starts it.
Halt(f) ==
    /\ Stop(f, "halted")
    /\ epochCache' = [epochCache EXCEPT ![f] = epochFile[f]]
    /\ UNCHANGED <<log, flushed, epochFile, checkpoint, destroyed, faults>>

\* The follower cuts as KIP-279 has it, and the next fetch is the next question.  Up to 3.4.0 it took the leader's HW first,
\* which then covered its own diverging records for a moment (KAFKA-14704).
\* Source: AbstractFetcherThread.processFetchRequest and truncateOnFetchResponse, 2.8.2 and 3.5.0.
TruncateDiverging(f, m) ==
    LET offset == TruncationByEpochAndOffset(f, m.diverging).offset
        takenHw == IF ProfileOf[f].hwBeforeTruncation THEN Min(m.hw, Leo(f)) ELSE hw[f]
    IN  TruncateWithHw(f, offset, takenHw)

\* A late reply is known only by its offset.  If that is the log's end, it is taken for an answer to the newest fetch; but
\* since KAFKA-9654 a refusal is held against the epoch that was refused.
\* Source: AbstractFetcherThread.processFetchRequest, 2.8.0.
IsCurrent(f, m) ==
    /\ IsAwaited(f, m, "fetching")
    /\ m.offset = Leo(f)
    /\ m.error # "none" => m.leaderEpoch = leaderEpoch[f]

TakeFetched(f, m) ==
    /\ CASE m.diverging # NoAnswer          -> TruncateDiverging(f, m)
         [] m.error = "OFFSET_OUT_OF_RANGE" -> Truncate(f, m.endOffset)
         [] m.error = "none" /\ m.diverging = NoAnswer -> AppendFetched(f, m)
         [] OTHER                           -> UNCHANGED <<diskVars, hw>>
    /\ AfterRefusal(f, m.error)

\* A follower that is ahead of its leader's log cuts to its end, or halts rather than lose records.
\* Source: ReplicaFetcherThread.handleOffsetOutOfRange.  The leader's end is asked for by ListOffsets there; here the
\* reply brings it, for nothing else depends on it.
HandleFetchResponse(f) ==
    \E m \in UnderWay(f) :
        /\ m.type = "FetchResponse"
        /\ IF IsCurrent(f, m) /\ m.error = "OFFSET_OUT_OF_RANGE" /\ ProfileOf[f].outOfRange = "halt"
           THEN Halt(f)
           ELSE /\ network' = network \ {m}
                /\ CASE ~IsCurrent(f, m) -> UNCHANGED <<diskVars, hw, fetchState>>
                     [] IsCurrent(f, m)  -> TakeFetched(f, m)
                /\ UNCHANGED <<role, leaderEpoch, leader, incarnation, leaderVars, controllerVars, ghostVars>>

(***************************************************************************)
(* The leader.                                                             *)
(***************************************************************************)

\* A replica hears that it leads.  Since KAFKA-7415 it notes at once where its epoch begins.  Of its followers it knows
\* nothing yet, unless it was leader already.  If it is the whole ISR, all it has is committed.  A HW above its log end,
\* which a truncation left, means nothing to it: it begins at the start of the log.
\* Source: Partition.makeLeader, Replica.convertHWToLocalOffsetMetadata.
BecomeLeader(l, e) == \E n \in News(l, e) :
    LET unknown      == [f \in Replicas |-> Undefined]
        newRemoteLeo == IF role[l] = "leader" THEN remoteLeo[l] ELSE unknown
        newRemoteHw  == IF role[l] = "leader" THEN remoteHw[l] ELSE unknown
        stillPending == IF role[l] = "leader" THEN pending[l] ELSE {}
        ownHw        == IF hw[l] > Leo(l) THEN 0 ELSE hw[l]
    IN  /\ n.leader = l
        /\ role'        = [role EXCEPT ![l] = "leader"]
        /\ leaderEpoch' = [leaderEpoch EXCEPT ![l] = e]
        /\ leader'      = [leader EXCEPT ![l] = l]
        /\ fetchState'  = [fetchState EXCEPT ![l] = "idle"]
        /\ isr'         = [isr EXCEPT ![l] = n.isr]
        /\ remoteLeo'   = [remoteLeo EXCEPT ![l] = newRemoteLeo]
        /\ remoteHw'    = [remoteHw EXCEPT ![l] = newRemoteHw]
        /\ isrProposal' = [isrProposal EXCEPT ![l] = NoProposal]
        /\ epochStart'  = [epochStart EXCEPT ![l] = Leo(l)]
        /\ epochCache'  = IF ProfileOf[l].epochCache /\ ProfileOf[l].entryOnElection
                          THEN [epochCache EXCEPT ![l] = Assign(ProfileOf[l].assign, @, e, Leo(l))]
                          ELSE epochCache
        /\ WriteEpochFile(l)
        /\ AdvanceHwFrom(l, ownHw, log[l], n.isr, {}, newRemoteLeo, newRemoteHw, stillPending, {})
        /\ NoteCommitted(n = controller, log[l], hw'[l])
        /\ network' = network \ (UnderWay(l) \ OutlivesNews(l))
        /\ UNCHANGED <<log, flushed, incarnation, controllerVars, written, destroyed, faults>>

\* A client writes a record.  With acks=1 it is told at once, with acks=all once the HW has passed it; with acks=all an
\* ISR below min.insync.replicas refuses the write.
Write(l, acks) ==
    LET record     == [id |-> written + 1, epoch |-> leaderEpoch[l]]
        newLog     == Append(log[l], record)
        newPending == IF acks = "all" THEN pending[l] \cup {Leo(l)} ELSE pending[l]
        toldAtOnce == IF acks = "1" THEN {[id |-> record.id, acks |-> "1"]} ELSE {}
    IN  /\ role[l] = "leader"
        /\ acks = "all" => Cardinality(isr[l]) >= MinIsr
        /\ log' = [log EXCEPT ![l] = newLog]
        /\ epochCache' = IF NotesRecords(l)
                         THEN [epochCache EXCEPT ![l] = Assign(ProfileOf[l].assign, @, record.epoch, Leo(l))]
                         ELSE epochCache
        /\ WriteEpochFile(l)
        /\ AdvanceHw(l, newLog, isr[l], remoteLeo[l], newPending, toldAtOnce)
        /\ NoteCommitted(IsElectedLeader(l), newLog, hw'[l])
        /\ written' = written + 1
        /\ UNCHANGED <<flushed, role, leaderEpoch, leader, fetchState, incarnation, isr, remoteLeo, remoteHw,
                       isrProposal, epochStart, controllerVars, network, destroyed, faults>>

(***************************************************************************)
(* Changes of the ISR.  Up to 2.6 the leader compares and sets the         *)
(* controller's copy in ZooKeeper, in one step; a zombie's attempt fails.  *)
(* Since KIP-497 it asks the controller (AlterPartition), which answers    *)
(* later: ShrinkIsr and ExpandIsr only ask then.  The profiles of the      *)
(* releases take a change as one step; the steps between are looked at     *)
(* under profiles of their own.                                            *)
(***************************************************************************)
Asked(l) == isrProposal[l].isr # {}

MayChangeIsr(l) ==
    IF ProfileOf[l].asksForIsr THEN role[l] = "leader" /\ ~Asked(l) ELSE IsElectedLeader(l)

\* The controller's side of a new ISR: who leaves it while it is too small stays eligible.
\* Source: PartitionChangeBuilder.maybePopulateTargetElr, 4.0.
ElrAfter(newIsr) ==
    IF ~EligibleLeaders \/ Cardinality(newIsr) >= MinIsr THEN {} ELSE (elr \cup controller.isr) \ newIsr

Confirm(newIsr) ==
    /\ controller' = [controller EXCEPT !.isr = newIsr]
    /\ elr'        = ElrAfter(newIsr)
    /\ UNCHANGED oldNews

\* joining: who joins, NoOne if somebody leaves; inIncarnation: the life of it that the leader has seen.
Propose(l, newIsr, joining, inIncarnation) ==
    isrProposal' = [isrProposal EXCEPT ![l] =
        [isr |-> newIsr, joining |-> joining, inIncarnation |-> inIncarnation, answer |-> "none"]]

ChangeIsr(l, newIsr, joining, inIncarnation) ==
    /\ IF ProfileOf[l].asksForIsr
       THEN /\ Propose(l, newIsr, joining, inIncarnation)
            /\ UNCHANGED <<isr, controllerVars>>
       ELSE /\ isr' = [isr EXCEPT ![l] = newIsr]
            /\ Confirm(newIsr)
            /\ UNCHANGED isrProposal
    /\ AdvanceHwFrom(l, hw[l], log[l], isr'[l], isrProposal'[l].isr, remoteLeo[l], remoteHw[l], pending[l], {})
    /\ NoteCommitted(IsElectedLeader(l), log[l], hw'[l])
    /\ UNCHANGED <<log, flushed, epochCache, epochFile, role, leaderEpoch, leader, fetchState, incarnation, remoteLeo,
                   remoteHw, epochStart, network, written, destroyed, faults>>

\* A follower that lags, or has gone, leaves the ISR after a time.  The HW no longer waits for it.  Since 2.1 one that has the
\* leader's whole log may be silent for as long as it likes (KAFKA-7152).
\* Source: Partition.maybeShrinkIsr, getOutOfSyncReplicas.
ShrinkIsr(l, f) ==
    /\ MayChangeIsr(l)
    /\ f \in isr[l] \ {l}
    /\ ProfileOf[l].keepsCaughtUp => remoteLeo[l][f] # Leo(l)
    /\ ChangeIsr(l, isr[l] \ {f}, NoOne, 0)

\* A follower that has caught up joins.  Up to 2.0.0 the HW was far enough; but a new leader's HW may still be below
\* what was committed before it, and a replica without those records could be elected (KAFKA-7128).
\* Source: Partition.maybeExpandIsr.
FarEnough(l, f, offset) ==
    /\ offset >= hw[l]
    /\ ProfileOf[l].isrJoin = "epochStart" => offset >= epochStart[l]
    /\ ProfileOf[l].hwWaitsForFollowers => remoteHw[l][f] >= hw[l]

\* It is while the leader handles a fetch that it looks at the follower, so before the reply arrives: an offset from an
\* earlier life must not let anybody in.
ExpandIsr(l, f) ==
    /\ MayChangeIsr(l)
    /\ f \in Replicas \ isr[l]
    /\ \E m \in UnderWay(f) :
        /\ m.type = "FetchResponse" /\ m.error = "none"
        /\ m.diverging = NoAnswer \/ ProfileOf[l].countsDiverging
        /\ m.leader = l
        /\ remoteLeo[l][f] = m.offset
        /\ FarEnough(l, f, m.offset)
        /\ ChangeIsr(l, isr[l] \cup {f}, f, m.incarnation)

\* The controller confirms the ISR that the elected leader asks for, if who joins is alive; since KIP-903 it must also be in
\* the life that the leader has seen, for it may have lost its log meanwhile (KAFKA-14139).
\* Source: ReplicationControlManager.validateAlterPartitionData, ineligibleReplicasForIsr, 3.5.0.
AlterPartition(l) ==
    LET asked    == isrProposal[l]
        eligible == asked.joining # NoOne =>
                        /\ Alive(asked.joining)
                        /\ ProfileOf[l].checksBrokerEpoch => incarnation[asked.joining] = asked.inIncarnation
        confirms == IsElectedLeader(l) /\ eligible
    IN  /\ Asked(l)
        /\ asked.answer = "none"
        /\ isrProposal' = [isrProposal EXCEPT ![l].answer = IF confirms THEN "confirmed" ELSE "refused"]
        /\ IF confirms THEN Confirm(asked.isr) ELSE UNCHANGED controllerVars
        /\ UNCHANGED <<diskVars, memoryVars, isr, remoteLeo, remoteHw, epochStart, pending, network, ghostVars>>

\* The leader hears of it.  With a smaller ISR the HW may move on now; up to 3.0 nobody looked (KAFKA-13091).
\* Source: Partition.handleAlterIsrResponse, 2.7.0 and 3.1.0.
HandleAlterPartitionResponse(l) ==
    LET asked  == isrProposal[l]
        newIsr == IF asked.answer = "confirmed" THEN asked.isr ELSE isr[l]
    IN  /\ Asked(l)
        /\ asked.answer # "none"
        /\ isr'         = [isr EXCEPT ![l] = newIsr]
        /\ isrProposal' = [isrProposal EXCEPT ![l] = NoProposal]
        /\ IF ProfileOf[l].hwOnIsrReply
           THEN /\ AdvanceHwFrom(l, hw[l], log[l], newIsr, {}, remoteLeo[l], remoteHw[l], pending[l], {})
                /\ NoteCommitted(IsElectedLeader(l), log[l], hw'[l])
           ELSE UNCHANGED <<hw, checkpoint, pending, acked, committed>>
        /\ UNCHANGED <<log, flushed, epochCache, epochFile, role, leaderEpoch, leader, fetchState, incarnation, remoteLeo,
                       remoteHw, epochStart, controllerVars, network, written, destroyed, faults>>

(***************************************************************************)
(* The controller.                                                         *)
(***************************************************************************)

Records(r) == {log[r][i].id : i \in 1 .. Leo(r)}

Decide(newLeader, newIsr) ==
    /\ controller' = [epoch |-> controller.epoch + 1, leader |-> newLeader, isr |-> newIsr]
    /\ oldNews'    = IF OldNews THEN oldNews \cup {controller} ELSE {}
    /\ elr'        = ElrAfter(newIsr)

LiveIsr == {s \in controller.isr : Alive(s)}

\* A live member of the ISR is elected, the dead ones drop out.  The old leader may well be alive: leadership moves back
\* to a preferred replica, or away from a broker that is to stop.  It is elected again, in a new epoch, when the
\* controller takes a dead follower out of the ISR.  If no member lives, an eligible leader replica will do as well
\* (KIP-966), and an unclean election takes any replica.
\* Source: PartitionStateMachine.electLeaderForPartition, ReplicaStateMachine (OfflineReplica); PartitionChangeBuilder, 4.0.
Elect(r) ==
    /\ Alive(r)
    /\ \/ /\ r \in LiveIsr
          /\ r # controller.leader \/ LiveIsr # controller.isr
          /\ Decide(r, LiveIsr)
       \/ /\ LiveIsr = {}
          /\ r \in elr
          /\ Decide(r, {r})
    /\ UNCHANGED <<diskVars, memoryVars, leaderVars, network, ghostVars>>

ElectUnclean(r) ==
    /\ Alive(r)
    /\ LiveIsr = {}
    /\ r \notin elr
    /\ Decide(r, {r})
    /\ destroyed' = destroyed \cup {c.id : c \in {d \in committed : d.id \notin Records(r)}}
    /\ faults' = [faults EXCEPT !.unclean = @ + 1]
    /\ UNCHANGED <<diskVars, memoryVars, leaderVars, network, written, acked, committed>>

\* With the whole ISR down the partition has no leader, in an epoch of its own, until a member returns; or with eligible
\* leader replicas, among whom the last member is now, until one of those does.
PartitionOffline ==
    /\ controller.leader # NoOne
    /\ LiveIsr = {}
    /\ Decide(NoOne, IF EligibleLeaders THEN {} ELSE controller.isr)
    /\ faults' = [faults EXCEPT !.offline = @ + 1]
    /\ UNCHANGED <<diskVars, memoryVars, leaderVars, network, written, acked, committed, destroyed>>

(***************************************************************************)
(* Disk and machine.                                                       *)
(***************************************************************************)

\* Source: ReplicaManager.checkpointHighWatermarks, every replica.high.watermark.checkpoint.interval.ms.
CheckpointHighWatermark(r) ==
    /\ LazyCheckpoint
    /\ Alive(r)
    /\ checkpoint[r] # hw[r]
    /\ checkpoint' = [checkpoint EXCEPT ![r] = hw[r]]
    /\ UNCHANGED <<log, flushed, epochCache, epochFile, memoryVars, leaderVars, controllerVars, network, ghostVars>>

\* Source: LeaderEpochFileCache.writeIfDirExists, by the scheduler, 3.9.0.
FlushEpochFile(r) ==
    /\ Alive(r)
    /\ epochFile[r] # epochCache[r]
    /\ epochFile' = [epochFile EXCEPT ![r] = epochCache[r]]
    /\ UNCHANGED <<log, flushed, epochCache, checkpoint, memoryVars, leaderVars, controllerVars, network, ghostVars>>

\* The operating system, or log.flush.interval, brings what was appended to the disk.
Flush(r) ==
    /\ Alive(r)
    /\ flushed[r] # Leo(r)
    /\ flushed' = [flushed EXCEPT ![r] = Leo(r)]
    /\ UNCHANGED <<log, epochCache, epochFile, checkpoint, memoryVars, leaderVars, controllerVars, network, ghostVars>>

\* The process dies; what it wrote is safe with the operating system.  Of the epoch cache there is the file.
Crash(r) ==
    /\ Alive(r)
    /\ Stop(r, "down")
    /\ epochCache' = [epochCache EXCEPT ![r] = epochFile[r]]
    /\ faults' = [faults EXCEPT !.crashes = @ + 1]
    /\ UNCHANGED <<log, flushed, epochFile, checkpoint, destroyed>>

\* The machine dies and keeps n records; any suffix that was not flushed may go.
PowerLoss(r, n) ==
    LET lost == {log[r][i].id : i \in n + 1 .. Leo(r)}
        kept == UNION {Records(s) : s \in (controller.isr \cup elr) \ {r}}
    IN  /\ Alive(r)
        /\ n \in flushed[r] .. Leo(r)
        /\ Stop(r, "down")
        /\ log'       = [log EXCEPT ![r] = Prefix(@, n)]
        /\ flushed'   = [flushed EXCEPT ![r] = n]
        /\ destroyed' = destroyed \cup (lost \ kept)
        /\ faults'    = [faults EXCEPT !.powerLosses = @ + 1]
        /\ epochCache' = [epochCache EXCEPT ![r] = epochFile[r]]
        /\ UNCHANGED <<epochFile, checkpoint>>

\* The log is opened: the epoch file is read, recovery notes what epochs it finds above the file's last, entries without a
\* record go, and the HW is read from its checkpoint.  (Every stop is unclean here.)  A leader that was seen to die is not
\* leader any more when it comes back; and where the controller keeps eligible leader replicas, one that stopped without a
\* word is neither in sync nor eligible.
\* Source: Log (constructor), LogSegment.recover, Partition.getOrCreateReplica; ReplicationControlManager.handleBrokerUncleanShutdown.
Restart(r) ==
    LET recovered == IF NotesRecords(r) THEN Recovered(ProfileOf[r].assign, epochFile[r], log[r]) ELSE epochFile[r]
        opened    == IF ProfileOf[r].cacheOnDisk THEN TruncateFromEnd(recovered, Leo(r)) ELSE <<>>
    IN  /\ role[r] = "down"
        /\ controller.leader = r => ResumeSameEpoch
        /\ EligibleLeaders => r \notin controller.isr
        /\ role'        = [role EXCEPT ![r] = "starting"]
        /\ incarnation' = [incarnation EXCEPT ![r] = @ + 1]
        /\ hw'          = [hw EXCEPT ![r] = Min(checkpoint[r], Leo(r))]
        /\ epochCache'  = [epochCache EXCEPT ![r] = opened]
        /\ epochFile'   = [epochFile EXCEPT ![r] = opened]
        /\ elr'         = elr \ {r}
        /\ UNCHANGED <<log, flushed, checkpoint, leaderEpoch, leader, fetchState, leaderVars, controller, oldNews, network,
                       ghostVars>>

\* A connection breaks: what follower f has under way is lost, and it will try again.
LoseMessage(f) ==
    /\ UnderWay(f) # {}
    /\ network' = network \ UnderWay(f)
    /\ faults' = [faults EXCEPT !.lostMessages = @ + 1]
    /\ UNCHANGED <<diskVars, memoryVars, leaderVars, controllerVars, written, acked, committed, destroyed>>

(***************************************************************************)
(* The whole.  At first all replicas are up, know their leader, and are    *)
(* empty.                                                                  *)
(***************************************************************************)
Init ==
    LET each(value) == [r \in Replicas |-> value]
        isLeader(r) == r = FirstLeader
        notes(r)    == isLeader(r) /\ ProfileOf[r].epochCache /\ ProfileOf[r].entryOnElection
    IN  /\ log         = each(<<>>)
        /\ flushed     = each(0)
        /\ epochCache  = [r \in Replicas |-> IF notes(r) THEN <<[epoch |-> 1, start |-> 0]>> ELSE <<>>]
        /\ epochFile   = epochCache
        /\ checkpoint  = each(0)
        /\ role        = [r \in Replicas |-> IF isLeader(r) THEN "leader" ELSE "follower"]
        /\ leaderEpoch = each(1)
        /\ leader      = each(FirstLeader)
        /\ hw          = each(0)
        /\ fetchState  = [r \in Replicas |-> IF isLeader(r) THEN "idle" ELSE "fetching"]
        /\ incarnation = each(0)
        /\ isr         = [r \in Replicas |-> IF isLeader(r) THEN Replicas ELSE {}]
        /\ remoteLeo   = each([f \in Replicas |-> Undefined])
        /\ remoteHw    = each([f \in Replicas |-> Undefined])
        /\ isrProposal = each(NoProposal)
        /\ epochStart  = [r \in Replicas |-> IF isLeader(r) THEN 0 ELSE Undefined]
        /\ pending     = each({})
        /\ controller  = [epoch |-> 1, leader |-> FirstLeader, isr |-> Replicas]
        /\ oldNews     = {}
        /\ elr         = {}
        /\ network     = {}
        /\ written     = 0
        /\ acked       = {}
        /\ committed   = {}
        /\ destroyed   = {}
        /\ faults      = [crashes |-> 0, powerLosses |-> 0, unclean |-> 0, offline |-> 0, lostMessages |-> 0]

Next ==
    \/ \E r \in Replicas :
        \/ \E acks \in {"1", "all"} : Write(r, acks)
        \/ \E e \in Nat : BecomeLeader(r, e) \/ BecomeFollower(r, e)
        \/ SendOffsetsForLeaderEpoch(r) \/ HandleOffsetsForLeaderEpochResponse(r)
        \/ SendFetch(r) \/ HandleFetchResponse(r)
        \/ \E f \in Replicas : HandleOffsetsForLeaderEpoch(r, f) \/ HandleFetch(r, f)
        \/ \E f \in Replicas : ShrinkIsr(r, f) \/ ExpandIsr(r, f)
        \/ AlterPartition(r) \/ HandleAlterPartitionResponse(r)
        \/ Elect(r) \/ ElectUnclean(r)
        \/ CheckpointHighWatermark(r) \/ FlushEpochFile(r) \/ Flush(r)
        \/ Crash(r) \/ Restart(r) \/ LoseMessage(r)
        \/ \E n \in Nat : PowerLoss(r, n)
    \/ PartitionOffline

Spec == Init /\ [][Next]_vars

(***************************************************************************)
(* What must hold.                                                         *)
(***************************************************************************)
Offsets(r) == 0 .. Leo(r) - 1

RecordAt(r, offset) == log[r][offset + 1]

\* Below the shorter end, two logs are the same.
SameUpToTheShorter(one, other) == \A i \in 1 .. Min(Len(one), Len(other)) : one[i] = other[i]

Agree(r, s) == SameUpToTheShorter(log[r], log[s])

\* What the HW of an elected leader ever covered is in the log of every later one.  Not asserted of records whose last
\* in-sync copy was destroyed by a loss of power or given up by an unclean election: no protocol could keep those.
\* A record of which another in-sync replica still has a copy is asserted, and where power can be lost it may be lost all
\* the same: the replica that lost it stays in the ISR and can be elected, which no rule of truncation prevents (KIP-966).
CommittedSurvives ==
    \A r \in Replicas : IsElectedLeader(r) =>
        \A c \in committed : c.id \in destroyed \/ (c.offset \in Offsets(r) /\ RecordAt(r, c.offset).id = c.id)

\* The same without the exception: what "min.insync.replicas=1 and no fsync" cannot promise.
CommittedSurvivesAnything ==
    \A r \in Replicas : IsElectedLeader(r) =>
        \A c \in committed : c.offset \in Offsets(r) /\ RecordAt(r, c.offset).id = c.id

\* A producer that asked for acks=all and was told "stored" finds its record with every later leader, with the same
\* exception.  acks=1 promises nothing beyond the leader's own life.
AckedSurvives ==
    \A r \in Replicas : IsElectedLeader(r) =>
        \A a \in acked : a.acks = "all" => a.id \in destroyed \cup Records(r)

\* A follower that has finished its truncation agrees with its leader, while both know the same epoch.
FollowerAgrees ==
    \A f \in Replicas :
        LET l == leader[f]
        IN  (/\ role[f] = "follower" /\ fetchState[f] = "fetching"
             /\ role[l] = "leader" /\ leaderEpoch[l] = leaderEpoch[f]) => Agree(f, l)

\* Where truncation is inside Fetch there is no telling that a follower has finished it, but by what it is sent: records.
\* Then its log, with these appended, agrees with its leader's.
AppendAgrees ==
    \A m \in network :
        LET f == m.follower
            l == m.leader
        IN  (/\ m.type = "FetchResponse" /\ m.error = "none" /\ m.diverging = NoAnswer /\ IsCurrent(f, m)
             /\ role[l] = "leader" /\ leaderEpoch[l] = leaderEpoch[f])
                => SameUpToTheShorter(log[f] \o m.records, log[l])

\* Truncation is exact.  FollowerAgrees is one half: what is left agrees.  The other: an answer cuts nothing that agrees, as
\* long as the leader that gave it still leads in that epoch.
CutsOnlyWhatDiverges ==
    \A m \in network :
        LET f == m.follower
            l == m.leader
            cut == TruncationFor(f, Answer(m.epoch, m.endOffset))
        IN  (/\ m.type = "OffsetsForLeaderEpochResponse" /\ m.error = "none"
             /\ role[l] = "leader" /\ leaderEpoch[l] = leaderEpoch[f])
                => \A o \in cut.offset .. Leo(f) - 1 :
                       o \notin Offsets(l) \/ ~SameUpToTheShorter(Prefix(log[f], o + 1), Prefix(log[l], o + 1))

\* No round is asked in vain: a follower that will have to ask again has fewer records then, or fewer epochs.  Else it asks
\* for ever (KAFKA-10706).
RoundsProgress ==
    \A m \in network :
        LET f   == m.follower
            cut == TruncationFor(f, Answer(m.epoch, m.endOffset))
        IN  (m.type = "OffsetsForLeaderEpochResponse" /\ m.error = "none" /\ IsAwaited(f, m, "truncating") /\ ~cut.done)
                => \/ cut.offset < Leo(f)
                   \/ ProfileOf[f].clearsAtEnd /\ TruncateFromEnd(epochCache[f], cut.offset) # epochCache[f]

\* Below both high watermarks no two logs differ.  Says nothing after an unclean election, which forks logs by design;
\* and is no promise where power is lost, for a replica that returns may then have to cut below its own high watermark.
NoDivergence ==
    faults.unclean = 0 =>
        \A r, s \in Replicas : \A o \in Offsets(r) \cap Offsets(s) :
            o < hw[r] /\ o < hw[s] => RecordAt(r, o) = RecordAt(s, o)

\* Two records with the same offset and epoch are the same, and so is all before them.
LogMatching ==
    \A r, s \in Replicas : \A o \in Offsets(r) \cap Offsets(s) :
        RecordAt(r, o).epoch = RecordAt(s, o).epoch => Prefix(log[r], o + 1) = Prefix(log[s], o + 1)

\* Epochs never go down along a log, and none is from the future.
EpochsMonotone ==
    \A r \in Replicas : \A o \in Offsets(r) :
        /\ RecordAt(r, o).epoch <= controller.epoch
        /\ o > 0 => RecordAt(r, o - 1).epoch <= RecordAt(r, o).epoch

\* The epoch cache says of every record which epoch wrote it.
CacheMatchesLog ==
    \A r \in Replicas : ProfileOf[r].epochCache /\ Alive(r) => Describes(epochCache[r], log[r])

TypeOk ==
    /\ \A r \in Replicas :
        /\ log[r] \in Seq([id : 1 .. written, epoch : 1 .. controller.epoch])
        /\ flushed[r] \in 0 .. Leo(r)
        /\ epochCache[r] \in Seq([epoch : 1 .. controller.epoch, start : Nat])
        /\ epochFile[r] \in Seq([epoch : 1 .. controller.epoch, start : Nat])
        /\ checkpoint[r] \in Nat
        /\ role[r] \in {"down", "halted", "starting", "follower", "leader"}
        /\ leaderEpoch[r] \in 0 .. controller.epoch
        /\ leader[r] \in Replicas \cup {NoOne}
        /\ hw[r] \in Nat
        /\ fetchState[r] \in {"idle", "truncating", "fetching", "failed"}
        /\ incarnation[r] \in Nat
        /\ isr[r] \subseteq Replicas
        /\ \A f \in Replicas : remoteLeo[r][f] \in Nat \cup {Undefined} /\ remoteHw[r][f] \in Nat \cup {Undefined}
        /\ isrProposal[r] \in [isr : SUBSET Replicas, joining : Replicas \cup {NoOne}, inIncarnation : Nat,
                               answer : {"none", "confirmed", "refused"}]
        /\ epochStart[r] \in Nat \cup {Undefined}
        /\ pending[r] \subseteq Nat
    /\ \A n \in {controller} \cup oldNews :
        n.epoch \in 1 .. controller.epoch /\ n.leader \in Replicas \cup {NoOne} /\ n.isr \subseteq Replicas
    /\ elr \subseteq Replicas \ controller.isr
    /\ \A m \in network : m.follower \in Replicas /\ m.leader \in Replicas
    /\ \A f \in Replicas : Cardinality(UnderWay(f)) <= 1
    /\ \A c \in committed : c.offset \in Nat /\ c.id \in 1 .. written
    /\ destroyed \subseteq 1 .. written
=============================================================================
