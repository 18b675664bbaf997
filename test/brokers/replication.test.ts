import { describe, expect, it } from 'vitest';
import {
  readEpochReply,
  readEpochRequest,
  readFetchReply,
  readFetchRequest,
} from '../../src/brokers/wire/replication.ts';
import { WireError } from '../../src/wire/index.ts';

/** What stood at the gate between brokers of the release, in hexadecimal, without the length of the frame. */
const frame = (hex: string): Buffer => Buffer.from(hex, 'hex');
const t1 = { topic: 't1', index: 0 };
const nowhere = { epoch: -1, endOffset: -1 };

describe('a Fetch request', () => {
  it.each([
    [
      '0.10.2.2',
      '000100030000000200185265706c696361466574636865725468726561642d302d3100000002000000000000000100a0000000000001000274310000000100000000000000000000000200100000',
      { offset: 2, leaderEpoch: null, lastFetchedEpoch: -1 },
    ],
    [
      '0.11.0.3',
      '0001000500000002001262726f6b65722d312d666574636865722d3000000001000000000000000100a0000000000000010002743100000001000000000000000000000001000000000000000000100000',
      { offset: 1, leaderEpoch: null, lastFetchedEpoch: -1 },
    ],
    [
      '2.0.1',
      '0001000800000003001262726f6b65722d322d666574636865722d3000000002000000000000000100a0000000000000000000000000000001000274310000000100000000000000000000000200000000000000000010000000000000',
      { offset: 2, leaderEpoch: null, lastFetchedEpoch: -1 },
    ],
    [
      '2.8.2',
      '0001000c00000001001262726f6b65722d322d666574636865722d300000000002000000000000000100a00000000000000000000000020374310200000000000000030000000000000001000000020000000000000000001000000000010100',
      { offset: 1, leaderEpoch: 3, lastFetchedEpoch: 2 },
    ],
  ])('of %s', (_release, hex, expected) => {
    expect(readFetchRequest(frame(hex), t1)).toEqual(expected);
    expect(readFetchRequest(frame(hex), { topic: 't2', index: 0 })).toBeNull();
  });
});

describe('a Fetch reply', () => {
  it.each([
    [
      '0.10.2.2, with two records',
      3,
      '00000001000000000000000100027431000000010000000000000000000000000000000000480000000000000000000000188aa891cc010000000000000000010000000131000000013100000000000000010000001813a1c0760100000000000000000100000001310000000132',
      { hw: 0, diverging: nowhere, records: [{ id: 1, epoch: 1 }, { id: 2, epoch: 1 }] }, // biome-ignore format: one line
    ],
    [
      '0.11.0.3, with a record of the next epoch',
      5,
      '00000002000000000000000100027431000000010000000000000000000000000002ffffffffffffffff0000000000000000ffffffff0000004500000000000000010000003900000002024386cb9e00000000000000000000000000010000000000000001ffffffffffffffffffffffffffff000000010e00000001023300',
      { hw: 2, diverging: nowhere, records: [{ id: 3, epoch: 2 }] },
    ],
    [
      '2.0.1, empty',
      8,
      '00000004000000000000000000000000000100027431000000010000000000000000000000000002ffffffffffffffff0000000000000000ffffffff00000000',
      { hw: 2, diverging: nowhere, records: [] },
    ],
    [
      '2.8.2, diverging',
      12,
      '000000010000000000000000000000020374310200000000000000000000000000000000000000000000000000000000000000ffffffff0101000d000000010000000000000001000000',
      { hw: 0, diverging: { epoch: 1, endOffset: 1 }, records: [] },
    ],
    [
      '2.8.2, with two records',
      12,
      '000000020000000000000000000000020374310200000000000000000000000000000000000000000000000000000000000000ffffffff8b01000000000000000000000039000000010264c3fb7000000000000000000000000000010000000000000001ffffffffffffffffffffffffffff000000010e0000000102310000000000000000010000003900000003024386cb9e00000000000000000000000000010000000000000001ffffffffffffffffffffffffffff000000010e00000001023300000000',
      { hw: 0, diverging: nowhere, records: [{ id: 1, epoch: 1 }, { id: 3, epoch: 3 }] }, // biome-ignore format: one line
    ],
  ])('of %s', (_release, version, hex, expected) => {
    expect(readFetchReply(frame(hex), version, t1)).toEqual({ errorCode: 0, ...expected });
  });
});

describe('OffsetForLeaderEpoch', () => {
  it('asks for an epoch: 0.11.0.3', () => {
    const hex = '0017000000000001001262726f6b65722d312d666574636865722d300000000100027431000000010000000000000001';
    expect(readEpochRequest(frame(hex), t1)).toEqual({ asked: 1, leaderEpoch: null });
  });

  it('is answered with an offset: 0.11.0.3', () => {
    const hex = '000000010000000100027431000000010000000000000000000000000001';
    expect(readEpochReply(frame(hex), 0, t1)).toEqual({ errorCode: 0, epoch: -1, endOffset: 1 });
  });

  it('is answered with an epoch and an offset: 2.0.1', () => {
    const hex = '00000001000000010002743100000001000000000000000000010000000000000001';
    expect(readEpochReply(frame(hex), 1, t1)).toEqual({ errorCode: 0, epoch: 1, endOffset: 1 });
  });
});

it('a frame that is cut short is no message', () => {
  const hex = '000000010000000100027431000000010000000000000000000000000001';
  for (let bytes = 8; bytes < hex.length / 2; bytes++) {
    expect(() => readEpochReply(frame(hex).subarray(0, bytes), 0, t1)).toThrow(WireError);
  }
});
