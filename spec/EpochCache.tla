----------------------------- MODULE EpochCache -----------------------------
(***************************************************************************)
(* The leader epoch cache of one replica: where in its log each leader's   *)
(* records begin.  It is a sequence of entries [epoch, start], oldest      *)
(* first, kept in the file leader-epoch-checkpoint beside the log.         *)
(*                                                                         *)
(* A replica asks its leader "where does epoch e end in your log?", and    *)
(* both sides answer such questions from this cache alone.  Three answers  *)
(* and two ways to add an entry were released; each is here as it was, for *)
(* the differences between them are where records were lost.  A fourth     *)
(* answer is what common accounts say of KIP-279.                          *)
(*                                                                         *)
(* Source: LeaderEpochFileCache (Kafka), methods assign, endOffsetFor and  *)
(* truncateFromEnd, read at tags 0.11.0.3, 1.1.0, 1.1.1, 2.0.0, 2.0.1 and  *)
(* 2.1.0.  Offsets count from 0; the log end offset (LEO) is the offset    *)
(* that the next record will get.                                          *)
(***************************************************************************)
EXTENDS Integers, Sequences

\* Kafka's UNDEFINED_EPOCH and UNDEFINED_EPOCH_OFFSET, both -1 on the wire.
Undefined == -1

\* What an answer looks like: the epoch it speaks of, and the offset at which that epoch ends.
Answer(epoch, endOffset) == [epoch |-> epoch, endOffset |-> endOffset]

NoAnswer == Answer(Undefined, Undefined)

LatestEpoch(cache) == IF cache = <<>> THEN Undefined ELSE cache[Len(cache)].epoch

(***************************************************************************)
(* Adding an entry.                                                        *)
(***************************************************************************)

\* Entries that come before a new one in both epoch and offset.
Before(cache, epoch, start) ==
    SelectSeq(cache, LAMBDA entry : entry.epoch < epoch /\ entry.start < start)

\* Up to 2.0.0: an entry that does not advance both epoch and offset is ignored, with a warning in the log.
AssignIgnoring(cache, epoch, start) ==
    IF cache = <<>> \/ (epoch > LatestEpoch(cache) /\ start >= cache[Len(cache)].start)
    THEN Append(cache, [epoch |-> epoch, start |-> start])
    ELSE cache

\* From 2.0.1 on (KAFKA-7415): the newest entry wins, what contradicts it goes.
\* A later start of the latest epoch is no news: every record of an epoch but the first one is such a case.
AssignReplacing(cache, epoch, start) ==
    IF cache # <<>> /\ epoch = LatestEpoch(cache) /\ start >= cache[Len(cache)].start
    THEN cache
    ELSE Append(Before(cache, epoch, start), [epoch |-> epoch, start |-> start])

Assign(rule, cache, epoch, start) ==
    CASE rule = "ignore"  -> AssignIgnoring(cache, epoch, start)
      [] rule = "replace" -> AssignReplacing(cache, epoch, start)

\* What recovery after an unclean stop adds: an entry for each record of a higher epoch than the last entry's.
\* Source: LogSegment.recover, 1.0.0; it reads the last segment whole, and logs are of one segment here.
RECURSIVE RecoveredFrom(_, _, _, _)
RecoveredFrom(rule, cache, offset, records) ==
    IF records = <<>>
    THEN cache
    ELSE LET epoch == Head(records).epoch
             next  == IF epoch > LatestEpoch(cache) THEN Assign(rule, cache, epoch, offset) ELSE cache
         IN  RecoveredFrom(rule, next, offset + 1, Tail(records))

Recovered(rule, cache, log) == RecoveredFrom(rule, cache, 0, log)

\* Entries at or past the cut go with the records they described.
TruncateFromEnd(cache, endOffset) ==
    SelectSeq(cache, LAMBDA entry : entry.start < endOffset)

(***************************************************************************)
(* Looking up where an epoch ends.                                         *)
(***************************************************************************)

Higher(cache, epoch)    == SelectSeq(cache, LAMBDA entry : entry.epoch > epoch)
NotHigher(cache, epoch) == SelectSeq(cache, LAMBDA entry : entry.epoch <= epoch)

\* KIP-101 (0.11 to 1.1): an offset without saying whose.  For an epoch that this log never had, the offset is where the
\* next higher epoch begins, which says nothing about the records below it (KAFKA-6361).
EndOffsetOnly(cache, leo, asked) ==
    CASE asked = LatestEpoch(cache)    -> Answer(Undefined, leo)
      [] Higher(cache, asked) = <<>>   -> NoAnswer
      [] asked < cache[1].epoch        -> NoAnswer
      [] OTHER                         -> Answer(Undefined, Higher(cache, asked)[1].start)

\* The common wording of KIP-279: the start of the first epoch that is higher than the asked one.  KIP-101's code did that
\* already, but for an epoch below its first entry; so this mends the emptied leader, and not the fast leader change.
StartOfNextHigher(cache, leo, asked) ==
    CASE asked = LatestEpoch(cache)    -> Answer(Undefined, leo)
      [] Higher(cache, asked) = <<>>   -> NoAnswer
      [] OTHER                         -> Answer(Undefined, Higher(cache, asked)[1].start)

\* KIP-279 as first released (2.0.0): the answer names the largest epoch not above the asked one.  Nothing is known of
\* an epoch below the first entry.
EndOfFloorEpoch(cache, leo, asked) ==
    CASE asked = LatestEpoch(cache)    -> Answer(asked, leo)
      [] Higher(cache, asked) = <<>>   -> NoAnswer
      [] NotHigher(cache, asked) = <<>> -> NoAnswer
      [] OTHER -> LET floor == NotHigher(cache, asked)
                  IN  Answer(floor[Len(floor)].epoch, Higher(cache, asked)[1].start)

\* KIP-279 since 2.0.1 (KAFKA-7415): an epoch below the first entry ended before the first entry began.
EndOfFloorEpochOrFirstStart(cache, leo, asked) ==
    IF cache # <<>> /\ asked < cache[1].epoch
    THEN Answer(asked, cache[1].start)
    ELSE EndOfFloorEpoch(cache, leo, asked)

\* A follower without any entry asks for the undefined epoch.  Before KAFKA-6857 was mended, a leader that had no entry
\* either found the two to be the same epoch and answered with its log end offset.
EndOffsetFor(rule, guardUndefined, cache, leo, asked) ==
    IF asked = Undefined /\ (guardUndefined \/ cache # <<>>)
    THEN NoAnswer
    ELSE CASE rule = "offsetOnly"       -> EndOffsetOnly(cache, leo, asked)
           [] rule = "nextHigher"       -> StartOfNextHigher(cache, leo, asked)
           [] rule = "floorEpoch"       -> EndOfFloorEpoch(cache, leo, asked)
           [] rule = "floorOrFirstStart" -> EndOfFloorEpochOrFirstStart(cache, leo, asked)

(***************************************************************************)
(* What makes a cache right for a log.                                     *)
(***************************************************************************)

\* The epoch that the cache gives to an offset.
EpochAt(cache, offset) ==
    LET covering == SelectSeq(cache, LAMBDA entry : entry.start <= offset)
    IN  LatestEpoch(covering)

Increasing(cache) ==
    \A i \in 1 .. Len(cache) - 1 :
        cache[i].epoch < cache[i + 1].epoch /\ cache[i].start <= cache[i + 1].start

\* Every record is given the epoch that wrote it.  An entry past the last record is a leader's that has yet to write.
Describes(cache, log) ==
    /\ Increasing(cache)
    /\ \A i \in 1 .. Len(log) : EpochAt(cache, i - 1) = log[i].epoch
=============================================================================
