/** What a Kafka release does. It belongs to a replica, not to the cluster: while a cluster is upgraded, releases mix. */
export interface Profile {
  /**
   * What a new follower cuts its log to before it fetches: its own high watermark; the leader's answer to
   * OffsetsForLeaderEpoch taken as an offset only (KIP-101); or with its epoch, in as many rounds as it takes (KIP-279).
   * Since 2.8 it fetches at once, and a reply tells where the logs part (KAFKA-10554).
   */
  readonly truncation: 'highWatermark' | 'offsetOnly' | 'epochAndOffset' | 'insideFetch';
  /** What makes a new follower: another leader; also a missed epoch (KAFKA-7164); or any new epoch (KIP-320). */
  readonly truncateWhen: 'leaderChanged' | 'epochSkipped' | 'epochChanged';
  /** A follower with an empty epoch cache asks all the same. */
  readonly asksWithoutEpoch: boolean;
  /** Epochs are recorded at all. */
  readonly epochCache: boolean;
  /** Records carry their epoch: from message format v2 on (0.11), which an upgraded broker may not use yet. */
  readonly recordsCarryEpoch: boolean;
  /** The epoch cache survives a restart. */
  readonly cacheOnDisk: boolean;
  /** When a truncation reaches the epoch file (KAFKA-15046). */
  readonly epochFile: 'atOnce' | 'later';
  /** How an epoch's end is looked up, by the leader and by the follower: see `endOffsetFor`. */
  readonly lookup: 'offsetOnly' | 'nextHigher' | 'floorEpoch' | 'floorOrFirstStart' | 'logEnd' | 'highWatermark';
  /** The undefined epoch has no end, even in an empty cache (KAFKA-6857). */
  readonly guardUndefined: boolean;
  /** What becomes of a cache entry that does not advance epoch and offset: see `assign`. */
  readonly assign: 'ignore' | 'replace';
  /** A leader notes its epoch when elected, not with its first record (KAFKA-7415). */
  readonly entryOnElection: boolean;
  /** Truncation drops cache entries at the log end offset even if it cuts no record (KAFKA-10706). */
  readonly clearsAtEnd: boolean;
  /** Truncation below the high watermark lowers it. */
  readonly lowersHw: boolean;
  /** Requests carry the sender's leader epoch, and a leader in another epoch refuses them (KIP-320). */
  readonly fenced: boolean;
  /** How far a follower must be to join the ISR: the leader's HW, or also the start of its epoch (KAFKA-7128). */
  readonly isrJoin: 'highWatermark' | 'epochStart';
  /** A follower ahead of its leader's log end halts (unclean election disabled), or cuts to it (KAFKA-7414). */
  readonly outOfRange: 'halt' | 'truncate';
  /** A Fetch reply carries the high watermark that this very fetch has moved (KAFKA-5758, undone by KAFKA-7104). */
  readonly countsBeforeReply: boolean;
  /** A leader that answers "out of range" forgets how far the follower was: up to 2.3. */
  readonly forgetsOutOfRange: boolean;
  /** The leader counts the fetch offset of a follower that it tells to cut (KAFKA-13141). */
  readonly countsDiverging: boolean;
  /** A follower that is told to cut takes the leader's high watermark first (KAFKA-14704). */
  readonly hwBeforeTruncation: boolean;
  /** A silent follower stays in the ISR as long as it has the leader's whole log. */
  readonly keepsCaughtUp: boolean;
  /** The high watermark waits while the ISR is smaller than min.insync.replicas (KIP-966). */
  readonly hwNeedsMinIsr: boolean;
  /** The leader's high watermark waits until the followers know it: the first of the fixes that KIP-101 weighed. */
  readonly hwWaitsForFollowers: boolean;
  /** The leader asks the controller for another ISR, and hears of it later (KIP-497). */
  readonly asksForIsr: boolean;
  /** Whom its high watermark waits for meanwhile. */
  readonly countsForHw: 'eitherIsr' | 'confirmedIsr' | 'proposedIsr';
  /** Whether it looks at its high watermark when the answer comes (KAFKA-13091). */
  readonly hwOnIsrReply: boolean;
  /** Whether the controller holds the broker epoch of who joins against the one it has now (KIP-903). */
  readonly checksBrokerEpoch: boolean;
  /**
   * What becomes of a reply that comes when its follower has heard of another epoch, of the same leader, since it asked: it
   * is ignored; or an answer about epochs is taken (KAFKA-7786); or records are (KAFKA-18723).
   */
  readonly lateReplies: 'ignored' | 'answers' | 'records';
}

/** ReplicaManager.makeFollowers truncates to the high watermark. Records carry no epoch. */
const kafka_0_10_2: Profile = {
  truncation: 'highWatermark',
  truncateWhen: 'leaderChanged',
  asksWithoutEpoch: false,
  epochCache: false,
  recordsCarryEpoch: true,
  cacheOnDisk: true,
  epochFile: 'atOnce',
  lookup: 'offsetOnly',
  guardUndefined: true,
  assign: 'ignore',
  entryOnElection: false,
  clearsAtEnd: true,
  lowersHw: false,
  fenced: false,
  isrJoin: 'highWatermark',
  outOfRange: 'halt',
  countsBeforeReply: false,
  forgetsOutOfRange: true,
  countsDiverging: false,
  hwBeforeTruncation: false,
  keepsCaughtUp: false,
  hwNeedsMinIsr: false,
  hwWaitsForFollowers: false,
  asksForIsr: false,
  countsForHw: 'eitherIsr',
  hwOnIsrReply: true,
  checksBrokerEpoch: true,
  lateReplies: 'ignored',
};

/** KIP-101: AbstractFetcherThread.maybeTruncate, LeaderEpochFileCache. */
const kafka_0_11_0: Profile = { ...kafka_0_10_2, truncation: 'offsetOnly', asksWithoutEpoch: true, epochCache: true };

/** KAFKA-6857 was in 0.11.0.0-2, 1.0.0-1 and 1.1.0, KAFKA-5758 in 1.0.0-1 and 1.1.0. */
const kafka_1_1_0: Profile = { ...kafka_0_11_0, guardUndefined: false, countsBeforeReply: true };

const kafka_1_1_1: Profile = kafka_0_11_0;

/** KIP-279 as first released: AbstractFetcherThread.getOffsetTruncationState. */
const kafka_2_0_0: Profile = { ...kafka_1_1_1, truncation: 'epochAndOffset', lookup: 'floorEpoch' };

/** KAFKA-7415, 7128, 7164 and 7414, in one patch release. */
const kafka_2_0_1: Profile = {
  ...kafka_2_0_0,
  lookup: 'floorOrFirstStart',
  assign: 'replace',
  entryOnElection: true,
  truncateWhen: 'epochSkipped',
  isrJoin: 'epochStart',
  clearsAtEnd: false,
  outOfRange: 'truncate',
};

/**
 * The code of 2.0.1 with inter.broker.protocol.version 1.1, as in the middle of an upgrade: the answer's epoch does not
 * travel, so the follower can only take the offset.
 */
const kafka_2_0_1_as_1_1: Profile = { ...kafka_2_0_1, truncation: 'offsetOnly' };

/** KIP-320: Partition.checkCurrentLeaderEpoch. KAFKA-7152: Partition.getOutOfSyncReplicas. */
const kafka_2_1: Profile = {
  ...kafka_2_0_1,
  truncateWhen: 'epochChanged',
  asksWithoutEpoch: false,
  fenced: true,
  keepsCaughtUp: true,
};

/** KAFKA-10706 mended, the high watermark bounded by the log end. */
const kafka_2_7: Profile = { ...kafka_2_1, clearsAtEnd: true, lowersHw: true, forgetsOutOfRange: false };

/** Truncation inside Fetch, with inter.broker.protocol.version 2.7 or later; the leader counts too much (KAFKA-13141). */
const kafka_2_8_0: Profile = {
  ...kafka_2_7,
  truncation: 'insideFetch',
  countsDiverging: true,
  hwBeforeTruncation: true,
};

/** 2.8.1 and 2.8.2. */
const kafka_2_8: Profile = { ...kafka_2_8_0, countsDiverging: false };

/** KAFKA-14704. */
const kafka_3_5: Profile = { ...kafka_2_8, hwBeforeTruncation: false };

/** KAFKA-15583, since 3.7: Partition.maybeIncrementLeaderHW. */
const kafka_3_9: Profile = { ...kafka_3_5, hwNeedsMinIsr: true };

/** Eligible leader replicas are the controller's. */
const kafka_4_4: Profile = kafka_3_9;

/** Releases in a special state: with log.message.format.version 0.10.2 no cache is ever filled by records. */
const kafka_1_1_0_OldFormat: Profile = { ...kafka_1_1_0, recordsCarryEpoch: false };
const kafka_1_1_1_OldFormat: Profile = { ...kafka_1_1_1, recordsCarryEpoch: false };

/** KAFKA-7786, mended in 2.1.1: AbstractFetcherThread.maybeTruncate takes the answer to the question of an earlier epoch. */
const kafka_2_1_0: Profile = { ...kafka_2_1, lateReplies: 'answers' };

/** KAFKA-7897: entries by elections alone. */
const kafka_2_1_0_OldFormat: Profile = { ...kafka_2_1, recordsCarryEpoch: false };
const kafka_2_1_1_OldFormat: Profile = { ...kafka_2_1_0_OldFormat, epochCache: false };

/** With inter.broker.protocol.version 2.0 requests carry no epoch. */
const kafka_2_1_as_2_0: Profile = { ...kafka_2_1, fenced: false };

/** 2.7.0 and 2.7.1 answer a Fetch of protocol 2.7 as 2.8.0 does (KAFKA-13141), and never send one themselves. */
const kafka_2_7_0: Profile = { ...kafka_2_7, countsDiverging: true };

/** KAFKA-18723, from 2.8 on, not in 3.9.1: a late reply is appended if its offset fits. */
const kafka_2_8_LateReplies: Profile = { ...kafka_3_5, lateReplies: 'records' };

/**
 * Each rule by itself: all else as in the last sound profile, so that what goes wrong is the rule's doing. Whom the leader drops
 * from the ISR is left to it, as before KAFKA-7152: that allows more.
 */
const kip320: Profile = { ...kafka_2_7, keepsCaughtUp: false };
const kip279: Profile = { ...kip320, fenced: false };
const kip101: Profile = { ...kip279, truncation: 'offsetOnly', lookup: 'offsetOnly' };
const ownHighWatermark: Profile = { ...kip279, truncation: 'highWatermark', epochCache: false };
const leaderLogEnd: Profile = { ...kip101, lookup: 'logEnd', asksWithoutEpoch: true, epochCache: false };
const asksForIsr: Profile = { ...kafka_3_5, asksForIsr: true };

/** Releases, releases in a special state, rules by themselves, and each bug by itself: as in spec/Profiles.tla. */
export const profiles = {
  kafka_0_10_2,
  kafka_0_11_0,
  kafka_1_1_0,
  kafka_1_1_1,
  kafka_2_0_0,
  kafka_2_0_1,
  kafka_2_0_1_as_1_1,
  kafka_2_1,
  kafka_2_7,
  kafka_2_8_0,
  kafka_2_8,
  kafka_3_5,
  kafka_3_9,
  kafka_4_4,
  kafka_1_1_0_OldFormat,
  kafka_1_1_1_OldFormat,
  kafka_2_1_0,
  kafka_2_1_0_OldFormat,
  kafka_2_1_1_OldFormat,
  kafka_2_1_as_2_0,
  kafka_2_7_0,
  kafka_2_8_LateReplies,
  ownHighWatermark,
  leaderLogEnd,
  leaderHighWatermark: { ...leaderLogEnd, lookup: 'highWatermark' },
  kip101,
  nextHigherEpoch: { ...kip101, lookup: 'nextHigher' },
  kip279,
  kip320,
  joinAtHighWatermark: { ...kip320, isrJoin: 'highWatermark' },
  truncateOnNewLeader: { ...kip320, truncateWhen: 'leaderChanged' },
  noEntryOnElection: { ...kip320, entryOnElection: false },
  keepsEmptyEpochs: { ...kip320, clearsAtEnd: false },
  ignoresOlderEpochs: { ...kip320, assign: 'ignore', clearsAtEnd: false },
  takesLateAnswers: { ...kip320, lateReplies: 'answers' },
  epochsInMemory: { ...kip320, cacheOnDisk: false },
  delayedHighWatermark: { ...ownHighWatermark, hwWaitsForFollowers: true },
  asksForIsr,
  countsConfirmedIsr: { ...asksForIsr, countsForHw: 'confirmedIsr' },
  countsProposedIsr: { ...asksForIsr, countsForHw: 'proposedIsr' },
  noHwOnIsrReply: { ...asksForIsr, hwOnIsrReply: false },
  anyBrokerEpoch: { ...asksForIsr, checksBrokerEpoch: false },
  flushesEpochsLater: { ...kafka_3_9, epochFile: 'later' },
  hwBelowMinIsr: { ...kafka_4_4, hwNeedsMinIsr: false },
} as const satisfies Record<string, Profile>;

export type ProfileName = keyof typeof profiles;
