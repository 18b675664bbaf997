import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { crc32c, damageText, type MemoryFiles, openStore } from '../../src/disk/index.ts';
import { batchOf, EPOCHS, FIRST_SEGMENT, filesWith, LOG_FOLDER, logOf, open, options } from './support.ts';

const SECOND_SEGMENT = `${LOG_FOLDER}/00000000000000000002.log`;
const RECOVERY_POINT = 'data/recovery-point-offset-checkpoint';
const batches = [batchOf(0, 1, 1), batchOf(1, 1, 2), batchOf(2, 2, 3), batchOf(3, 2, 4)] as const;
const SIZE = batches[0].length;

/** Four records in two segments, of which so many are flushed. */
function four(flushed: number, change: (first: Buffer, second: Buffer) => [Uint8Array, Uint8Array] = (a, b) => [a, b]) {
  const [first, second] = change(Buffer.concat(batches.slice(0, 2)), Buffer.concat(batches.slice(2)));
  return filesWith({
    [FIRST_SEGMENT]: first,
    [SECOND_SEGMENT]: second,
    [EPOCHS]: '0\n2\n1 0\n2 2\n',
    [RECOVERY_POINT]: `0\n1\ntopic 0 ${flushed}\n`,
  });
}

const flipped = (bytes: Buffer, at: number): Buffer => {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ 0xff;
  return copy;
};

const kinds: [string, (segment: Buffer) => Uint8Array, string][] = [
  ['is cut within a header', (segment) => segment.subarray(0, SIZE + 9), '9 bytes are no whole batch'],
  [
    'is cut within a record',
    (segment) => segment.subarray(0, 2 * SIZE - 1),
    `${SIZE - 1} bytes are there of a batch of ${SIZE}`,
  ],
  ['has zeros', (segment) => Buffer.concat([segment.subarray(0, SIZE), Buffer.alloc(SIZE)]), 'its length field says 0'],
  ['has a flipped bit in a record', (segment) => flipped(segment, 2 * SIZE - 2), 'its CRC is 0x'],
  ['has another CRC', (segment) => flipped(segment, SIZE + 17), 'its CRC is 0x'],
  ['has a magic that nobody knows', (segment) => flipped(segment, SIZE + 16), 'its magic is -3, not 2'],
  ['says a negative length', (segment) => flipped(segment, SIZE + 8), 'its length field says -'],
  [
    'repeats a batch',
    (segment) => Buffer.concat([segment.subarray(0, SIZE), segment.subarray(0, SIZE)]),
    'its base offset is ',
  ],
];

describe('a torn end of the log, where it was not flushed', () => {
  test.each(kinds)('goes where it %s', (_how, change, what) => {
    const files = four(2, (first, second) => [first, change(second)]);
    const opened = open(files);
    expect(opened.disk.log).toEqual(logOf(1, 1, 2));
    expect(opened.repairs).toMatchObject([
      { kind: 'cut', file: SECOND_SEGMENT, at: SIZE, what: expect.stringContaining(what) },
    ]);
    expect(files.read(SECOND_SEGMENT)).toHaveLength(SIZE);
  });

  it('takes later segments with it', () => {
    const files = four(1, (first, second) => [first.subarray(0, SIZE + 20), second]);
    const opened = open(files);
    expect(opened.disk.log).toEqual(logOf(1));
    expect(opened.repairs).toMatchObject([
      { kind: 'removed', file: SECOND_SEGMENT },
      { kind: 'cut', file: FIRST_SEGMENT, bytes: 20 },
    ]);
    expect(files.list(LOG_FOLDER)).not.toContain('00000000000000000002.log');
  });

  it('goes where a segment between is missing', () => {
    const files = four(1, (first, second) => [first.subarray(0, SIZE), second]);
    expect(open(files)).toMatchObject({
      disk: { log: logOf(1) },
      repairs: [{ kind: 'removed', file: SECOND_SEGMENT }],
    });
  });
});

describe('damage to what was flushed is told, and nothing is changed', () => {
  function refused(files: MemoryFiles) {
    const before = files.image();
    const opened = openStore(files, options);
    expect(files.image()).toEqual(before);
    return opened;
  }

  test.each(kinds)('where a segment %s', (_how, change, what) => {
    const files = four(4, (first, second) => [first, change(second)]);
    expect(refused(files)).toEqual({
      kind: 'damaged',
      damage: {
        ...{ file: SECOND_SEGMENT, at: { byte: SIZE } },
        what: expect.stringMatching(
          /^no whole batch with offset 3 begins at this byte: .*, and the log was flushed to offset 4$/,
        ),
      },
    });
    expect(refused(files)).toMatchObject({ damage: { what: expect.stringContaining(what) } });
  });

  it('where a batch is gone from between', () => {
    const files = four(4, (first, second) => [first.subarray(0, SIZE), second]);
    expect(refused(files)).toEqual({
      kind: 'damaged',
      damage: {
        file: SECOND_SEGMENT,
        at: null,
        what: 'offset 1 is missing before it, and the log was flushed to offset 4',
      },
    });
  });

  it('after a clean shutdown wherever it is', () => {
    const files = filesWith({ [FIRST_SEGMENT]: batches[0].subarray(0, 30), 'data/.kafka_cleanshutdown': '' });
    expect(refused(files)).toMatchObject({
      kind: 'damaged',
      damage: {
        file: FIRST_SEGMENT,
        at: { byte: 0 },
        what: expect.stringMatching(/ and the log was flushed to its end$/),
      },
    });
  });

  describe.each([
    ['after a crash', {}],
    ['after a clean shutdown', { 'data/.kafka_cleanshutdown': '' }],
  ])('%s', (_when, marker) => {
    const flushed = { [RECOVERY_POINT]: '0\n1\ntopic 0 4\n', ...marker };

    it('where whole batches are gone from the end', () => {
      const files = filesWith({ [FIRST_SEGMENT]: Buffer.concat(batches.slice(0, 2)), ...flushed });
      expect(refused(files)).toMatchObject({
        damage: {
          ...{ file: FIRST_SEGMENT, at: { byte: 2 * SIZE } },
          what: 'offset 2 is missing at this byte, the end, and the log was flushed to offset 4',
        },
      });
    });

    it('where all segments are gone', () => {
      expect(refused(filesWith(flushed))).toMatchObject({
        damage: { file: LOG_FOLDER, at: null, what: 'there is no segment, and the log was flushed to offset 4' },
      });
    });
  });

  it('where the first segment is gone: nobody takes what is left for the beginning, whatever was flushed', () => {
    const files = filesWith({ [SECOND_SEGMENT]: Buffer.concat(batches.slice(2)) });
    expect(refused(files)).toMatchObject({
      damage: { file: SECOND_SEGMENT, at: null, what: 'offset 0, where the log begins, is missing before it' },
    });
  });

  it('where a segment begins before the end of the one before it, whatever was flushed', () => {
    const files = filesWith({
      [FIRST_SEGMENT]: Buffer.concat(batches.slice(0, 3)),
      [SECOND_SEGMENT]: Buffer.concat(batches.slice(2)),
    });
    expect(refused(files)).toMatchObject({
      damage: { file: SECOND_SEGMENT, at: null, what: 'the segment before it goes on to offset 3' },
    });
  });

  test.each(['0.log', 'copy.log', '99999999999999999999.log'])(
    'where a file is named as a segment and by no offset: %s',
    (name) => {
      const files = filesWith({ [FIRST_SEGMENT]: batches[0], [`${LOG_FOLDER}/${name}`]: batches[1] });
      expect(refused(files)).toMatchObject({
        damage: { file: `${LOG_FOLDER}/${name}`, what: expect.stringContaining('not by an offset of 20 digits') },
      });
    },
  );

  const huge = '9223372036854775807';
  test.each([
    [
      'replication-offset-checkpoint',
      '0\n1\ntopic 0\n',
      'data/replication-offset-checkpoint:3: malformed line "topic 0", expected a topic, a partition, an offset',
    ],
    ['replication-offset-checkpoint', '0\n', 'data/replication-offset-checkpoint:1: it ends before its count'],
    [
      'recovery-point-offset-checkpoint',
      '0\n2\ntopic 0 1\n',
      'data/recovery-point-offset-checkpoint:2: expected [2] entries, but found only [1]',
    ],
    [
      'log-start-offset-checkpoint',
      '\ufeff0\n0\n',
      'data/log-start-offset-checkpoint:1: malformed line "\\ufeff0", expected the version, 0',
    ],
    ...['replication', 'recovery-point', 'log-start'].map((kind) => [
      kind === 'log-start' ? 'log-start-offset-checkpoint' : `${kind}-offset-checkpoint`,
      `0\n2\nother 0 1\ntopic 0 ${huge}\n`,
      `data/${kind}-offset-checkpoint:4: no log here has an offset ${huge}`,
    ]),
  ])('where %s is none', (name = '', text = '', sentence) => {
    const files = filesWith({ [FIRST_SEGMENT]: batches[0], [`data/${name}`]: text });
    const opened = refused(files);
    expect(opened.kind === 'damaged' && damageText(opened.damage)).toBe(sentence);
  });

  it('where a batch is whole, and what is in it cannot be told', () => {
    const changed = (change: (batch: Buffer) => void): Buffer => {
      const batch = Buffer.from(batches[1]);
      change(batch);
      batch.writeUInt32BE(crc32c(batch.subarray(21)), 17);
      return batch;
    };
    const damaged = [
      changed((batch) => batch.writeInt16BE(1, 21)),
      changed((batch) => batch.writeUInt8(99, 61)),
      changed((batch) => {
        batch.writeInt32BE(2_000_000_000 - 1, 23);
        batch.writeInt32BE(2_000_000_000, 57);
      }),
    ].map((batch) => {
      const opened = refused(filesWith({ [FIRST_SEGMENT]: Buffer.concat([batches[0], batch]) }));
      return opened.kind === 'damaged' && damageText(opened.damage);
    });
    const begins = `${FIRST_SEGMENT}, byte ${SIZE}: no whole batch with offset 1 begins at this byte: `;
    expect(damaged).toEqual([
      `${begins}its records: they are compressed`,
      `${begins}its records: a record is longer or shorter than it says`,
      `${begins}its records: there is no room for as many as it says`,
    ]);
  });

  it('where Kafka has a compaction under way, or has compacted', () => {
    const swap = filesWith({ [FIRST_SEGMENT]: batches[0], [`${FIRST_SEGMENT}.swap`]: batches[0] });
    expect(refused(swap)).toMatchObject({ damage: { what: expect.stringContaining('compaction') } });
    const gap = filesWith({ [FIRST_SEGMENT]: Buffer.concat([batches[0], batches[2]]) });
    expect(refused(gap)).toMatchObject({
      damage: { at: { byte: SIZE }, what: expect.stringContaining('its base offset is 2, where 1 would follow') },
    });
  });
});

describe('whatever bytes a segment has', () => {
  it.each([0, 2, 4])(
    'a flipped bit shortens the log by what was not flushed, or is told; %i are flushed',
    (flushed) => {
      const whole = Buffer.concat(batches);
      for (let at = 0; at < whole.length; at++) {
        const bytes = Buffer.from(whole);
        bytes[at]! ^= 1 << (at & 7);
        const files = filesWith({ [FIRST_SEGMENT]: bytes, [RECOVERY_POINT]: `0\n1\ntopic 0 ${flushed}\n` });
        const opened = openStore(files, options);
        const [batch, field] = [Math.floor(at / SIZE), at % SIZE];
        // It stands outside the CRC, in Kafka too.
        const isEpoch = field >= 12 && field < 16;
        const found =
          opened.kind === 'opened' ? opened.disk.log.map(({ id }) => id) : [opened.damage.file, opened.damage.at];
        const allowed = [
          ...(isEpoch ? [[1, 2, 3, 4]] : batch >= flushed ? [[1, 2, 3, 4].slice(0, batch)] : []),
          ...(isEpoch ? [] : [[FIRST_SEGMENT, { byte: batch * SIZE }]]),
        ];
        expect(allowed).toContainEqual(found);
      }
    },
  );

  it('what is found is a first part of what was written, or damage is told', () => {
    const whole = Buffer.concat(batches);
    fc.assert(
      fc.property(
        fc.nat(whole.length - 1),
        fc.uint8Array({ minLength: 1, maxLength: 80 }),
        fc.nat(4),
        (at, garbage, flushed) => {
          const bytes = Buffer.from(whole);
          bytes.set(garbage.subarray(0, bytes.length - at), at);
          const files = filesWith({ [FIRST_SEGMENT]: bytes, [RECOVERY_POINT]: `0\n1\ntopic 0 ${flushed}\n` });
          const untouched = Math.floor(at / SIZE);
          const opened = openStore(files, options);
          if (opened.kind === 'damaged') return;
          // Offset and epoch stand outside the CRC: the epoch may have been overwritten unseen, as in Kafka.
          const ids = opened.disk.log.map(({ id }) => id);
          expect(ids).toEqual([1, 2, 3, 4].slice(0, ids.length));
          expect(ids.length).toBeGreaterThanOrEqual(Math.min(untouched, 4));
        },
      ),
    );
  });
});

describe('whatever segments a folder has', () => {
  const some = fc.record({
    ...{ base: fc.nat(4), from: fc.nat(4), count: fc.nat(4), cut: fc.oneof(fc.constant(0), fc.nat(SIZE)) },
    suffix: fc.constantFrom('', '', '', '', '.deleted', '.cleaned', '.swap', 'x'),
  });
  const folder = fc.record({
    ...{ segments: fc.array(some, { maxLength: 4 }), follow: fc.boolean(), flushed: fc.nat(4), clean: fc.boolean() },
    start: fc.option(fc.nat(4)),
  });

  it('what is flushed is found, offset after offset, and found again; or damage is told, and nothing is changed', () => {
    fc.assert(
      fc.property(folder, ({ clean, flushed, follow, segments, start }) => {
        const contents: Record<string, string | Uint8Array> = { [RECOVERY_POINT]: `0\n1\ntopic 0 ${flushed}\n` };
        if (clean) contents['data/.kafka_cleanshutdown'] = '';
        if (start !== null) contents['data/log-start-offset-checkpoint'] = `0\n1\ntopic 0 ${start}\n`;
        let next = 0;
        for (const { base, count, cut, from, suffix } of segments) {
          const first = follow ? next : from;
          const bytes = Buffer.concat(batches.slice(first, first + count));
          const name = `${String(follow ? next : base).padStart(20, '0')}.log${suffix}`;
          contents[`${LOG_FOLDER}/${name}`] = bytes.subarray(0, Math.max(0, bytes.length - cut));
          next = Math.min(batches.length, first + count);
        }
        const files = filesWith(contents);
        const before = files.image();
        const opened = openStore(files, options);
        if (opened.kind === 'damaged') {
          expect(files.image()).toEqual(before);
          return;
        }
        const { startOffset, endOffset } = opened.store.log;
        expect(endOffset).toBeGreaterThanOrEqual(flushed);
        expect(startOffset).toBeLessThanOrEqual(start ?? 0);
        expect(opened.disk.log.map(({ id }) => id - 1)).toEqual([0, 1, 2, 3].slice(startOffset, endOffset));
        expect(openStore(files, options)).toMatchObject({
          kind: 'opened',
          repairs: [],
          disk: { log: opened.disk.log },
        });
      }),
    );
  });
});

describe('whatever bytes a checkpoint has', () => {
  const texts: Record<string, string> = {
    [EPOCHS]: '0\n2\n1 0\n2 2\n',
    [RECOVERY_POINT]: '0\n1\ntopic 0 2\n',
    'data/replication-offset-checkpoint': '0\n1\ntopic 0 3\n',
    'data/log-start-offset-checkpoint': '0\n1\ntopic 0 0\n',
  };

  /** Nothing of the log is lost, epochs ascend, or the file is told. */
  function expectSound(path: string, content: Uint8Array): void {
    const files = filesWith({ [FIRST_SEGMENT]: Buffer.concat(batches), ...texts, [path]: content });
    const opened = openStore(files, options);
    if (opened.kind === 'damaged') {
      expect(damageText(opened.damage)).toMatch(/^data\/[^\n]+: [^\n]+$/);
      return;
    }
    const { epochCache, log } = opened.disk;
    expect(log.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
    for (const [i, { epoch, start }] of epochCache.entries()) {
      const before = epochCache[i - 1] ?? { epoch: -1, start: 0 };
      expect(epoch > before.epoch && start >= before.start).toBe(true);
    }
  }

  test.each(Object.entries(texts))('with one bit flipped, cut, or with more after it: %s', (path, text) => {
    const whole = Buffer.from(text);
    for (let bit = 0; bit < 8 * whole.length; bit++) {
      const bytes = Buffer.from(whole);
      bytes[bit >> 3]! ^= 1 << (bit & 7);
      expectSound(path, bytes);
    }
    for (let length = 0; length < whole.length; length++) {
      expectSound(path, whole.subarray(0, length));
      expectSound(path, Buffer.concat([whole.subarray(0, length), Buffer.alloc(whole.length - length)]));
    }
    for (const more of ['\n', '\0', ' ', '1 0\n', 'topic 0 9\n']) expectSound(path, Buffer.from(text + more));
    expectSound(path, Buffer.from(text.replaceAll('\n', '\r\n')));
    expectSound(path, Buffer.from(`\ufeff${text}`));
  });

  it('with any lines', () => {
    const word = fc.oneof(
      fc.constantFrom('topic', '0', '1', '2', '-1', '+3', '99999999999999999999', '9223372036854775807', '', ' ', '\t'),
      fc.string({ maxLength: 3 }),
    );
    const line = fc.array(word, { maxLength: 4 }).map((words) => words.join(' '));
    const content = fc.tuple(fc.array(line, { maxLength: 5 }), fc.constantFrom('\n', '\r\n', '\r'));
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(texts)), content, (path, [lines, end]) => {
        expectSound(path, Buffer.from(lines.join(end)));
      }),
    );
  });
});
