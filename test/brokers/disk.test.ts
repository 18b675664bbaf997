import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cutLog, flushLog, parseCheckpoint, readDisk } from '../../src/brokers/disk.ts';
import { batchesOf, encodeRecord } from '../../src/brokers/wire/records.ts';

/** Segments that brokers wrote, in hexadecimal: 1 and 3 by a leader of epoch 1, then of epoch 2 (0.10.2.2) or 3 (2.0.1). */
const FORMAT_1 =
  '0000000000000000000000188aa891cc0100000000000000000100000001310000000131000000000000000100000018e232824e0100000000000000000100000001320000000133';
const FORMAT_2 =
  '000000000000000000000039000000010264c3fb7000000000000000000000000000010000000000000001ffffffffffffffffffffffffffff000000010e0000000102310000000000000000010000003900000003024386cb9e00000000000000000000000000010000000000000001ffffffffffffffffffffffffffff000000010e00000001023300';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'leader-epoch-disk-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function broker(files: Readonly<Record<string, string | Buffer>>): Promise<void> {
  await mkdir(join(folder, 't1-0'), { recursive: true });
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
}
const SEGMENT = 't1-0/00000000000000000000.log';

describe('what a broker keeps on disk', () => {
  it('is read with epochs from batches: 2.0.1', async () => {
    await broker({
      [SEGMENT]: Buffer.from(FORMAT_2, 'hex'),
      't1-0/leader-epoch-checkpoint': '0\n2\n1 0\n3 1\n',
      'replication-offset-checkpoint': '0\n2\nt10 0 7\nt1 0 2\n',
    });
    expect(await readDisk(folder, 't1-0')).toEqual({
      log: [
        { id: 1, epoch: 1 },
        { id: 3, epoch: 3 },
      ],
      epochCache: [
        { epoch: 1, start: 0 },
        { epoch: 3, start: 1 },
      ],
      checkpoint: 2,
    });
  });

  it('is read with epochs that the producer noted: 0.10.2.2, which has none', async () => {
    await broker({ [SEGMENT]: Buffer.from(FORMAT_1, 'hex') });
    expect(await readDisk(folder, 't1-0')).toEqual({
      log: [
        { id: 1, epoch: 1 },
        { id: 3, epoch: 2 },
      ],
      epochCache: [],
      checkpoint: 0,
    });
  });

  it('is nothing before the broker has heard of the partition', async () => {
    expect(await readDisk(folder, 't1-0')).toEqual({ log: [], epochCache: [], checkpoint: 0 });
  });
});

describe('a loss of power', () => {
  it.each([
    [0, []],
    [1, [1]],
    [2, [1, 3]],
  ])('keeps the first %i records', async (kept, ids) => {
    for (const hex of [FORMAT_1, FORMAT_2]) {
      await broker({ [SEGMENT]: Buffer.from(hex, 'hex') });
      await cutLog(folder, 't1-0', kept);
      expect((await readDisk(folder, 't1-0')).log.map(({ id }) => id)).toEqual(ids);
    }
  });

  it('takes nothing of what was flushed, for flushing changes nothing', async () => {
    await broker({ [SEGMENT]: Buffer.from(FORMAT_2, 'hex') });
    await flushLog(folder, 't1-0');
    expect((await readFile(join(folder, SEGMENT))).toString('hex')).toBe(FORMAT_2);
  });
});

describe('a segment', () => {
  it('ends where a batch is not whole, or where zeros begin', () => {
    const bytes = Buffer.from(FORMAT_2, 'hex');
    const half = bytes.length / 2;
    expect(batchesOf(bytes.subarray(0, half + 20))).toHaveLength(1);
    expect(batchesOf(Buffer.concat([bytes, Buffer.alloc(100)])).map(({ baseOffset }) => baseOffset)).toEqual([0, 1]);
  });

  it('holds what was written in either format', () => {
    fc.assert(
      fc.property(fc.constantFrom(1, 2), fc.nat(), fc.nat(), (format, id, epoch) => {
        const [batch] = batchesOf(encodeRecord(format as 1 | 2, { id, epoch }));
        // In format 2 the epoch is the leader's to write.
        expect(batch?.records).toEqual([{ id, epoch: format === 1 ? epoch : -1 }]);
      }),
    );
  });

  it('is written as Kafka writes it, checksums and all', () => {
    expect(encodeRecord(1, { id: 1, epoch: 1 }).toString('hex')).toBe(FORMAT_1.slice(0, FORMAT_1.length / 2));
    // What the leader fills in: its epoch, outside the checksum.
    const batch = Buffer.from(FORMAT_2.slice(0, FORMAT_2.length / 2), 'hex');
    batch.writeInt32BE(-1, 12);
    expect(encodeRecord(2, { id: 1, epoch: 1 }).toString('hex')).toBe(batch.toString('hex'));
  });

  it('of somebody else is not read', () => {
    const foreign = Buffer.from(FORMAT_1.slice(0, FORMAT_1.length / 2), 'hex');
    foreign.write('x', foreign.length - 1);
    expect(() => batchesOf(foreign)).toThrow('a record that is not one of this program\'s: "x"');
  });
});

describe('a checkpoint file', () => {
  it('has a version, a count, and entries', () => {
    expect(parseCheckpoint('0\n1\nt1 0 2\n')).toEqual([['t1', '0', '2']]);
    expect(parseCheckpoint('')).toEqual([]);
  });

  it.each(['1\n0\n', '0\n2\nt1 0 2\n'])('is refused where it is not what it says: %j', (text) => {
    expect(() => parseCheckpoint(text)).toThrow(RangeError);
  });
});
