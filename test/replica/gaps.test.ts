import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { truncateFromStart } from '../../src/replica/epoch-cache.ts';
import { profiles } from '../../src/replica/index.ts';
import { type Batch, type Course, cacheOf, converge, endOf, epochAt, type Log } from './twoLogs.ts';

const RUNS = Number(process.env.FC_RUNS ?? 1_000);

/** Batches of several records that one leader writes, and how many epochs later than the one before. */
const reign = fc.record({
  later: fc.integer({ min: 1, max: 3 }),
  sizes: fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 8 }),
});
/** From 0 to 1, evenly. */
const share = fc.nat(1_000).map((thousandths) => thousandths / 1_000);
/** A place in what is committed, and how much goes there. */
const gap = fc.record({ at: share, length: fc.integer({ min: 1, max: 40 }) });
const losses = fc.record({
  /** Gone before this replica fetched them. */
  earlier: fc.array(gap, { maxLength: 6 }),
  /** Gone from its own log since. */
  later: fc.array(gap, { maxLength: 6 }),
  /** How much of what is committed retention has taken. */
  start: fc.oneof(fc.constant(0), share),
});
const pair = fc.record({
  shared: fc.array(reign, { maxLength: 10 }),
  /** Who goes on in the last epoch that both have, if anybody does. */
  goesOn: fc.constantFrom('leader', 'follower', 'nobody'),
  more: reign,
  apart: fc.array(fc.record({ whose: fc.constantFrom('leader', 'follower'), reign }), { maxLength: 10 }),
  committed: share,
  leader: losses,
  follower: losses,
});
type Pair = typeof pair extends fc.Arbitrary<infer T> ? T : never;
type Losses = Pair['leader'];

/** Two logs that one protocol can have left behind: one leader writes an epoch, after one log. */
function logsOf({ shared, goesOn, more, apart, committed, leader, follower }: Pair, leaderIsRefilled: boolean) {
  let epoch = 0;
  const together: Batch[] = [];
  for (const { later, sizes } of shared) {
    epoch += later;
    append(together, epoch, sizes);
  }
  const logs = { leader: [...together], follower: [...together] };
  if (goesOn !== 'nobody' && together.length > 0) append(logs[goesOn], epoch, more.sizes);
  for (const { whose, reign } of apart) {
    epoch += reign.later;
    append(logs[whose], epoch, reign.sizes);
  }
  const sharedEnd = endOf({ batches: together });
  const committedEnd = Math.floor(committed * endOf({ batches: logs.leader }));
  const led = lost(logs.leader, committedEnd, leader, leaderIsRefilled);
  return {
    // It notes its own epoch when it is elected.
    leader: { ...led, cache: [...led.cache, { epoch: epoch + 1, start: endOf(led) }] },
    follower: lost(logs.follower, Math.min(committedEnd, sharedEnd), follower, true),
    sharedEnd,
  };
}

function append(batches: Batch[], epoch: number, sizes: readonly number[]): void {
  for (const size of sizes) {
    const base = endOf({ batches });
    batches.push({ base, end: base + size, epoch });
  }
}

/** The log after compaction and retention, which take only what is committed. Its owner has fetched the last record that there is. */
function lost(batches: readonly Batch[], committed: number, { earlier, later, start }: Losses, refilled: boolean): Log {
  const before = refilled ? offsetsIn(earlier, committed) : new Set<number>();
  const after = offsetsIn(later, committed);
  const end = endOf({ batches });
  const begins = Math.floor(start * committed);
  before.delete(end - 1);
  const all = Array.from({ length: end }, (_, offset) => offset);
  const seen = batches.filter(({ base, end: its }) => all.slice(base, its).some((offset) => !before.has(offset)));
  return {
    batches,
    start: begins,
    kept: new Set(all.filter((offset) => offset >= begins && !before.has(offset) && !after.has(offset))),
    cache: truncateFromStart(cacheOf(seen), begins),
  };
}

function offsetsIn(gaps: Losses['later'], committed: number): Set<number> {
  return new Set(
    gaps.flatMap(({ at, length }) => {
      const from = Math.floor(at * committed);
      return Array.from({ length: Math.min(length, committed - from) }, (_, index) => from + index);
    }),
  );
}

/** Records of the follower that the leader's log never had, where the leader's begins or later. */
function ofItsOwn(leader: Log, follower: Log): number[] {
  return [...follower.kept].filter(
    (offset) => offset >= leader.start && epochAt(follower, offset) !== epochAt(leader, offset),
  );
}

/** Records that both had, that the follower has cut, and that the leader still has. */
function cutInVain(leader: Log, { before, fetching }: Course, sharedEnd: number): number[] {
  return [...before.kept].filter(
    (offset) => offset < sharedEnd && !fetching.kept.has(offset) && leader.kept.has(offset),
  );
}

/** What both had and the leader still has is there in the end, and the cache says of each record which epoch wrote it. */
function expectAllIsWell(leader: Log, { before, inSync }: Course): void {
  const wanted = [...before.kept].filter((offset) => leader.kept.has(offset) && offset >= inSync.start);
  expect(wanted.filter((offset) => !inSync.kept.has(offset))).toEqual([]);
  const named = (offset: number) => inSync.cache.findLast(({ start }) => start <= offset)?.epoch;
  expect([...inSync.kept].filter((offset) => named(offset) !== epochAt(inSync, offset))).toEqual([]);
}

const rules = [
  ['Kip320', profiles.kip320],
  ['Kafka_3_5', profiles.kafka_3_5],
] as const;

describe.each(rules)('logs of batches that have lost records, under %s', (_, profile) => {
  test('the follower keeps nothing of its own, and cuts no record that both have, though only whole batches go', () => {
    const seen = { cut: 0, cutWithinABatch: 0, cutTwice: 0, epochMissing: 0, belowTheStart: 0 };
    fc.assert(
      fc.property(pair, (made) => {
        const { leader, follower, sharedEnd } = logsOf(made, false);
        const course = converge(profile, leader, follower);
        expect(ofItsOwn(leader, course.fetching)).toEqual([]);
        expect(cutInVain(leader, course, sharedEnd)).toEqual([]);
        expectAllIsWell(leader, course);
        const epochs = new Set(leader.cache.map(({ epoch }) => epoch));
        const isWithin = ({ offset, log }: Course['cuts'][number]) =>
          log.batches.some(({ base, end }) => base < offset && offset < end);
        const isMissing = follower.cache.some(({ epoch, start }) => start < sharedEnd && !epochs.has(epoch));
        seen.cut += course.cuts.length > 0 ? 1 : 0;
        seen.cutWithinABatch += course.cuts.some(isWithin) ? 1 : 0;
        seen.cutTwice += course.cuts.length > 1 ? 1 : 0;
        seen.epochMissing += isMissing ? 1 : 0;
        seen.belowTheStart += endOf(course.fetching) < leader.start ? 1 : 0;
      }),
      { numRuns: RUNS },
    );
    // No vacuous success: each of these has come about.
    expect(Object.entries(seen).filter(([, times]) => times === 0)).toEqual([]);
  });

  test('at a leader that was filled from a compacted log it may keep some, but only where the leader has nothing', () => {
    let kept = 0;
    fc.assert(
      fc.property(pair, (made) => {
        const { leader, follower, sharedEnd } = logsOf(made, true);
        const course = converge(profile, leader, follower);
        const own = ofItsOwn(leader, course.fetching);
        expect(own.filter((offset) => offset >= endOf(leader) || leader.kept.has(offset))).toEqual([]);
        expect(cutInVain(leader, course, sharedEnd)).toEqual([]);
        expectAllIsWell(leader, course);
        kept += own.length > 0 ? 1 : 0;
      }),
      { numRuns: RUNS },
    );
    expect(kept).toBeGreaterThan(0);
  });
});
