/** What a step acts on, and the few questions that every part of it asks. */
import type { Config } from './config.ts';
import type { Profile } from './profiles.ts';
import {
  type ClusterState,
  type LogRecord,
  type Memory,
  NO_PROPOSAL,
  type ReplicaId,
  type ReplicaState,
} from './state.ts';

/** `1`: the leader's own append is enough; `all`: every in-sync replica must have it. */
export type Acks = '1' | 'all';

/** What a producer is told of one record. */
export interface Acknowledgement {
  readonly offset: number;
  readonly id: number;
  readonly acks: Acks;
}

export interface RefusedProduce extends Acknowledgement {
  readonly error: 'NOT_ENOUGH_REPLICAS_AFTER_APPEND' | 'NOT_LEADER';
}

/** What a step did beside changing the state. */
export interface StepResult {
  readonly acknowledged: Acknowledgement[];
  readonly refused: RefusedProduce[];
}

export interface World {
  readonly config: Config;
  state: ClusterState;
  /** Of the step under way. */
  result: StepResult;
}

/** Why a step cannot be taken, in words, or null if it can. */
export type Refusal = string | null;

export function replicaOf(world: World, id: ReplicaId): ReplicaState {
  const replica = world.state.replicas[id];
  if (!replica) throw new RangeError(`There is no replica ${id}`);
  return replica;
}

export function profileOf(world: World, id: ReplicaId): Profile {
  return world.config.profileOf[id]!;
}

export function isAlive(replica: ReplicaState): boolean {
  return replica.memory.role !== 'down' && replica.memory.role !== 'halted';
}

/** The offset that the next record will get. */
export function logEndOffset(replica: ReplicaState): number {
  return replica.disk.log.length;
}

/** The memory of a replica that is not running. */
export function emptyMemory(config: Config): Memory {
  return {
    role: 'down',
    leaderEpoch: 0,
    leader: 'none',
    hw: 0,
    fetchState: 'idle',
    isr: [],
    remoteLeo: unknownOffsets(config),
    remoteHw: unknownOffsets(config),
    isrProposal: NO_PROPOSAL,
    epochStart: -1,
    pending: [],
  };
}

/** A leader's knowledge of its followers before any has fetched. */
export function unknownOffsets(config: Config): Record<ReplicaId, number> {
  const offsets: Record<ReplicaId, number> = {};
  for (const id of config.replicas) offsets[id] = -1;
  return offsets;
}

export function recordAt(replica: ReplicaState, offset: number): LogRecord {
  return replica.disk.log[offset]!;
}
