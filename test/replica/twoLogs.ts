/**
 * spec/TwoLogs.tla on the code of src/replica, for logs of hundreds of records in batches: a leader and a follower whose logs have
 * lost records to compaction and retention, and how the follower asks, cuts and fetches until both are one.
 */
import {
  assign,
  type EpochCache,
  type EpochEndOffset,
  endOffsetFor,
  latestEpoch,
  truncateFromEnd,
  truncateFromStart,
} from '../../src/replica/epoch-cache.ts';
import type { Profile } from '../../src/replica/index.ts';
import { truncationFor } from '../../src/replica/truncation.ts';

/** Offsets `base` to `end - 1`, appended at once. */
export interface Batch {
  readonly base: number;
  readonly end: number;
  readonly epoch: number;
}

export interface Log {
  /** All that was ever appended up to its end: whether the records are still there or not. */
  readonly batches: readonly Batch[];
  readonly start: number;
  /** Offsets of the records that are there. */
  readonly kept: ReadonlySet<number>;
  readonly cache: EpochCache;
}

/** What the follower did until it had all that the leader has. */
export interface Course {
  readonly before: Log;
  /** Once it fetches. */
  readonly fetching: Log;
  readonly inSync: Log;
  readonly rounds: number;
  /** Where it cut, one round after the other. */
  readonly cuts: readonly { readonly offset: number; readonly log: Log }[];
}

export function endOf(log: Pick<Log, 'batches'>): number {
  return log.batches.at(-1)?.end ?? 0;
}

export function epochAt(log: Pick<Log, 'batches'>, offset: number): number | undefined {
  return log.batches.find(({ base, end }) => base <= offset && offset < end)?.epoch;
}

/** The epochs of a log whose owner has appended these batches: a batch begins an epoch where it begins, whatever is left of it. */
export function cacheOf(batches: readonly Batch[]): EpochCache {
  return batches.reduce<EpochCache>((cache, { base, epoch }) => assign('replace', cache, epoch, base), []);
}

export function converge(profile: Profile, leader: Log, follower: Log): Course {
  const cuts: { offset: number; log: Log }[] = [];
  let log = follower;
  let rounds = 0;
  for (let isDone = false; !isDone; rounds++) {
    if (rounds > follower.batches.length + 2) throw new Error('it asks for ever');
    const { offset, done } = next(profile, leader, log);
    isDone = done;
    if (offset < endOf(log)) {
      cuts.push({ offset, log });
      log = cut(log, offset);
    } else if (!done && profile.clearsAtEnd) {
      // No record goes, but an entry that retention has left at the end (KAFKA-10706).
      log = { ...log, cache: truncateFromEnd(log.cache, offset) };
    }
  }
  return { before: follower, fetching: log, inSync: fetched(profile, leader, log), rounds, cuts };
}

/** Where the follower cuts now, and whether it fetches then. */
function next(profile: Profile, leader: Log, log: Log): { offset: number; done: boolean } {
  const leo = endOf(log);
  // Who knows no epoch goes back to its high watermark: here to the start of its log, which is no further.
  if (log.cache.length === 0) return { offset: log.start, done: true };
  const own = { epochCache: log.cache, leo, hw: log.start };
  const answer = endOffsetFor(profile, leader.cache, endOf(leader), latestEpoch(log.cache));
  if (profile.truncation !== 'insideFetch') return truncationFor(profile, own, answer);
  // A fetch below the leader's start is out of range before anybody looks at epochs (KAFKA-12996).
  if (leo < leader.start || !diverges(answer, log)) return { offset: leo, done: true };
  return { offset: truncationFor(profile, own, answer).offset, done: false };
}

function diverges({ endOffset, epoch }: EpochEndOffset, log: Log): boolean {
  return epoch < latestEpoch(log.cache) || endOffset < endOf(log);
}

/** Whole batches go: of one that the offset is within, nothing is left. Source: LogSegment.truncateTo. */
function cut(log: Log, offset: number): Log {
  const batches = log.batches.filter(({ end }) => end <= offset);
  const end = endOf({ batches });
  return {
    batches,
    start: Math.min(log.start, end),
    kept: new Set([...log.kept].filter((one) => one < end)),
    cache: truncateFromEnd(log.cache, end),
  };
}

/** The rest of the leader's batches, of those that it still has; what lies below the leader's start goes. */
function fetched(profile: Profile, leader: Log, log: Log): Log {
  const isBelow = endOf(log) < leader.start;
  const own = isBelow ? beginAt(leader, leader.start) : log;
  const from = endOf(own);
  let { cache } = own;
  for (const { base, epoch, end } of leader.batches) {
    const isThere = end > from && hasAny(leader.kept, Math.max(base, from), end);
    if (isThere && profile.epochCache) cache = assign(profile.assign, cache, epoch, Math.max(base, from));
  }
  const batches = [
    ...own.batches,
    ...leader.batches.filter(({ end }) => end > from).map((one) => ({ ...one, base: Math.max(one.base, from) })),
  ];
  const kept = new Set([...own.kept, ...[...leader.kept].filter((offset) => offset >= from)]);
  const start = Math.max(own.start, leader.start);
  return {
    batches,
    start,
    kept: new Set([...kept].filter((offset) => offset >= start)),
    cache: truncateFromStart(cache, start),
  };
}

function beginAt(leader: Log, start: number): Log {
  const batches = leader.batches
    .filter(({ base }) => base < start)
    .map((one) => ({ ...one, end: Math.min(one.end, start) }));
  return { batches, start, kept: new Set(), cache: [] };
}

function hasAny(kept: ReadonlySet<number>, from: number, to: number): boolean {
  for (let offset = from; offset < to; offset++) if (kept.has(offset)) return true;
  return false;
}
