import { crc32 } from 'node:zlib';
import { describe, expect, it, test } from 'vitest';
import { identifyByContent } from '../../src/cluster/tcp.ts';
import { boundHighWatermark, MemoryFiles } from '../../src/disk/index.ts';
import { batchOf, disk, EPOCHS, FIRST_SEGMENT, filesWith, LOG_FOLDER, logOf, oneBatchEach, open } from './support.ts';

const text = (files: MemoryFiles, path: string) => Buffer.from(files.read(path) ?? []).toString();

describe('the files of a replica', () => {
  const three = disk({
    log: logOf(1, 1, 2),
    epochCache: [
      { epoch: 1, start: 0 },
      { epoch: 2, start: 2 },
    ],
    checkpoint: 1,
  });

  function written(): MemoryFiles {
    const files = new MemoryFiles();
    const { store } = open(files);
    store.write(three, oneBatchEach);
    return files;
  }

  it('have the names and the content that Kafka gives them', () => {
    const files = written();
    expect([...files.image().keys()].sort()).toEqual([
      `data/replication-offset-checkpoint`,
      FIRST_SEGMENT,
      `${LOG_FOLDER}/00000000000000000002.log`,
      EPOCHS,
    ]);
    expect(text(files, EPOCHS)).toBe('0\n2\n1 0\n2 2\n');
    expect(text(files, 'data/replication-offset-checkpoint')).toBe('0\n1\ntopic 0 1\n');
    expect(Buffer.from(files.read(FIRST_SEGMENT) ?? [])).toEqual(Buffer.concat([batchOf(0, 1, 1), batchOf(1, 1, 2)]));
  });

  it('are all that is needed to start again', () => {
    expect(open(new MemoryFiles(written().image()))).toMatchObject({ disk: three, clean: false, repairs: [] });
  });

  it('say after a clean shutdown that all is flushed, once', () => {
    const files = new MemoryFiles();
    const { store } = open(files);
    store.write(three, oneBatchEach);
    store.shutDown();
    expect(open(files)).toMatchObject({ disk: { ...three, flushed: 3 }, clean: true });
    expect(open(files)).toMatchObject({ clean: false });
  });

  it('are cut at a batch, over segments', () => {
    const files = written();
    const { store } = open(files);
    const epochs = three.epochCache.slice(0, 1);
    const one = { ...three, log: three.log.slice(0, 1), epochCache: epochs, epochFile: epochs };
    store.write(one, oneBatchEach);
    expect(files.list(LOG_FOLDER)).toEqual(['00000000000000000000.log', 'leader-epoch-checkpoint']);
    expect(open(files).disk).toEqual(one);
  });

  it('are cut within a batch: its first records stay', () => {
    const files = new MemoryFiles();
    const { store } = open(files);
    const log = logOf(4, 4, 4);
    store.write(disk({ log, epochCache: [{ epoch: 4, start: 0 }] }), () => [batchOf(0, 4, 1, 2, 3)]);
    store.write(disk({ log: log.slice(0, 2), epochCache: [{ epoch: 4, start: 0 }] }), oneBatchEach);
    expect(open(files).disk.log).toEqual(log.slice(0, 2));
  });

  it('never say that a record is flushed which came after a truncation', () => {
    const files = new MemoryFiles();
    const { store } = open(files);
    const log = logOf(1, 1, 1);
    store.write(disk({ log, flushed: 3 }), oneBatchEach);
    store.write(disk({ log: log.slice(0, 1), flushed: 1 }), oneBatchEach);
    store.write(disk({ log: [...log.slice(0, 1), { id: 9, epoch: 2 }], flushed: 1 }), oneBatchEach);
    expect(open(files).disk.flushed).toBe(1);
  });
});

describe('offset checkpoints', () => {
  const HIGH_WATERMARKS = 'data/replication-offset-checkpoint';

  it('keep what they say of other logs', () => {
    const files = filesWith({
      [FIRST_SEGMENT]: batchOf(0, 1, 1),
      [HIGH_WATERMARKS]: '0\n3\nother 0 7\ntopic 0 0\ntopic 1 9\n',
    });
    const { disk: found, store } = open(files);
    store.write({ ...found, checkpoint: 1 }, oneBatchEach);
    expect(text(files, HIGH_WATERMARKS)).toBe('0\n3\nother 0 7\ntopic 1 9\ntopic 0 1\n');
  });

  it('are read as Kafka reads them where a log is in them twice: the last counts', () => {
    const files = filesWith({
      [FIRST_SEGMENT]: Buffer.concat([batchOf(0, 1, 1), batchOf(1, 1, 2)]),
      [HIGH_WATERMARKS]: '0\n2\ntopic 0 1\ntopic 0 2\n',
    });
    expect(open(files).disk.checkpoint).toBe(2);
  });
});

describe('a cut within a batch that was flushed', () => {
  it('leaves its first records, wherever the machine stops', () => {
    const files = new MemoryFiles();
    const { store } = open(files);
    const [log, epochCache] = [logOf(1, 1, 1, 1), [{ epoch: 1, start: 0 }]];
    store.write(disk({ log, epochCache, flushed: 4 }), () => [batchOf(0, 1, 1), batchOf(1, 1, 2, 3, 4)]);
    const found = new Set<number>();
    files.onOperation = () => {
      for (const image of files.crashImages()) found.add(open(new MemoryFiles(image)).disk.log.length);
    };
    store.write(disk({ log: log.slice(0, 3), epochCache, flushed: 3 }), oneBatchEach);
    expect(found).toEqual(new Set([3, 4]));
    expect(open(files).disk).toMatchObject({ log: log.slice(0, 3), flushed: 3 });
  });
});

describe('a segment that was rolled before a crash of the process', () => {
  it('is there after a loss of power, once the next life has flushed', () => {
    const files = new MemoryFiles();
    const log = logOf(1, 1, 1, 1);
    open(files).store.write(disk({ log }), oneBatchEach);
    open(files).store.flush();
    for (const image of files.crashImages())
      expect(open(new MemoryFiles(image)).disk).toMatchObject({ log, flushed: 4 });
  });
});

describe('a log that its leader has nothing left for (KAFKA-9491)', () => {
  it('begins anew where the leader begins, with its high watermark there, and no epochs', () => {
    const files = new MemoryFiles();
    const { store } = open(files);
    const log = Array.from({ length: 40 }, (_, i) => ({ id: i + 1, epoch: 2 }));
    store.write(disk({ log, epochCache: [{ epoch: 2, start: 0 }], checkpoint: 38 }), oneBatchEach);
    const emptied = disk({ flushed: 75, checkpoint: 75 });
    expect(store.truncateFullyAndStartAt(75)).toEqual(emptied);
    const again = open(files);
    expect(again.disk).toEqual(emptied);
    expect([again.store.log.startOffset, again.store.log.endOffset]).toEqual([75, 75]);
    expect(text(files, EPOCHS)).toBe('0\n0\n');
  });
});

describe('the high watermark from its checkpoint is within the log (KAFKA-3978, KAFKA-16452)', () => {
  test.each([
    [-7, 10],
    [9, 10],
    [10, 10],
    [33, 33],
    [50, 50],
    [80, 50],
    [null, 10],
  ])('%s of a log from 10 to 50 is %s', (checkpoint, bounded) => {
    expect(boundHighWatermark(checkpoint, 10, 50)).toBe(bounded);
  });
});

describe('epochs are rebuilt from batches (KAFKA-10432)', () => {
  const log = Buffer.concat([batchOf(0, 0, 1), batchOf(1, 3, 2)]);
  const rebuilt = [
    { epoch: 0, start: 0 },
    { epoch: 3, start: 1 },
  ];
  test.each([
    ['is missing', {}, 'it is missing'],
    ['is of another version', { [EPOCHS]: '7\n0\n' }, `${EPOCHS}:1: unrecognised version 7, expected 0`],
    // As a crash can leave a file that was renamed before its data was there.
    ['is empty', { [EPOCHS]: '' }, `${EPOCHS}:1: it ends before its count`],
    ['ends before its count', { [EPOCHS]: '0\n' }, `${EPOCHS}:1: it ends before its count`],
    ['is cut off', { [EPOCHS]: '0\n2\n0 0\n' }, `${EPOCHS}:2: expected [2] entries, but found only [1]`],
    [
      'has epochs that do not ascend',
      { [EPOCHS]: '0\n2\n3 1\n0 0\n' },
      `${EPOCHS}:4: no epoch cache has the entry "0 0" here`,
    ],
    ['has one epoch twice', { [EPOCHS]: '0\n2\n0 0\n0 0\n' }, `${EPOCHS}:4: no epoch cache has the entry "0 0" here`],
    ['has no epoch', { [EPOCHS]: '0\n1\n-1 0\n' }, `${EPOCHS}:3: no epoch cache has the entry "-1 0" here`],
    ['has no offset', { [EPOCHS]: '0\n1\n0 -4\n' }, `${EPOCHS}:3: no epoch cache has the entry "0 -4" here`],
    ['is no text', { [EPOCHS]: Buffer.from([0xff, 0xfe, 0]) }, `${EPOCHS}:1: this is no text in UTF-8`],
  ])('where the file %s', (_how, file, what) => {
    const files = filesWith({ [FIRST_SEGMENT]: log, ...file });
    const opened = open(files);
    expect(opened.disk.epochCache).toEqual(rebuilt);
    expect(opened.repairs).toEqual([{ kind: 'epochsRebuilt', file: EPOCHS, what }]);
    expect(text(files, EPOCHS)).toBe('0\n2\n0 0\n3 1\n');
  });

  it('not where there are none, as in a folder that Kafka has just made', () => {
    const files = filesWith({ [EPOCHS]: '', 'data/replication-offset-checkpoint': '' });
    expect(open(files)).toMatchObject({ disk: disk(), repairs: [] });
    expect(text(files, EPOCHS)).toBe('0\n0\n');
  });

  describe('where the file is whole', () => {
    const short = { [EPOCHS]: '0\n1\n0 0\n' };
    const recoveryPoint = (offset: number) => ({
      'data/recovery-point-offset-checkpoint': `0\n1\ntopic 0 ${offset}\n`,
    });
    const second = `${LOG_FOLDER}/00000000000000000002.log`;
    const segments = { [FIRST_SEGMENT]: log, [second]: batchOf(2, 4, 3) };

    it('only above its last epoch, and then it is written', () => {
      const files = filesWith({ [FIRST_SEGMENT]: log, ...short });
      expect(open(files).disk.epochCache).toEqual(rebuilt);
      expect(text(files, EPOCHS)).toBe('0\n2\n0 0\n3 1\n');
    });

    it('the last segment is read whole, however far it was flushed', () => {
      const files = filesWith({ [FIRST_SEGMENT]: log, ...short, ...recoveryPoint(2) });
      expect(open(files).disk.epochCache).toEqual(rebuilt);
    });

    test.each([
      [1, [...rebuilt, { epoch: 4, start: 2 }]],
      [2, [rebuilt[0], { epoch: 4, start: 2 }]],
    ])('from the segment on that holds the recovery point %i', (offset, cache) => {
      expect(open(filesWith({ ...segments, ...short, ...recoveryPoint(offset) })).disk.epochCache).toEqual(cache);
    });

    it('not after a clean shutdown', () => {
      const files = filesWith({ [FIRST_SEGMENT]: log, ...short, 'data/.kafka_cleanshutdown': '' });
      expect(open(files).disk.epochCache).toEqual([{ epoch: 0, start: 0 }]);
    });

    it('and what a new entry contradicts goes, as the release assigns (KAFKA-7415)', () => {
      // An entry of epoch 2 that never got a record, beyond the one that begins epoch 3.
      const stale = filesWith({ [FIRST_SEGMENT]: log, [EPOCHS]: '0\n2\n0 0\n2 5\n' });
      expect(open(stale).disk.epochCache).toEqual(rebuilt);
      const ignored = filesWith({ [FIRST_SEGMENT]: log, [EPOCHS]: '0\n2\n0 0\n2 5\n' });
      expect(open(ignored, { assign: 'ignore' }).disk.epochCache).toEqual([
        { epoch: 0, start: 0 },
        { epoch: 2, start: 5 },
      ]);
    });
  });
});

describe('where batches do not say their epoch', () => {
  it('recovery learns nothing from them: what elections have noted is all there is', () => {
    const log = Buffer.concat([batchOf(0, 1, 1), batchOf(1, 2, 2)]);
    const files = filesWith({ [FIRST_SEGMENT]: log, [EPOCHS]: '0\n1\n3 2\n' });
    expect(open(files, { epochsInBatches: false }).disk.epochCache).toEqual([{ epoch: 3, start: 2 }]);
    expect(open(filesWith({ [FIRST_SEGMENT]: log }), { epochsInBatches: false }).disk.epochCache).toEqual([]);
  });
});

describe('where epochs are kept in memory alone', () => {
  it('a start begins with none, whatever file and batches tell, and so does the file', () => {
    const log = Buffer.concat([batchOf(0, 1, 1), batchOf(1, 2, 2)]);
    const files = filesWith({ [FIRST_SEGMENT]: log, [EPOCHS]: '0\n1\n1 0\n' });
    expect(open(files, { epochsAreKept: false }).disk.epochCache).toEqual([]);
    expect(text(files, EPOCHS)).toBe('0\n0\n');
  });
});

describe('messages of before 0.11', () => {
  /** Magic 1, no attributes, timestamp 0, no key, this value. */
  function message(value: string): Buffer {
    const covered = Buffer.concat([bytesOf('01 00 0000000000000000 ffffffff'), Buffer.alloc(4), Buffer.from(value)]);
    covered.writeInt32BE(value.length, 14);
    const bytes = Buffer.concat([Buffer.alloc(16), covered]);
    bytes.writeInt32BE(4 + covered.length, 8);
    bytes.writeUInt32BE(crc32(covered), 12);
    return bytes;
  }

  it('are records without an epoch', () => {
    const { disk: found, repairs } = open(filesWith({ [FIRST_SEGMENT]: message('1') }), { identify: () => [1] });
    expect([found.log, found.epochCache]).toEqual([[{ id: 1, epoch: -1 }], []]);
    expect(repairs).toMatchObject([{ kind: 'epochsRebuilt' }]);
  });

  // Where a later batch has its count, one of these has a part of its value.
  it.each(['1', 'a'.repeat(100)])('are one record each also where content names them: %s', (value) => {
    const { disk: found } = open(filesWith({ [FIRST_SEGMENT]: message(value) }), { identify: identifyByContent });
    expect(found.log).toEqual([{ id: expect.any(Number), epoch: -1 }]);
  });
});

function bytesOf(hex: string): Buffer {
  return Buffer.from(hex.replaceAll(' ', ''), 'hex');
}
