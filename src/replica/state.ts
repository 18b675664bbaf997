/**
 * The whole state of a cluster as plain data, which JSON can carry. The lists in it, `remoteLeo`, and whatever has
 * `readonly` fields are values: a step replaces them and never changes them in place, so copies may share them. Sets are
 * lists in ascending order, the network is in order of its followers.
 */
import type { EpochCache } from './epoch-cache.ts';
import type { Message } from './messages.ts';

/** A broker's name. The partition has one replica on each, so it names the replica too. */
export type ReplicaId = string;

/** In place of a leader, for a partition that has none. */
export const NO_ONE = 'none';

export interface LogRecord {
  /** Unique: given by the client. Stands for the record's content. */
  readonly id: number;
  /** The leader epoch in which it was appended (partitionLeaderEpoch of its batch). */
  readonly epoch: number;
}

/** What a replica keeps on disk. */
export interface Disk {
  /** The record at offset o is `log[o]`; the log end offset is `log.length`. */
  log: readonly LogRecord[];
  /** How many records of the log would survive a loss of power. */
  flushed: number;
  epochCache: EpochCache;
  /** The file leader-epoch-checkpoint: what a restart finds of the epoch cache, which itself is kept in memory. */
  epochFile: EpochCache;
  /** The high watermark in replication-offset-checkpoint. */
  checkpoint: number;
}

/** `halted`: shut itself down; `starting`: up, but with no news yet of who leads. */
export type Role = 'down' | 'halted' | 'starting' | 'follower' | 'leader';

/** What it keeps in memory. */
export interface Memory {
  role: Role;
  /** The newest leader epoch it has heard of, 0 if none, and who leads in it. */
  leaderEpoch: number;
  leader: ReplicaId;
  /** The high watermark: a leader's own, or as a follower learned it. */
  hw: number;
  /** What a follower's fetcher is at; `failed`: it was fenced, and waits for news. */
  fetchState: 'idle' | 'truncating' | 'fetching' | 'failed';
  /** The in-sync replicas, as a leader knows them. */
  isr: readonly ReplicaId[];
  /** A leader's knowledge of the others: the offset that each fetched from last, -1 if it has not. */
  remoteLeo: Readonly<Record<ReplicaId, number>>;
  /** The high watermark that each follower told it, -1 if it has not: only with a rule that waits for that. */
  remoteHw: Readonly<Record<ReplicaId, number>>;
  /** What a leader has asked the controller for: see isr.ts. */
  isrProposal: IsrProposal;
  /** A leader's log end offset when it became leader, -1 for others. */
  epochStart: number;
  /** A leader's purgatory: offsets of records whose producers (acks=all) still wait for the high watermark. */
  pending: readonly number[];
}

/** An ISR that a leader asks the controller for (AlterPartition), and the answer when it is under way. */
export interface IsrProposal {
  /** Empty: there is no proposal. */
  readonly isr: readonly ReplicaId[];
  /** Who joins the ISR by it, or `none`; and the life in which the leader has seen it, as a broker epoch says. */
  readonly joining: ReplicaId;
  readonly inIncarnation: number;
  readonly answer: 'none' | 'confirmed' | 'refused';
}

export const NO_PROPOSAL: IsrProposal = { isr: [], joining: NO_ONE, inIncarnation: 0, answer: 'none' };

export interface ReplicaState {
  /** How often it was started again. The world counts this, as it gives each broker registration a new epoch. */
  incarnation: number;
  disk: Disk;
  memory: Memory;
}

/** What the controller decided, and tells the replicas. */
export interface LeaderAndIsr {
  readonly epoch: number;
  readonly leader: ReplicaId;
  readonly isr: readonly ReplicaId[];
}

export interface ClusterState {
  replicas: Record<ReplicaId, ReplicaState>;
  /** The controller's newest decision, with the ISR as it is now. */
  controller: LeaderAndIsr;
  /** Earlier ones that a replica may still hear of, oldest first. */
  oldNews: readonly LeaderAndIsr[];
  /** Eligible leader replicas: not in sync, but with all that is committed (KIP-966). */
  elr: readonly ReplicaId[];
  /** The messages under way. */
  network: readonly Message[];
}
