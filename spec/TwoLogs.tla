------------------------------ MODULE TwoLogs -------------------------------
(***************************************************************************)
(* Look-ups in logs that have lost records: by compaction, which leaves    *)
(* gaps, by retention, which moves the log's start, and to tiered storage, *)
(* which takes the records below the local log's start and leaves their    *)
(* epochs.                                                                 *)
(*                                                                         *)
(* A leader and one follower, and nothing else of the protocol: TLC begins *)
(* with every pair of small logs that replication can have left behind,    *)
(* every set of lost records, and every epoch cache that goes with them,   *)
(* and lets the follower ask, cut and fetch until both are one.            *)
(*                                                                         *)
(* What a log has lost was committed: the cleaner and retention stay below *)
(* the high watermark.  A replica's cache has an entry of every epoch of   *)
(* which it ever had a record, so an entry outlives its records.  But one  *)
(* that was filled from a compacted log never had those that were gone by  *)
(* then, and may miss an epoch, or have it begin later.                    *)
(* Source: LogCleaner, UnifiedLog.maybeIncrementLogStartOffset,            *)
(* UnifiedLog.append (maybeAssignEpochStartOffset for each batch), 3.5.0;  *)
(* LeaderEpochFileCache.truncateFromStart, 2.0.1;                          *)
(* ReplicaFetcherTierStateMachine.buildRemoteLogAuxState, 3.6.0.           *)
(***************************************************************************)
EXTENDS Integers, Sequences, FiniteSets, TLC, Profiles, EpochCache

CONSTANTS
    Profile,          \* the name of the rules that both follow
    MaxOffset,        \* the longest log
    MaxEpoch,         \* the highest epoch that wrote a record
    Compacts,         \* TRUE: records may be gone from the middle; FALSE: only below the start
    LeaderRefilled,   \* TRUE: the leader may have been filled from a log that was compacted already
    Tiered,           \* TRUE: the records below a log's start are remote, and their epochs are known
    Watch             \* names of interesting states that the run must reach

VARIABLES
    leader, follower, \* a log each: see Logs
    asks,             \* "asking", "fetching" or "inSync": how far the follower is
    before            \* the follower's log as it was at first

vars == <<leader, follower, asks, before>>

Rules == Profiles[Profile]

Min(a, b) == IF a < b THEN a ELSE b
Max(a, b) == IF a > b THEN a ELSE b
SmallestOf(set) == CHOOSE a \in set : \A b \in set : a <= b

(***************************************************************************)
(* A log: history[o + 1] is the epoch that wrote offset o, whether its     *)
(* record is still there or not; kept are the offsets whose records are.   *)
(***************************************************************************)
Histories ==
    {h \in UNION {[1 .. n -> 1 .. MaxEpoch] : n \in 0 .. MaxOffset} :
        \A i \in 1 .. Len(h) - 1 : h[i] <= h[i + 1]}

\* How far two logs were written by the same leaders.
Shared(one, other) ==
    LET agree(n) == \A i \in 1 .. n : one[i] = other[i]
    IN  CHOOSE n \in 0 .. Min(Len(one), Len(other)) :
            /\ agree(n)
            /\ \A m \in n + 1 .. Min(Len(one), Len(other)) : ~agree(m)

\* One leader wrote an epoch, after one log: what two logs have of an epoch they share with all before it.
FromOneProtocol(one, other) ==
    \A i \in 1 .. Len(one), j \in 1 .. Len(other) :
        one[i] = other[j] => Min(i, j) <= Shared(one, other)

\* The cache of a log whose owner has appended the records at these offsets.
CacheOf(h, seen) ==
    LET firsts == {o \in seen : \A p \in seen : p < o => h[p + 1] # h[o + 1]}
        InOrder[left \in SUBSET firsts] ==
            IF left = {}
            THEN <<>>
            ELSE LET first == SmallestOf(left)
                 IN  <<[epoch |-> h[first + 1], start |-> first]>> \o InOrder[left \ {first}]
    IN  InOrder[firsts]

\* Entries below a new log start go, but for the one that covers it: it begins there now.
TruncateFromStart(cache, start) ==
    LET below == SelectSeq(cache, LAMBDA entry : entry.start <= start)
        above == SelectSeq(cache, LAMBDA entry : entry.start > start)
    IN  IF below = <<>> THEN cache ELSE <<[epoch |-> LatestEpoch(below), start |-> start]>> \o above

\* What a log can have lost: records below the committed offset, some of them before its owner fetched them.  The last
\* record it did fetch, or it would not end there; unless it has only just begun anew at its start.
Logs(h, committed, refilled) ==
    LET below == 0 .. committed - 1
        ends(seen, start) == Len(h) - 1 \in seen \/ (seen = {} /\ start = Len(h))
        gone   == IF Compacts THEN SUBSET below ELSE {{}}
        losses == {l \in [before : IF refilled THEN gone ELSE {{}}, later : gone, start : 0 .. committed] :
                      ends((0 .. Len(h) - 1) \ l.before, l.start)}
    IN  {LET seen == (0 .. Len(h) - 1) \ l.before
             \* Tiered storage moves the start of the records, and not that of the cache.
             cache == CacheOf(h, seen)
         IN  [history |-> h, start |-> l.start, kept |-> seen \ (l.later \cup 0 .. l.start - 1),
              cache |-> IF Tiered THEN cache ELSE TruncateFromStart(cache, l.start)] : l \in losses}

Leo(log) == Len(log.history)

Init ==
    \E lh, fh \in Histories :
        /\ FromOneProtocol(lh, fh)
        /\ \E committed \in 0 .. Len(lh) :
            /\ leader \in
                {[l EXCEPT !.cache = Append(@, [epoch |-> MaxEpoch + 1, start |-> Leo(l)])] : l \in Logs(lh, committed, LeaderRefilled)}
            /\ follower \in Logs(fh, Min(committed, Shared(lh, fh)), TRUE)
        /\ before = follower
        /\ asks = "asking"

(***************************************************************************)
(* The follower asks, and cuts, as in LeaderEpoch: with a question of its  *)
(* own (OffsetsForLeaderEpoch), or by a fetch that says its log's last     *)
(* epoch.                                                                  *)
(***************************************************************************)
EndOf(log, epoch) == EndOffsetFor(Rules.lookup, Rules.guardUndefined, log.cache, Leo(log), epoch)

Asked == EndOf(leader, LatestEpoch(follower.cache))

\* Where the follower cuts, and whether that is all.
Truncation ==
    LET own == EndOf(follower, Asked.epoch)
        end == Leo(follower)
    IN  CASE Asked.endOffset = Undefined \/ own.endOffset = Undefined -> [offset |-> Min(Asked.endOffset, end), done |-> TRUE]
          [] own.epoch # Asked.epoch -> [offset |-> Min(own.endOffset, end), done |-> FALSE]
          [] OTHER -> [offset |-> Min(Min(own.endOffset, Asked.endOffset), end), done |-> TRUE]

Cut(log, offset) ==
    [log EXCEPT !.history = SubSeq(@, 1, offset),
                !.kept    = {o \in @ : o < offset},
                !.start   = Min(@, offset),
                !.cache   = TruncateFromEnd(@, offset)]

Diverges == Asked.epoch < LatestEpoch(follower.cache) \/ Asked.endOffset < Leo(follower)

HasEpochs == follower.cache # <<>>

Ask ==
    /\ asks = "asking"
    /\ HasEpochs
    /\ Rules.truncation = "epochAndOffset"
    /\ follower' = Cut(follower, Truncation.offset)
    /\ asks' = IF Truncation.done THEN "fetching" ELSE "asking"
    /\ UNCHANGED <<leader, before>>

\* A fetch below the leader's start is out of range before anybody looks at epochs (KAFKA-12996).
AskByFetching ==
    /\ asks = "asking"
    /\ HasEpochs
    /\ Rules.truncation = "insideFetch"
    /\ IF Leo(follower) >= leader.start /\ Diverges
       THEN follower' = Cut(follower, Truncation.offset) /\ UNCHANGED asks
       ELSE asks' = "fetching" /\ UNCHANGED follower
    /\ UNCHANGED <<leader, before>>

\* Who knows no epoch goes back to its own high watermark: here to the start of its log, which is no further.
CutUnasked ==
    /\ asks = "asking"
    /\ ~HasEpochs
    /\ follower' = Cut(follower, follower.start)
    /\ asks' = "fetching"
    /\ UNCHANGED <<leader, before>>

\* The rest of the leader's log as it is now.
Fetched(log) ==
    LET new == {o \in leader.kept : o >= Leo(log)}
        RECURSIVE After(_, _)
        After(cache, left) ==
            IF left = {}
            THEN cache
            ELSE LET o == SmallestOf(left)
                 IN  After(Assign(Rules.assign, cache, leader.history[o + 1], o), left \ {o})
    IN  [history |-> log.history \o SubSeq(leader.history, Leo(log) + 1, Leo(leader)),
         start   |-> log.start,
         kept    |-> log.kept \cup new,
         cache   |-> After(log.cache, new)]

\* What a follower has below its leader's start goes.
From(log, start) ==
    [log EXCEPT !.start = Max(@, start), !.kept = {o \in @ : o >= start}, !.cache = TruncateFromStart(@, start)]

\* A follower that ends below its leader's start has to begin anew there (KAFKA-9491); with tiered storage it fetches the epochs
\* of what is below.
BeginAt(start) ==
    [history |-> SubSeq(leader.history, 1, start), start |-> start, kept |-> {},
     cache |-> IF Tiered THEN TruncateFromEnd(leader.cache, start) ELSE <<>>]

Fetch ==
    /\ asks = "fetching"
    /\ follower' = IF Leo(follower) < leader.start
                   THEN Fetched(BeginAt(leader.start))
                   ELSE IF Tiered THEN Fetched(follower) ELSE From(Fetched(follower), leader.start)
    /\ asks' = "inSync"
    /\ UNCHANGED <<leader, before>>

\* It will have to ask again.
AsksAgain ==
    /\ asks = "asking"
    /\ HasEpochs
    /\ CASE Rules.truncation = "epochAndOffset" -> ~Truncation.done
         [] Rules.truncation = "insideFetch"    -> Leo(follower) >= leader.start /\ Diverges

Next == Ask \/ AskByFetching \/ CutUnasked \/ Fetch

(***************************************************************************)
(* What must hold.                                                         *)
(***************************************************************************)

\* Records of the follower that its leader's log never had, at or above the leader's start.
OfItsOwn ==
    {o \in follower.kept : o >= leader.start /\ (o >= Leo(leader) \/ follower.history[o + 1] # leader.history[o + 1])}

\* Never too little: once it fetches, it has none.
KeepsNothingOfItsOwn == asks # "asking" => OfItsOwn = {}

\* Where the leader itself was filled from a compacted log there may be some, but only where the leader has nothing.
KeepsItsOwnOnlyInGaps == asks # "asking" => \A o \in OfItsOwn : o < Leo(leader) /\ o \notin leader.kept

\* Records that both had, and that the follower has cut all the same.
CutInVain == {o \in before.kept \ follower.kept : o < Shared(leader.history, before.history)}

\* Never too much: such a record is none that the leader still has.
CutsOnlyWhatIsGone == asks = "fetching" => CutInVain \cap leader.kept = {}

\* In the end it has what both had and the leader still has, and its cache says of each record which epoch wrote it.
AllIsWellInTheEnd ==
    asks = "inSync" =>
        /\ \A o \in before.kept \cap leader.kept : o >= follower.start => o \in follower.kept
        /\ \A o \in follower.kept : EpochAt(follower.cache, o) = follower.history[o + 1]

\* No round is asked in vain.
RoundsProgress ==
    AsksAgain => Cut(follower, Truncation.offset) # follower

TypeOk ==
    /\ asks \in {"asking", "fetching", "inSync"}
    /\ \A log \in {leader, follower} :
        log.history \in Seq(1 .. MaxEpoch) /\ log.kept \subseteq log.start .. Leo(log) - 1 /\ Increasing(log.cache)

(***************************************************************************)
(* No vacuous success: see MC.                                             *)
(***************************************************************************)
Sights ==
    <<"CutsGoneRecords",   \* the follower has cut records that both had, and that only the leader had lost
      "MissesAnEpoch",     \* the leader's cache has no entry of an epoch that both had
      "KeepsItsOwn",       \* the follower keeps a record that its leader's log never had
      "SecondRound",       \* one answer is not enough
      "BelowFirstEntry",   \* the follower asks for an epoch below the leader's first entry
      "BelowStart",        \* after the cut the follower ends below the leader's start
      "EpochOfRemoteRecords">> \* the answer is about records that are only remote

Interesting(sight) ==
    CASE sight = "CutsGoneRecords" -> asks = "fetching" /\ CutInVain # {}
      [] sight = "MissesAnEpoch"   -> \E i \in 1 .. Shared(leader.history, before.history) :
                                          \A j \in DOMAIN leader.cache : leader.cache[j].epoch # leader.history[i]
      [] sight = "KeepsItsOwn"     -> asks = "inSync" /\ OfItsOwn # {}
      [] sight = "SecondRound"     -> AsksAgain
      [] sight = "BelowFirstEntry" -> asks = "asking" /\ HasEpochs /\ LatestEpoch(follower.cache) < leader.cache[1].epoch
      [] sight = "BelowStart"      -> asks = "fetching" /\ Leo(follower) < leader.start
      [] sight = "EpochOfRemoteRecords" -> asks = "asking" /\ HasEpochs /\ Asked.endOffset \in 1 .. leader.start - 1

ASSUME Watch \subseteq {Sights[i] : i \in DOMAIN Sights}
ASSUME \A i \in DOMAIN Sights : TLCSet(i, FALSE)

Watched ==
    \A i \in DOMAIN Sights :
        Sights[i] \in Watch /\ ~TLCGet(i) /\ Interesting(Sights[i])
            => PrintT(<<"reached", Sights[i]>>) /\ TLCSet(i, TRUE)
=============================================================================
