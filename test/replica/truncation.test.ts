import { describe, expect, test } from 'vitest';
import { assign, endOffsetFor } from '../../src/replica/epoch-cache.ts';
import { type EpochCache, profiles } from '../../src/replica/index.ts';
import { truncationFor } from '../../src/replica/truncation.ts';

const { kafka_0_11_0, kafka_2_0_0, kafka_2_0_1, kip101, kip279, kip320 } = profiles;

function cacheOf(...entries: [epoch: number, start: number][]): EpochCache {
  return entries.map(([epoch, start]) => ({ epoch, start }));
}

describe('by offset only (KIP-101)', () => {
  test('cuts nothing where the leader has all (K01, KAFKA-1211)', () => {
    const answer = endOffsetFor(kip101, cacheOf([0, 0]), 2, 0);
    expect(answer).toEqual({ epoch: -1, endOffset: 2 });
    const own = { epochCache: cacheOf([0, 0]), leo: 2, hw: 1 };
    expect(truncationFor(kip101, own, answer)).toEqual({ offset: 2, done: true });
  });

  test('cuts below the own high watermark if the leader says so (K02, KAFKA-3919)', () => {
    const answer = endOffsetFor(kip101, cacheOf([0, 0], [1, 1]), 2, 0);
    expect(answer).toEqual({ epoch: -1, endOffset: 1 });
    const own = { epochCache: cacheOf([0, 0]), leo: 2, hw: 2 };
    expect(truncationFor(kip101, own, answer)).toEqual({ offset: 1, done: true });
  });

  test('takes the end of another epoch for that of its own (KAFKA-6361)', () => {
    const leader = cacheOf([1, 0], [3, 1]);
    const own = { epochCache: cacheOf([2, 0]), leo: 1, hw: 0 };
    expect(truncationFor(kip101, own, endOffsetFor(kip101, leader, 2, 2))).toEqual({ offset: 1, done: true });
  });

  test('falls back to the high watermark where the leader knows nothing, but not above the log end', () => {
    const unknown = { epoch: -1, endOffset: -1 };
    expect(truncationFor(kafka_0_11_0, { epochCache: [], leo: 5, hw: 3 }, unknown)).toEqual({ offset: 3, done: true });
    expect(truncationFor(kafka_0_11_0, { epochCache: [], leo: 2, hw: 3 }, unknown)).toEqual({ offset: 2, done: true });
  });

  test('never cuts above the log end', () => {
    const own = { epochCache: cacheOf([0, 0]), leo: 2, hw: 2 };
    expect(truncationFor(kafka_0_11_0, own, { epoch: -1, endOffset: 9 })).toEqual({ offset: 2, done: true });
  });
});

describe('by epoch and offset (KIP-279)', () => {
  test('the smallest of own end, leader end and log end (K01 and K02 again)', () => {
    const restarted = { epochCache: cacheOf([0, 0]), leo: 2, hw: 1 };
    expect(endOffsetFor(kip320, cacheOf([0, 0]), 2, 0)).toEqual({ epoch: 0, endOffset: 2 });
    expect(truncationFor(kip320, restarted, { epoch: 0, endOffset: 2 })).toEqual({ offset: 2, done: true });

    const longer = { epochCache: cacheOf([0, 0]), leo: 2, hw: 2 };
    expect(endOffsetFor(kip320, cacheOf([0, 0], [1, 1]), 2, 0)).toEqual({ epoch: 0, endOffset: 1 });
    expect(truncationFor(kip320, longer, { epoch: 0, endOffset: 1 })).toEqual({ offset: 1, done: true });
  });

  test('a leader that has noted its epoch can be asked for a higher one than it wrote (K04, KAFKA-7415)', () => {
    const elected = assign('replace', cacheOf([4, 10]), 9, 17);
    expect(elected).toEqual(cacheOf([4, 10], [9, 17]));
    const answer = endOffsetFor(kafka_2_0_1, elected, 17, 6);
    expect(answer).toEqual({ epoch: 4, endOffset: 17 });
    const own = { epochCache: cacheOf([4, 10], [6, 15]), leo: 18, hw: 12 };
    expect(truncationFor(kafka_2_0_1, own, answer)).toEqual({ offset: 15, done: true });
  });

  test('... and one that has not sends the follower back to its high watermark (K04, up to 2.0.0)', () => {
    const answer = endOffsetFor(kafka_2_0_0, cacheOf([4, 10]), 17, 6);
    expect(answer).toEqual({ epoch: -1, endOffset: -1 });
    const own = { epochCache: cacheOf([4, 10], [6, 15]), leo: 18, hw: 12 };
    expect(truncationFor(kafka_2_0_0, own, answer)).toEqual({ offset: 12, done: true });
  });

  test('asks again if it never had the epoch that the leader answers for', () => {
    const first = { epochCache: cacheOf([1, 0], [3, 1]), leo: 2, hw: 0 };
    const leader = cacheOf([1, 0], [2, 1], [4, 2]);
    const answer = endOffsetFor(kip279, leader, 2, 3);
    expect(answer).toEqual({ epoch: 2, endOffset: 2 });
    expect(truncationFor(kip279, first, answer)).toEqual({ offset: 1, done: false });

    const second = { epochCache: cacheOf([1, 0]), leo: 1, hw: 0 };
    const again = endOffsetFor(kip279, leader, 2, 1);
    expect(again).toEqual({ epoch: 1, endOffset: 1 });
    expect(truncationFor(kip279, second, again)).toEqual({ offset: 1, done: true });
  });

  test('2.0.0 trusts the leader offset where its own cache begins later; 2.0.1 cuts all (KAFKA-6361, KAFKA-7415)', () => {
    const own = { epochCache: cacheOf([2, 0]), leo: 1, hw: 0 };
    const answer = { epoch: 1, endOffset: 1 };
    expect(truncationFor(kafka_2_0_0, own, answer)).toEqual({ offset: 1, done: true });
    expect(truncationFor(kafka_2_0_1, own, answer)).toEqual({ offset: 0, done: true });
  });

  test('takes the offset alone from a leader that does not name the epoch', () => {
    const own = { epochCache: cacheOf([1, 0], [2, 3]), leo: 6, hw: 1 };
    expect(truncationFor(kip279, own, { epoch: -1, endOffset: 4 })).toEqual({ offset: 4, done: true });
    expect(truncationFor(kip279, own, { epoch: -1, endOffset: 9 })).toEqual({ offset: 6, done: true });
  });

  test('falls back to the high watermark where the leader knows nothing', () => {
    const own = { epochCache: cacheOf([1, 0]), leo: 6, hw: 4 };
    expect(truncationFor(kip279, own, { epoch: -1, endOffset: -1 })).toEqual({ offset: 4, done: true });
    expect(truncationFor(kip279, { ...own, hw: 8 }, { epoch: -1, endOffset: -1 })).toEqual({ offset: 6, done: true });
  });
});
