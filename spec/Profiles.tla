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
(*                   the leader's whole log.                               *)
(*   hwNeedsMinIsr   the high watermark waits while the ISR is smaller     *)
(*                   than min.insync.replicas (KIP-966).                   *)
(*   outOfRange      a follower that is ahead of its leader's log end cuts *)
(*                   to it, or halts (unclean election disabled).          *)
(*                                                                         *)
(* What can matter was read in Kafka's sources at the release's tag, and   *)
(* for 1.1.0, 1.1.1, 2.0.0, 2.0.1 and 4.4.0 held against its running code. *)
(***************************************************************************)

\* Up to 0.10.2: ReplicaManager.makeFollowers truncates to the high watermark.  Records carry no epoch.
Kafka_0_10_2 ==
    [truncation       |-> "highWatermark",
     truncateWhen     |-> "leaderChanged",
     asksWithoutEpoch |-> FALSE,
     epochCache       |-> FALSE,
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
     hwNeedsMinIsr    |-> FALSE]

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

\* KIP-320: Partition.checkCurrentLeaderEpoch.
Kafka_2_1 ==
    [Kafka_2_0_1 EXCEPT !.truncateWhen      = "epochChanged",
                        !.asksWithoutEpoch  = FALSE,
                        !.fenced            = TRUE,
                        !.forgetsOutOfRange = FALSE]

\* With KAFKA-10706 mended and the high watermark bounded by the log end: the last release whose followers ask before
\* they fetch, for 2.8 truncates inside Fetch.
Kafka_2_7 ==
    [Kafka_2_1 EXCEPT !.clearsAtEnd = TRUE,
                      !.lowersHw    = TRUE]

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

\* As far as is modelled here: eligible leader replicas are not.  keepsCaughtUp was seen on 4.4.0; it is older, and since
\* when was not looked for.
Kafka_4_4 == [Kafka_3_9 EXCEPT !.keepsCaughtUp = TRUE]

(***************************************************************************)
(* Each rule by itself: all else as in the last sound profile, so that     *)
(* what goes wrong is the rule's own doing.                                *)
(***************************************************************************)

OwnHighWatermark == [Kafka_2_7 EXCEPT !.truncation = "highWatermark", !.fenced = FALSE, !.epochCache = FALSE]
Kip101           == [Kafka_2_7 EXCEPT !.truncation = "offsetOnly", !.lookup = "offsetOnly", !.fenced = FALSE]
Kip279           == [Kafka_2_7 EXCEPT !.fenced = FALSE]
Kip320           == Kafka_2_7

\* Every replica alike.
All(profile, replicas) == [r \in replicas |-> profile]
=============================================================================
