------------------------------ MODULE Profiles ------------------------------
(***************************************************************************)
(* What a Kafka release does, as a record of switches.                     *)
(*                                                                         *)
(* A profile belongs to one replica, not to the cluster: while a cluster   *)
(* is being upgraded, its replicas follow different rules.                 *)
(*                                                                         *)
(*   truncation      what a new follower cuts its log to, before it        *)
(*                   fetches: its own high watermark; the leader's answer  *)
(*                   to OffsetsForLeaderEpoch taken as an offset only      *)
(*                   (KIP-101); or the answer's epoch as well, in as many  *)
(*                   rounds as it takes (KIP-279).  Since 2.8 it fetches   *)
(*                   at once, and a reply tells where the logs part        *)
(*                   (KAFKA-10554).                                        *)
(*   truncateWhen    what makes it a new follower: another leader than     *)
(*                   before; also when it missed an epoch (KAFKA-7164);    *)
(*                   or any new epoch (KIP-320).                           *)
(*   asksWithoutEpoch  a follower with an empty cache asks all the same.   *)
(*   epochCache      epochs are recorded at all.                           *)
(*   recordsCarryEpoch  records carry their epoch: from message format v2  *)
(*                   on (0.11), which an upgraded broker may not use yet.  *)
(*   cacheOnDisk     the epoch cache survives a restart.                   *)
(*   epochFile       when a truncation reaches the epoch file: at once, or *)
(*                   later (KAFKA-15046).                                  *)
(*   lookup, guardUndefined, assign   see EpochCache.                      *)
(*   entryOnElection the leader notes its epoch when elected, not with its *)
(*                   first record (KAFKA-7415).                            *)
(*   clearsAtEnd     truncation drops cache entries at the log end offset  *)
(*                   even if it cuts no record (KAFKA-10706).              *)
(*   lowersHw        truncation below the high watermark lowers it.        *)
(*   fenced          requests carry the epoch of the sender's leader, and  *)
(*                   a leader of another epoch refuses them (KIP-320).     *)
(*   isrJoin         how far a follower must be to join the ISR: the       *)
(*                   leader's high watermark, or also the offset where the *)
(*                   leader's epoch starts (KAFKA-7128).                   *)
(*   countsBeforeReply  a Fetch reply carries the high watermark that this *)
(*                   very fetch has moved (KAFKA-5758).                    *)
(*   forgetsOutOfRange  a leader that answers "out of range" forgets how   *)
(*                   far the follower was.                                 *)
(*   countsDiverging the leader counts the fetch offset of a follower that *)
(*                   it tells to cut (KAFKA-13141).                        *)
(*   hwBeforeTruncation  a follower that is told to cut takes the leader's *)
(*                   high watermark first (KAFKA-14704).                   *)
(*   keepsCaughtUp   a silent follower stays in the ISR as long as it has  *)
(*                   the leader's whole log (KAFKA-7152).                  *)
(*   hwNeedsMinIsr   the high watermark waits while the ISR is smaller     *)
(*                   than min.insync.replicas (KIP-966).                   *)
(*   hwWaitsForFollowers  the leader's high watermark waits until the      *)
(*                   followers know it: the first of the fixes that        *)
(*                   KIP-101 weighed.                                      *)
(*   asksForIsr      the leader asks the controller for another ISR, and   *)
(*                   hears of it later (KIP-497); then                     *)
(*   countsForHw     says whom its high watermark waits for meanwhile,     *)
(*   hwOnIsrReply    whether it looks at it when the answer comes          *)
(*                   (KAFKA-13091), and                                    *)
(*   checksBrokerEpoch  whether the controller holds the broker epoch of   *)
(*                   who joins against the one it has now (KIP-903).       *)
(*   lateReplies     what becomes of a reply that comes when its follower  *)
(*                   has heard of another epoch, of the same leader, since *)
(*                   it asked: it is ignored; or an answer about epochs is *)
(*                   taken (KAFKA-7786); or records are (KAFKA-18723).     *)
(*   outOfRange      a follower that is ahead of its leader's log end cuts *)
(*                   to it, or halts (unclean election disabled).          *)
(*                                                                         *)
(* What can matter was read in Kafka's sources at the release's tag, and   *)
(* for ten releases held against their running code (docs/real-kafka.md).  *)
(***************************************************************************)

\* Up to 0.10.2: ReplicaManager.makeFollowers truncates to the high watermark.  Records carry no epoch.
Kafka_0_10_2 ==
    [truncation       |-> "highWatermark",
     truncateWhen     |-> "leaderChanged",
     asksWithoutEpoch |-> FALSE,
     epochCache       |-> FALSE,
     recordsCarryEpoch |-> TRUE,
     cacheOnDisk      |-> TRUE,
     epochFile        |-> "atOnce",
     lookup           |-> "offsetOnly",
     guardUndefined   |-> TRUE,
     assign           |-> "ignore",
     entryOnElection  |-> FALSE,
     clearsAtEnd      |-> TRUE,
     lowersHw         |-> FALSE,
     fenced           |-> FALSE,
     isrJoin          |-> "highWatermark",
     outOfRange       |-> "halt",
     countsBeforeReply |-> FALSE,
     forgetsOutOfRange |-> TRUE,
     countsDiverging  |-> FALSE,
     hwBeforeTruncation |-> FALSE,
     keepsCaughtUp    |-> FALSE,
     hwNeedsMinIsr    |-> FALSE,
     hwWaitsForFollowers |-> FALSE,
     asksForIsr       |-> FALSE,
     countsForHw      |-> "eitherIsr",
     hwOnIsrReply     |-> TRUE,
     checksBrokerEpoch |-> TRUE,
     lateReplies      |-> "ignored"]

\* KIP-101, as in 0.11.0.3: AbstractFetcherThread.maybeTruncate, ReplicaFetcherThread.maybeTruncate, LeaderEpochFileCache.endOffsetFor.
Kafka_0_11_0 ==
    [Kafka_0_10_2 EXCEPT !.truncation       = "offsetOnly",
                         !.asksWithoutEpoch = TRUE,
                         !.epochCache       = TRUE]

\* KAFKA-6857: the question for the undefined epoch was answered with the log end offset, until 0.11.0.3, 1.0.2, 1.1.1.
\* KAFKA-5758: replies carried the newest high watermark, until KAFKA-7104 (1.0.2, 1.1.1).
Kafka_1_1_0 == [Kafka_0_11_0 EXCEPT !.guardUndefined = FALSE, !.countsBeforeReply = TRUE]

Kafka_1_1_1 == Kafka_0_11_0

\* KIP-279 as first released: AbstractFetcherThread.getOffsetTruncationState.
Kafka_2_0_0 ==
    [Kafka_1_1_1 EXCEPT !.truncation = "epochAndOffset",
                        !.lookup     = "floorEpoch"]

\* KAFKA-7415, 7128, 7164 and 7414, in one patch release.
Kafka_2_0_1 ==
    [Kafka_2_0_0 EXCEPT !.lookup          = "floorOrFirstStart",
                        !.assign          = "replace",
                        !.entryOnElection = TRUE,
                        !.truncateWhen    = "epochSkipped",
                        !.isrJoin         = "epochStart",
                        !.clearsAtEnd     = FALSE,
                        !.outOfRange      = "truncate"]

\* The code of 2.0.1 with inter.broker.protocol.version 1.1, as in the middle of an upgrade: the answer's epoch does not
\* travel, so the follower can only take the offset.
Kafka_2_0_1_as_1_1 == [Kafka_2_0_1 EXCEPT !.truncation = "offsetOnly"]

\* KIP-320: Partition.checkCurrentLeaderEpoch.  KAFKA-7152: Partition.getOutOfSyncReplicas, isFollowerOutOfSync since 2.4.
Kafka_2_1 ==
    [Kafka_2_0_1 EXCEPT !.truncateWhen      = "epochChanged",
                        !.asksWithoutEpoch  = FALSE,
                        !.fenced            = TRUE,
                        !.keepsCaughtUp     = TRUE]

\* With KAFKA-10706 mended and the high watermark bounded by the log end: the last release whose followers ask before
\* they fetch, for 2.8 truncates inside Fetch.  Since 2.4 a fetch that is
\* out of range changes nothing: ReplicaManager.updateFollowerFetchState.
Kafka_2_7 ==
    [Kafka_2_1 EXCEPT !.clearsAtEnd       = TRUE,
                      !.lowersHw          = TRUE,
                      !.forgetsOutOfRange = FALSE]

\* Truncation inside Fetch, with inter.broker.protocol.version 2.7 or later; the leader counts too much (KAFKA-13141).
Kafka_2_8_0 ==
    [Kafka_2_7 EXCEPT !.truncation         = "insideFetch",
                      !.countsDiverging    = TRUE,
                      !.hwBeforeTruncation = TRUE]

\* 2.8.1 and 2.8.2.
Kafka_2_8 == [Kafka_2_8_0 EXCEPT !.countsDiverging = FALSE]

\* KAFKA-14704: 3.4.1 and 3.5 to 3.6.
Kafka_3_5 == [Kafka_2_8 EXCEPT !.hwBeforeTruncation = FALSE]

\* KAFKA-15583, 3.7 to 3.9: Partition.maybeIncrementLeaderHW.
Kafka_3_9 == [Kafka_3_5 EXCEPT !.hwNeedsMinIsr = TRUE]

\* Eligible leader replicas are the controller's: see EligibleLeaders in LeaderEpoch.
Kafka_4_4 == Kafka_3_9

(***************************************************************************)
(* Releases in a special state: an older message format, an older protocol *)
(* in the middle of an upgrade, one more bug.                              *)
(***************************************************************************)

\* With log.message.format.version 0.10.2 no cache is ever filled, and followers ask for the undefined epoch (KAFKA-6857).
Kafka_1_1_0_OldFormat == [Kafka_1_1_0 EXCEPT !.recordsCarryEpoch = FALSE]
Kafka_1_1_1_OldFormat == [Kafka_1_1_1 EXCEPT !.recordsCarryEpoch = FALSE]

\* KAFKA-7786: a reply to the question of an earlier epoch is taken.  Mended in 2.1.1, which is Kafka_2_1.
\* Source: AbstractFetcherThread.maybeTruncate, 2.1.0.
Kafka_2_1_0 == [Kafka_2_1 EXCEPT !.lateReplies = "answers"]

\* KAFKA-7897: entries by elections alone.  Since 2.1.1 there is no cache while the format is old.
\* Source: Partition.makeLeader, 2.1.0.
Kafka_2_1_0_OldFormat == [Kafka_2_1 EXCEPT !.recordsCarryEpoch = FALSE]
Kafka_2_1_1_OldFormat == [Kafka_2_1 EXCEPT !.recordsCarryEpoch = FALSE, !.epochCache = FALSE]

\* 2.1 with inter.broker.protocol.version 2.0: requests carry no epoch, so nobody is fenced.
Kafka_2_1_as_2_0 == [Kafka_2_1 EXCEPT !.fenced = FALSE]

\* 2.7.0 and 2.7.1 answer a Fetch of protocol 2.7 as 2.8.0 does (KAFKA-13141), and never send one themselves.
Kafka_2_7_0 == [Kafka_2_7 EXCEPT !.countsDiverging = TRUE]

\* KAFKA-18723, from 2.8 on, not in 3.9.1: there is no truncating state any more in which a late reply would be ignored.  The
\* profiles of the releases leave it out, so that what else they do can be seen.
\* Source: AbstractFetcherThread.processFetchRequest, 2.8.0: it compares the offset.
Kafka_2_8_LateReplies == [Kafka_3_5 EXCEPT !.lateReplies = "records"]

(***************************************************************************)
(* Each rule by itself: all else as in the last sound profile, so that     *)
(* what goes wrong is the rule's own doing.                                *)
(***************************************************************************)

\* Whom the leader drops from the ISR is left to it, as before KAFKA-7152: that allows more.
Kip320           == [Kafka_2_7 EXCEPT !.keepsCaughtUp = FALSE]
Kip279           == [Kip320 EXCEPT !.fenced = FALSE]
Kip101           == [Kip279 EXCEPT !.truncation = "offsetOnly", !.lookup = "offsetOnly"]
OwnHighWatermark == [Kip279 EXCEPT !.truncation = "highWatermark", !.epochCache = FALSE]

\* Two rules without epochs, in which the leader is asked all the same: where its log ends (the second of the fixes that
\* KIP-101 weighed), and what its high watermark is.
LeaderLogEnd        == [Kip101 EXCEPT !.lookup = "logEnd", !.asksWithoutEpoch = TRUE, !.epochCache = FALSE]
LeaderHighWatermark == [LeaderLogEnd EXCEPT !.lookup = "highWatermark"]

\* The common wording of KIP-279.
NextHigherEpoch  == [Kip101 EXCEPT !.lookup = "nextHigher"]

(***************************************************************************)
(* Each bug by itself: the last sound rule with one switch turned back.    *)
(***************************************************************************)

\* KAFKA-7128, KAFKA-7164, KAFKA-7415, KAFKA-10706.
JoinAtHighWatermark == [Kip320 EXCEPT !.isrJoin = "highWatermark"]
TruncateOnNewLeader == [Kip320 EXCEPT !.truncateWhen = "leaderChanged"]
NoEntryOnElection   == [Kip320 EXCEPT !.entryOnElection = FALSE]
KeepsEmptyEpochs    == [Kip320 EXCEPT !.clearsAtEnd = FALSE]

\* KAFKA-7415 mended two things at once.  With one of them alone, which was never released, an epoch that a leader noted and
\* never used stands in the way of the records that a later leader sends.
IgnoresOlderEpochs  == [Kip320 EXCEPT !.assign = "ignore", !.clearsAtEnd = FALSE]

\* KAFKA-7786.
TakesLateAnswers    == [Kip320 EXCEPT !.lateReplies = "answers"]

\* The first fix that KIP-101 weighed: the leader's high watermark moves one round after its followers'.
DelayedHighWatermark == [OwnHighWatermark EXCEPT !.hwWaitsForFollowers = TRUE]

\* Changes of the ISR as requests to the controller: as it should be, two ways to count that KIP-497 warns of, and two bugs
\* (KAFKA-13091 up to 3.0, KAFKA-14139 up to 3.4).
AsksForIsr         == [Kafka_3_5 EXCEPT !.asksForIsr = TRUE]
CountsConfirmedIsr == [AsksForIsr EXCEPT !.countsForHw = "confirmedIsr"]
CountsProposedIsr  == [AsksForIsr EXCEPT !.countsForHw = "proposedIsr"]
NoHwOnIsrReply     == [AsksForIsr EXCEPT !.hwOnIsrReply = FALSE]
AnyBrokerEpoch     == [AsksForIsr EXCEPT !.checksBrokerEpoch = FALSE]

\* KAFKA-15046, 3.8 and later.
FlushesEpochsLater == [Kafka_3_9 EXCEPT !.epochFile = "later"]

\* Eligible leader replicas would be worth little if the high watermark moved below min.insync.replicas.
HwBelowMinIsr      == [Kafka_4_4 EXCEPT !.hwNeedsMinIsr = FALSE]

\* Would it do to keep epochs in memory?
EpochsInMemory      == [Kip320 EXCEPT !.cacheOnDisk = FALSE]

(***************************************************************************)
(* All of them, by name.                                                   *)
(***************************************************************************)
Profiles ==
    [Kafka_0_10_2 |-> Kafka_0_10_2, Kafka_0_11_0 |-> Kafka_0_11_0, Kafka_1_1_0 |-> Kafka_1_1_0,
     Kafka_1_1_1 |-> Kafka_1_1_1, Kafka_2_0_0 |-> Kafka_2_0_0, Kafka_2_0_1 |-> Kafka_2_0_1,
     Kafka_2_0_1_as_1_1 |-> Kafka_2_0_1_as_1_1, Kafka_2_1 |-> Kafka_2_1, Kafka_2_7 |-> Kafka_2_7,
     Kafka_2_8_0 |-> Kafka_2_8_0, Kafka_2_8 |-> Kafka_2_8, Kafka_3_5 |-> Kafka_3_5, Kafka_3_9 |-> Kafka_3_9,
     Kafka_4_4 |-> Kafka_4_4,
     Kafka_1_1_0_OldFormat |-> Kafka_1_1_0_OldFormat, Kafka_1_1_1_OldFormat |-> Kafka_1_1_1_OldFormat,
     Kafka_2_1_0 |-> Kafka_2_1_0, Kafka_2_1_0_OldFormat |-> Kafka_2_1_0_OldFormat,
     Kafka_2_1_1_OldFormat |-> Kafka_2_1_1_OldFormat, Kafka_2_1_as_2_0 |-> Kafka_2_1_as_2_0,
     Kafka_2_7_0 |-> Kafka_2_7_0, Kafka_2_8_LateReplies |-> Kafka_2_8_LateReplies,
     OwnHighWatermark |-> OwnHighWatermark, LeaderLogEnd |-> LeaderLogEnd, LeaderHighWatermark |-> LeaderHighWatermark,
     Kip101 |-> Kip101, NextHigherEpoch |-> NextHigherEpoch, Kip279 |-> Kip279, Kip320 |-> Kip320,
     JoinAtHighWatermark |-> JoinAtHighWatermark, TruncateOnNewLeader |-> TruncateOnNewLeader,
     NoEntryOnElection |-> NoEntryOnElection, KeepsEmptyEpochs |-> KeepsEmptyEpochs, IgnoresOlderEpochs |-> IgnoresOlderEpochs,
     TakesLateAnswers |-> TakesLateAnswers, EpochsInMemory |-> EpochsInMemory, DelayedHighWatermark |-> DelayedHighWatermark,
     AsksForIsr |-> AsksForIsr, CountsConfirmedIsr |-> CountsConfirmedIsr, CountsProposedIsr |-> CountsProposedIsr,
     NoHwOnIsrReply |-> NoHwOnIsrReply, AnyBrokerEpoch |-> AnyBrokerEpoch, FlushesEpochsLater |-> FlushesEpochsLater,
     HwBelowMinIsr |-> HwBelowMinIsr]
=============================================================================
