import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  parseEpochCheckpoint,
  parseOffsetCheckpoint,
  printEpochCheckpoint,
  printOffsetCheckpoint,
} from '../../src/disk/index.ts';

const parse = (text: string) => parseEpochCheckpoint(text, 'f');

describe('leader-epoch-checkpoint is read as Kafka reads it', () => {
  const two = [
    { epoch: 1, start: 10n },
    { epoch: 4, start: 25n },
  ];
  test.each([
    ['an empty file', '', []],
    ['only a version', '0\n', []],
    ['no entries', '0\n0\n', []],
    ['two entries', '0\n2\n1 10\n4 25\n', two],
    ['no end of the last line', '0\n2\n1 10\n4 25', two],
    ['lines that end in CRLF', '0\r\n2\r\n1 10\r\n4 25\r\n', two],
    ['tabs between the fields', '0\n2\n1\t10\n4\t25\n', two],
    ['a blank at the end of a line', '0\n2\n1 10 \n4 25\n', two],
    ['signs', '0\n1\n+1 +10\n', [{ epoch: 1, start: 10n }]],
    ['an offset beyond what a double holds', '0\n1\n1 9007199254740993\n', [{ epoch: 1, start: 9007199254740993n }]],
  ])('%s', (_what, text, entries) => {
    expect(parse(text)).toEqual(entries);
  });

  test.each([
    ['a leading blank', '0\n1\n 1 10\n', 'f:3: malformed line " 1 10", expected an epoch, its start offset'],
    ['a blank line at the end', '0\n1\n1 10\n\n', 'f:4: malformed line "", expected an epoch, its start offset'],
    ['three fields', '0\n1\n1 10 3\n', 'f:3: malformed line "1 10 3", expected an epoch, its start offset'],
    ['an offset that no long holds', '0\n1\n1 9223372036854775808\n', /^f:3: malformed line/],
    ['an epoch that no int holds', '0\n1\n2147483648 0\n', /^f:3: malformed line/],
    ['letters', '0\n1\none 10\n', /^f:3: malformed line/],
    ['fewer entries than it says', '0\n3\n1 10\n', 'f:2: expected [3] entries, but found only [1]'],
    ['more entries than it says', '0\n1\n1 10\n4 25\n', 'f:2: expected [1] entries, but found only [2]'],
    ['another version', '1\n0\n', 'f:1: unrecognised version 1, expected 0'],
    ['no version', 'zero\n', 'f:1: malformed line "zero", expected the version, 0'],
    ['a negative count', '0\n-1\n', 'f:2: malformed line "-1", expected the number of entries'],
    ['zeros, as a torn write leaves them', '\0\0\0\0', /^f:1: malformed line/],
  ])('not: %s', (_what, text, message) => {
    expect(() => parse(text)).toThrow(message);
  });
});

describe('what is written', () => {
  it('has a version, a count and a line for each entry', () => {
    expect(printEpochCheckpoint([{ epoch: 3, start: 0n }])).toBe('0\n1\n3 0\n');
    expect(printOffsetCheckpoint([{ topic: 'a-b', partition: 2, offset: 17n }])).toBe('0\n1\na-b 2 17\n');
  });

  it('is read back', () => {
    const entry = fc.record({
      topic: fc.stringMatching(/^[a-zA-Z0-9._-]{1,20}$/),
      partition: fc.nat(),
      offset: fc.bigInt({ min: 0n, max: 9223372036854775807n }),
    });
    fc.assert(
      fc.property(fc.array(entry), (entries) => {
        expect(parseOffsetCheckpoint(printOffsetCheckpoint(entries), 'f')).toEqual(entries);
      }),
    );
    fc.assert(
      fc.property(
        fc.array(fc.record({ epoch: fc.nat(), start: fc.bigInt({ min: 0n, max: 9223372036854775807n }) })),
        (entries) => {
          expect(parse(printEpochCheckpoint(entries))).toEqual(entries);
        },
      ),
    );
  });

  it('is never read from any other text without a word', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        try {
          parse(text);
        } catch (error) {
          expect(error).toMatchObject({ name: 'CheckpointError', message: expect.stringMatching(/^f:\d+: /) });
        }
      }),
    );
  });
});
