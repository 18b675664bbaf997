/**
 * The requests and replies between a follower and the leader it believes in. A reply repeats its request, so that no two
 * messages are ever equal unless they are one.
 */
import { type EpochEndOffset, UNDEFINED_EPOCH, UNDEFINED_EPOCH_OFFSET } from './epoch-cache.ts';
import type { LogRecord, ReplicaId } from './state.ts';

/** Kafka's error codes, by name, as far as a follower can be told one here. */
export type FetchError = 'none' | 'NOT_LEADER' | 'FENCED_LEADER_EPOCH' | 'UNKNOWN_LEADER_EPOCH' | 'OFFSET_OUT_OF_RANGE';

interface Addresses {
  /** Who asked. */
  readonly follower: ReplicaId;
  /** Whom it asked. */
  readonly leader: ReplicaId;
  /** Which life of the follower asked. */
  readonly incarnation: number;
  /** The leader epoch that the follower was in. On the wire since Fetch v9 and OffsetsForLeaderEpoch v2 only (KIP-320). */
  readonly leaderEpoch: number;
}

interface FetchQuestion extends Addresses {
  /** The follower's log end offset, from which it wants to go on. */
  readonly offset: number;
  /** The epoch that its log ends with, if it truncates inside Fetch: on the wire since Fetch v12. Else -1. */
  readonly lastFetchedEpoch: number;
  /** The follower's high watermark, where the leader's waits for it: in no release, so never on the wire. Else -1. */
  readonly knownHw: number;
}

export interface FetchRequest extends FetchQuestion {
  readonly type: 'FetchRequest';
}

export interface FetchResponse extends FetchQuestion {
  readonly type: 'FetchResponse';
  readonly error: FetchError;
  /** Where the leader's log parts from the follower's; epoch and offset are -1 if it does not. */
  readonly diverging: EpochEndOffset;
  /** The leader's log end offset, -1 in a refusal. */
  readonly endOffset: number;
  /** The leader's high watermark before it counted this fetch, -1 with an error. */
  readonly hw: number;
  /** Records from `offset` on. */
  readonly records: readonly LogRecord[];
}

interface EpochQuestion extends Addresses {
  /** The follower's latest epoch, -1 with an empty cache: "where does it end in your log?" */
  readonly asked: number;
}

export interface OffsetsForLeaderEpochRequest extends EpochQuestion {
  readonly type: 'OffsetsForLeaderEpochRequest';
}

export interface OffsetsForLeaderEpochResponse extends EpochQuestion {
  readonly type: 'OffsetsForLeaderEpochResponse';
  readonly error: FetchError;
  /** The epoch that the answer speaks of: since version 1 (KIP-279), else -1. */
  readonly epoch: number;
  /** Where it ends in the leader's log, -1 if the leader does not know. */
  readonly endOffset: number;
}

export type Message = FetchRequest | FetchResponse | OffsetsForLeaderEpochRequest | OffsetsForLeaderEpochResponse;

/** Whether a leader tells a follower to cut. */
export function isDiverging({ diverging }: FetchResponse): boolean {
  return diverging.epoch !== UNDEFINED_EPOCH || diverging.endOffset !== UNDEFINED_EPOCH_OFFSET;
}
