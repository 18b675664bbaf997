/**
 * The leader epoch cache of one replica: where in its log each leader's records begin. On disk it is the file
 * leader-epoch-checkpoint. A cache is a value: each function gives a new one and leaves the old as it was.
 *
 * Source: LeaderEpochFileCache, at 1.1.0, 1.1.1, 2.0.0, 2.0.1, 2.1.0.
 */
import type { Profile } from './profiles.ts';

/** On the wire an epoch or an offset that is not known is -1. */
export const UNDEFINED_EPOCH = -1;
export const UNDEFINED_EPOCH_OFFSET = -1;

/** From offset `start` on, up to the next entry's, the log is of this epoch. Both count from 0. */
export interface EpochEntry {
  readonly epoch: number;
  readonly start: number;
}

/** Entries, oldest first. */
export type EpochCache = readonly EpochEntry[];

/** An answer: the epoch that it speaks of, and the offset after that epoch's last record; -1 where nothing is known. */
export interface EpochEndOffset {
  readonly epoch: number;
  readonly endOffset: number;
}

export const NO_ANSWER: EpochEndOffset = { epoch: UNDEFINED_EPOCH, endOffset: UNDEFINED_EPOCH_OFFSET };

export function latestEpoch(cache: EpochCache): number {
  return cache.length === 0 ? UNDEFINED_EPOCH : cache[cache.length - 1]!.epoch;
}

export function equalEntries(a: EpochCache, b: EpochCache): boolean {
  if (a.length !== b.length) return false;
  return a.every(({ epoch, start }, i) => epoch === b[i]!.epoch && start === b[i]!.start);
}

/**
 * Notes that records of `epoch` begin at `start`. The same epoch again, further on, is no news.
 *
 * Up to 2.0.0 (`ignore`) an entry must advance both epoch and offset, else it is ignored. Since 2.0.1 (`replace`,
 * KAFKA-7415) the newest entry wins and what contradicts it goes; a negative epoch or offset is a RangeError there.
 */
export function assign(rule: Profile['assign'], cache: EpochCache, epoch: number, start: number): EpochCache {
  const last = cache[cache.length - 1];
  if (rule === 'ignore') {
    const advances = epoch >= 0 && start >= 0 && (!last || (epoch > last.epoch && start >= last.start));
    return advances ? [...cache, { epoch, start }] : cache;
  }
  if (epoch < 0 || start < 0) throw new RangeError(`No epoch entry can be (${epoch}, ${start})`);
  if (last && epoch === last.epoch && start >= last.start) return cache;
  return [...cache.filter((entry) => entry.epoch < epoch && entry.start < start), { epoch, start }];
}

/**
 * What recovery after an unclean stop adds: an entry where an epoch begins that is higher than the last entry's. A negative
 * epoch tells nothing.
 *
 * Source: LogSegment.recover, 1.0.0 (KAFKA-10432: epoch 0 counts).
 */
export function recoverEpochs(
  rule: Profile['assign'],
  cache: EpochCache,
  beginnings: Iterable<EpochEntry>,
): EpochCache {
  let recovered = cache;
  for (const { epoch, start } of beginnings) {
    if (epoch > latestEpoch(recovered)) recovered = assign(rule, recovered, epoch, start);
  }
  return recovered;
}

/** Records from `endOffset` on were cut: their entries go with them. A negative offset is none. */
export function truncateFromEnd(cache: EpochCache, endOffset: number): EpochCache {
  const last = cache[cache.length - 1];
  if (endOffset < 0 || !last || last.start < endOffset) return cache;
  return cache.filter((entry) => entry.start < endOffset);
}

/** Records below `startOffset` were deleted: the entry that covers it begins there now. A negative offset is none. */
export function truncateFromStart(cache: EpochCache, startOffset: number): EpochCache {
  const next = cache.findIndex((entry) => entry.start > startOffset);
  const covering = (next === -1 ? cache.length : next) - 1;
  if (covering < 0) return cache;
  return [{ epoch: cache[covering]!.epoch, start: startOffset }, ...cache.slice(covering + 1)];
}

/**
 * Where `asked` ends in a log with this cache and log end offset.
 *
 *  - `offsetOnly` (KIP-101): where the next higher epoch begins, without saying whose end that is (KAFKA-6361).
 *  - `nextHigher` (the common wording of KIP-279): the same, also for an epoch below the first entry.
 *  - `floorEpoch` (KIP-279, 2.0.0): the largest epoch not above the asked one, and its end.
 *  - `floorOrFirstStart` (2.0.1, KAFKA-7415): and an epoch below the first entry ended where the first entry begins.
 *
 * Without `guardUndefined` an empty cache takes the undefined epoch for its latest (KAFKA-6857).
 */
export function endOffsetFor(
  { lookup, guardUndefined }: Pick<Profile, 'lookup' | 'guardUndefined'>,
  cache: EpochCache,
  logEndOffset: number,
  asked: number,
): EpochEndOffset {
  if (asked === UNDEFINED_EPOCH && (guardUndefined || cache.length > 0)) return NO_ANSWER;
  if (asked === latestEpoch(cache)) return answer(lookup, asked, logEndOffset);
  const higher = cache.find((entry) => entry.epoch > asked);
  if (!higher) return NO_ANSWER;
  const floor = cache.findLast((entry) => entry.epoch <= asked);
  if (floor) return answer(lookup, floor.epoch, higher.start);
  return lookup === 'floorOrFirstStart' || lookup === 'nextHigher' ? answer(lookup, asked, higher.start) : NO_ANSWER;
}

function answer(lookup: Profile['lookup'], epoch: number, endOffset: number): EpochEndOffset {
  const namesEpoch = lookup === 'floorEpoch' || lookup === 'floorOrFirstStart';
  return { epoch: namesEpoch ? epoch : UNDEFINED_EPOCH, endOffset };
}
