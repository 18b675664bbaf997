import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  assign,
  type EpochCache,
  endOffsetFor,
  recoverEpochs,
  truncateFromEnd,
  truncateFromStart,
} from '../../src/replica/epoch-cache.ts';
import { profiles } from '../../src/replica/index.ts';

function cacheOf(...entries: [epoch: number, start: number][]): EpochCache {
  return entries.map(([epoch, start]) => ({ epoch, start }));
}

describe('assign since 2.0.1: the newest entry wins', () => {
  test('shouldEnforceMonotonicallyIncreasingEpochs (K07, LeaderEpochFileCacheTest, KAFKA-7415)', () => {
    let cache = cacheOf([3, 30], [5, 42], [8, 50]);
    cache = assign('replace', cache, 6, 45);
    expect(cache).toEqual(cacheOf([3, 30], [5, 42], [6, 45]));
    cache = assign('replace', cache, 7, 42);
    expect(cache).toEqual(cacheOf([3, 30], [7, 42]));
    cache = assign('replace', cache, 7, 44);
    expect(cache).toEqual(cacheOf([3, 30], [7, 42]));
    cache = assign('replace', cache, 7, 41);
    expect(cache).toEqual(cacheOf([3, 30], [7, 41]));
    expect(() => assign('replace', cache, -1, 5)).toThrow(RangeError);
    expect(() => assign('replace', cache, 9, -1)).toThrow(RangeError);
    expect(cache).toEqual(cacheOf([3, 30], [7, 41]));
    cache = assign('replace', cache, 10, 41);
    expect(cache).toEqual(cacheOf([3, 30], [10, 41]));
    cache = assign('replace', cache, 12, 90);
    expect(cache).toEqual(cacheOf([3, 30], [10, 41], [12, 90]));
  });

  test('shouldNotResetEpochHistoryHeadIfUndefinedPassed', () => {
    expect(() => assign('replace', [], -1, 0)).toThrow('No epoch entry can be (-1, 0)');
  });

  test('leaves the cache it was given as it was', () => {
    const cache = cacheOf([3, 30], [5, 42]);
    assign('replace', cache, 4, 31);
    expect(cache).toEqual(cacheOf([3, 30], [5, 42]));
  });
});

describe('assign up to 2.0.0: an entry that does not advance is ignored', () => {
  const cache = cacheOf([3, 30], [5, 42]);

  test.each([
    ['a lower epoch', 4, 50],
    ['the latest epoch again, further on', 5, 50],
    ['the latest epoch again, earlier', 5, 41],
    ['a higher epoch at a lower offset', 6, 41],
    ['the undefined epoch', -1, 50],
  ])('%s', (_, epoch, start) => {
    expect(assign('ignore', cache, epoch, start)).toEqual(cache);
  });

  test('a higher epoch at the same offset or above is added', () => {
    expect(assign('ignore', cache, 6, 42)).toEqual(cacheOf([3, 30], [5, 42], [6, 42]));
    expect(assign('ignore', cache, 9, 99)).toEqual(cacheOf([3, 30], [5, 42], [9, 99]));
    expect(assign('ignore', [], 0, 0)).toEqual(cacheOf([0, 0]));
    expect(assign('ignore', [], -1, 0)).toEqual([]);
  });
});

describe('what recovery adds', () => {
  const beginnings = cacheOf([0, 5], [0, 9], [2, 12], [1, 15], [-1, 18], [2, 22], [3, 25]);

  test('epoch 0 counts; none, and one that is not higher, do not (KAFKA-10432)', () => {
    expect(recoverEpochs('replace', [], beginnings)).toEqual(cacheOf([0, 5], [2, 12], [3, 25]));
    expect(recoverEpochs('ignore', [], beginnings)).toEqual(cacheOf([0, 5], [2, 12], [3, 25]));
  });

  test('only what is above the last entry, even where an earlier one is missing', () => {
    expect(recoverEpochs('replace', cacheOf([2, 12]), beginnings)).toEqual(cacheOf([2, 12], [3, 25]));
    expect(recoverEpochs('replace', cacheOf([7, 1]), beginnings)).toEqual(cacheOf([7, 1]));
  });

  test('not the earlier start of the last epoch, which a late reply can have lost (KAFKA-18723)', () => {
    expect(recoverEpochs('replace', cacheOf([1, 1]), cacheOf([1, 0], [1, 1]))).toEqual(cacheOf([1, 1]));
  });

  test('what it contradicts goes since 2.0.1, and stood in its way before', () => {
    expect(recoverEpochs('replace', cacheOf([0, 5], [2, 40]), cacheOf([3, 25]))).toEqual(cacheOf([0, 5], [3, 25]));
    expect(recoverEpochs('ignore', cacheOf([0, 5], [2, 40]), cacheOf([3, 25]))).toEqual(cacheOf([0, 5], [2, 40]));
  });
});

describe('truncation of the cache (K09, LeaderEpochFileCacheTest)', () => {
  const cache = cacheOf([2, 10], [5, 14], [9, 20]);

  test.each([
    [14, cacheOf([5, 14], [9, 20])],
    [15, cacheOf([5, 15], [9, 20])],
    [20, cacheOf([9, 20])],
    [99, cacheOf([9, 99])],
    [12, cacheOf([2, 12], [5, 14], [9, 20])],
    [10, cache],
    [9, cache],
    [-1, cache],
  ])('from the start to %i', (startOffset, left) => {
    expect(truncateFromStart(cache, startOffset)).toEqual(left);
  });

  test.each([
    [21, cache],
    [20, cacheOf([2, 10], [5, 14])],
    [15, cacheOf([2, 10], [5, 14])],
    [14, cacheOf([2, 10])],
    [10, []],
    [0, []],
    [-1, cache],
  ])('from the end to %i', (endOffset, left) => {
    expect(truncateFromEnd(cache, endOffset)).toEqual(left);
  });

  test('of an empty cache leaves it empty', () => {
    expect(truncateFromStart([], 7)).toEqual([]);
    expect(truncateFromEnd([], 7)).toEqual([]);
  });
});

describe('endOffsetFor, each answer as released', () => {
  const cache = cacheOf([2, 10], [5, 14], [9, 20]);
  const leo = 27;
  const unknown = { epoch: -1, endOffset: -1 };

  test.each([
    // asked, 0.11 to 1.1 (KIP-101), 2.0.0 (KIP-279), since 2.0.1 (KAFKA-7415)
    ['none', -1, unknown, unknown, unknown],
    ['the latest', 9, { epoch: -1, endOffset: 27 }, { epoch: 9, endOffset: 27 }, { epoch: 9, endOffset: 27 }],
    ['above the latest', 10, unknown, unknown, unknown],
    ['below the first', 1, unknown, unknown, { epoch: 1, endOffset: 10 }],
    ['known', 5, { epoch: -1, endOffset: 20 }, { epoch: 5, endOffset: 20 }, { epoch: 5, endOffset: 20 }],
    ['the first', 2, { epoch: -1, endOffset: 14 }, { epoch: 2, endOffset: 14 }, { epoch: 2, endOffset: 14 }],
    ['between', 7, { epoch: -1, endOffset: 20 }, { epoch: 5, endOffset: 20 }, { epoch: 5, endOffset: 20 }],
  ])('%s', (_, askedEpoch, in011, in200, in201) => {
    expect(endOffsetFor(profiles.kafka_0_11_0, cache, leo, askedEpoch)).toEqual(in011);
    expect(endOffsetFor(profiles.kafka_2_0_0, cache, leo, askedEpoch)).toEqual(in200);
    expect(endOffsetFor(profiles.kafka_2_0_1, cache, leo, askedEpoch)).toEqual(in201);
  });

  test('an empty cache knows nothing', () => {
    for (const profile of [profiles.kafka_0_11_0, profiles.kafka_2_0_0, profiles.kafka_2_0_1]) {
      expect(endOffsetFor(profile, [], leo, 0)).toEqual(unknown);
      expect(endOffsetFor(profile, [], leo, -1)).toEqual(unknown);
    }
  });

  test('1.1.0 answers the undefined epoch with its log end if its own cache is empty too (KAFKA-6857)', () => {
    expect(endOffsetFor(profiles.kafka_1_1_0, [], leo, -1)).toEqual({ epoch: -1, endOffset: 27 });
    expect(endOffsetFor(profiles.kafka_1_1_1, [], leo, -1)).toEqual(unknown);
    expect(endOffsetFor(profiles.kafka_1_1_0, cache, leo, -1)).toEqual(unknown);
  });

  test('one entry is enough for a leader that answers from its first one: the undefined epoch did not end there', () => {
    expect(endOffsetFor({ lookup: 'nextHigher', guardUndefined: false }, cacheOf([4, 10]), leo, -1)).toEqual(unknown);
  });

  test('a leader that noted its epoch and wrote nothing answers with its start (KAFKA-7415)', () => {
    expect(endOffsetFor(profiles.kafka_2_0_1, cacheOf([4, 10], [9, 17]), 17, 6)).toEqual({ epoch: 4, endOffset: 17 });
    expect(endOffsetFor(profiles.kafka_2_0_1, cacheOf([4, 10], [9, 17]), 17, 9)).toEqual({ epoch: 9, endOffset: 17 });
  });
});

describe('laws', () => {
  type Change = { epoch: number; start: number } | { endOffset: number } | { startOffset: number };
  const change = fc.oneof<fc.Arbitrary<Change>[]>(
    fc.record({ epoch: fc.nat(9), start: fc.nat(20) }),
    fc.record({ endOffset: fc.integer({ min: -1, max: 21 }) }),
    fc.record({ startOffset: fc.integer({ min: -1, max: 21 }) }),
  );
  const changes = fc.array(change, { maxLength: 30 });

  function changed(rule: 'ignore' | 'replace', list: readonly Change[]): EpochCache {
    return list.reduce<EpochCache>((cache, step) => {
      if ('epoch' in step) return assign(rule, cache, step.epoch, step.start);
      if ('endOffset' in step) return truncateFromEnd(cache, step.endOffset);
      return truncateFromStart(cache, step.startOffset);
    }, []);
  }

  test('whatever is assigned or truncated, a cache that replaces stays strictly increasing in both', () => {
    fc.assert(
      fc.property(changes, (list) => {
        const cache = changed('replace', list);
        for (let i = 1; i < cache.length; i++) {
          expect(cache[i]!.epoch).toBeGreaterThan(cache[i - 1]!.epoch);
          expect(cache[i]!.start).toBeGreaterThan(cache[i - 1]!.start);
        }
      }),
    );
  });

  test('one that ignores stays increasing, but two epochs may start at one offset', () => {
    fc.assert(
      fc.property(changes, (list) => {
        const cache = changed('ignore', list);
        for (let i = 1; i < cache.length; i++) {
          expect(cache[i]!.epoch).toBeGreaterThan(cache[i - 1]!.epoch);
          expect(cache[i]!.start).toBeGreaterThanOrEqual(cache[i - 1]!.start);
        }
      }),
    );
  });

  test('what was assigned last is the latest epoch, and covers its offset', () => {
    fc.assert(
      fc.property(changes, fc.nat(9), fc.nat(20), (list, epoch, start) => {
        const latest = assign('replace', changed('replace', list), epoch, start).at(-1)!;
        expect(latest.epoch).toBe(epoch);
        expect(latest.start).toBeLessThanOrEqual(start);
      }),
    );
  });

  test('truncating twice is truncating once, and to the lower of two ends', () => {
    const end = fc.nat(21);
    fc.assert(
      fc.property(changes, end, end, (list, one, other) => {
        const cache = changed('replace', list);
        const once = truncateFromEnd(cache, one);
        expect(truncateFromEnd(once, one)).toEqual(once);
        expect(truncateFromEnd(once, other)).toEqual(truncateFromEnd(cache, Math.min(one, other)));
        const begun = truncateFromStart(cache, one);
        expect(truncateFromStart(begun, one)).toEqual(begun);
      }),
    );
  });

  test('a known epoch ends where the next begins, under every rule', () => {
    fc.assert(
      fc.property(changes, (list) => {
        const cache = changed('replace', list);
        for (const profile of [profiles.kafka_0_11_0, profiles.kafka_2_0_0, profiles.kafka_2_0_1]) {
          cache.forEach(({ epoch }, i) => {
            const end = cache[i + 1]?.start ?? 30;
            expect(endOffsetFor(profile, cache, 30, epoch).endOffset).toBe(end);
          });
        }
      }),
    );
  });
});
