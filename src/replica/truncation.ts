/**
 * How a follower decides where to cut its log, once its leader has answered where the follower's last epoch ends.
 *
 * Source: ReplicaFetcherThread.maybeTruncate (1.1.1), AbstractFetcherThread.getOffsetTruncationState (2.0.0).
 */
import {
  type EpochCache,
  type EpochEndOffset,
  endOffsetFor,
  UNDEFINED_EPOCH,
  UNDEFINED_EPOCH_OFFSET,
} from './epoch-cache.ts';
import type { Profile } from './profiles.ts';

/** What a follower knows of itself; the log end offset is `leo`. */
export interface OwnLog {
  readonly epochCache: EpochCache;
  readonly leo: number;
  readonly hw: number;
}

/** Kafka's OffsetTruncationState: cut to `offset`; unless `done`, ask again then. */
export interface Truncation {
  readonly offset: number;
  readonly done: boolean;
}

export function truncationFor(profile: Profile, own: OwnLog, answer: EpochEndOffset): Truncation {
  if (answer.endOffset === UNDEFINED_EPOCH_OFFSET) return { offset: toHighWatermark(own), done: true };
  const byOffset = { offset: Math.min(answer.endOffset, own.leo), done: true };
  if (profile.truncation === 'offsetOnly' || answer.epoch === UNDEFINED_EPOCH) return byOffset;

  const ownEnd = endOffsetFor(profile, own.epochCache, own.leo, answer.epoch);
  if (ownEnd.endOffset === UNDEFINED_EPOCH_OFFSET) return byOffset;
  // A follower that never had the leader's epoch goes back to its own end of the next lower one.
  if (ownEnd.epoch !== answer.epoch) return { offset: Math.min(ownEnd.endOffset, own.leo), done: false };
  return { offset: Math.min(ownEnd.endOffset, answer.endOffset, own.leo), done: true };
}

/** Where the leader knows nothing, the rule before KIP-101. */
export function toHighWatermark({ hw, leo }: OwnLog): number {
  return Math.min(hw, leo);
}
