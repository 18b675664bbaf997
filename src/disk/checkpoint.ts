/**
 * Kafka's checkpoint files: a line with the version, a line with the count, then one entry a line. Read as Kafka does, its
 * tolerances included (CRLF, tabs, a last line without an end).
 *
 * Source: CheckpointFile, LeaderEpochCheckpointFile, OffsetCheckpointFile.
 */
import { type Files, replaceFile } from './files.ts';

export const LEADER_EPOCH_CHECKPOINT = 'leader-epoch-checkpoint';
export const REPLICATION_OFFSET_CHECKPOINT = 'replication-offset-checkpoint';
export const RECOVERY_POINT_CHECKPOINT = 'recovery-point-offset-checkpoint';
export const LOG_START_OFFSET_CHECKPOINT = 'log-start-offset-checkpoint';

const VERSION = 0;
const MAX_INT = 2147483647n;
const MAX_LONG = 9223372036854775807n;
/** The line of the first entry. */
export const FIRST_ENTRY = 3;
/** Logs count in doubles here. */
export const MAX_OFFSET = BigInt(Number.MAX_SAFE_INTEGER);

/** A checkpoint file that is not one; the message names file and line. */
export class CheckpointError extends Error {
  override readonly name = 'CheckpointError';
  constructor(
    readonly file: string,
    readonly line: number,
    readonly what: string,
  ) {
    super(`${file}:${line}: ${what}`);
  }
}

export interface EpochLine {
  readonly epoch: number;
  /** Offsets are 64 bits wide, and kept exactly. */
  readonly start: bigint;
}

export interface OffsetLine {
  readonly topic: string;
  readonly partition: number;
  readonly offset: bigint;
}

export function parseEpochCheckpoint(text: string, file: string): EpochLine[] {
  return parse(text, file, ['an epoch', 'its start offset'], ([epoch = '', start = '']) => {
    const [parsedEpoch, parsedStart] = [integer(epoch, MAX_INT), integer(start, MAX_LONG)];
    return parsedEpoch === null || parsedStart === null ? null : { epoch: Number(parsedEpoch), start: parsedStart };
  });
}

/**
 * The same, of a file that was written to its end, with entries that a cache can have: each epoch begins where the one before it
 * does, or further on. (Kafka makes the file empty, and takes one that ends before its count for one without entries.)
 */
export function parseWrittenEpochs(text: string, file: string): EpochLine[] {
  needCount(text, file);
  const entries = parseEpochCheckpoint(text, file);
  entries.forEach(({ epoch, start }, index) => {
    const before = entries[index - 1] ?? { epoch: -1, start: 0n };
    if (epoch <= before.epoch || start < before.start || start > MAX_OFFSET) {
      throw new CheckpointError(file, FIRST_ENTRY + index, `no epoch cache has the entry "${epoch} ${start}" here`);
    }
  });
  return entries;
}

export function printEpochCheckpoint(entries: readonly EpochLine[]): string {
  return print(entries.map(({ epoch, start }) => `${epoch} ${start}`));
}

export function parseOffsetCheckpoint(text: string, file: string): OffsetLine[] {
  return parse(text, file, ['a topic', 'a partition', 'an offset'], ([topic = '', partition = '', offset = '']) => {
    const [parsedPartition, parsedOffset] = [integer(partition, MAX_INT), integer(offset, MAX_LONG)];
    if (parsedPartition === null || parsedOffset === null) return null;
    return { topic, partition: Number(parsedPartition), offset: parsedOffset };
  });
}

/** The same, of a file that was written to its end, or that is empty, as Kafka makes it. */
export function parseWrittenOffsets(text: string, file: string): OffsetLine[] {
  if (text !== '') needCount(text, file);
  return parseOffsetCheckpoint(text, file);
}

export function printOffsetCheckpoint(entries: readonly OffsetLine[]): string {
  return print(entries.map(({ topic, partition, offset }) => `${topic} ${partition} ${offset}`));
}

/** Null if there is no such file. */
export function readCheckpoint<T>(files: Files, path: string, parser: (text: string, file: string) => T): T | null {
  const bytes = files.read(path);
  if (bytes === null) return null;
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new CheckpointError(path, 1, 'this is no text in UTF-8');
  }
  return parser(text, path);
}

export const writeCheckpoint = replaceFile;

function parse<T>(
  text: string,
  file: string,
  fields: readonly string[],
  entryOf: (parts: readonly string[]) => T | null,
): T[] {
  const lines = text.split(/\r\n|\r|\n/);
  if (lines.at(-1) === '') lines.pop();
  const [version, count] = lines;
  if (version === undefined) return [];
  const found = integer(version, MAX_INT);
  if (found === null) throw malformed(file, 1, version, `the version, ${VERSION}`);
  if (found !== BigInt(VERSION)) {
    throw new CheckpointError(file, 1, `unrecognised version ${found}, expected ${VERSION}`);
  }
  if (count === undefined) return [];
  const expected = integer(count, MAX_INT);
  if (expected === null || expected < 0n) throw malformed(file, 2, count, 'the number of entries');
  const entries = lines.slice(2).map((line, index) => {
    // As Java splits: blanks at the end give no field, at the beginning an empty one.
    const parts = line.replace(/[ \t\v\f]+$/, '').split(/[ \t\v\f]+/);
    const entry = parts.length === fields.length ? entryOf(parts) : null;
    if (entry === null) throw malformed(file, FIRST_ENTRY + index, line, fields.join(', '));
    return entry;
  });
  if (BigInt(entries.length) !== expected) {
    throw new CheckpointError(file, 2, `expected [${expected}] entries, but found only [${entries.length}]`);
  }
  return entries;
}

function needCount(text: string, file: string): void {
  if (/^[^\r\n]*[\r\n]*$/.test(text)) throw new CheckpointError(file, 1, 'it ends before its count');
}

function print(lines: readonly string[]): string {
  return [VERSION, lines.length, ...lines, ''].join('\n');
}

/** As Java reads a number: a sign may lead it. Null if it is none, or too large. */
function integer(text: string, max: bigint): bigint | null {
  if (!/^[+-]?\d{1,20}$/.test(text)) return null;
  const value = BigInt(text.replace(/^\+/, ''));
  return value > max || value < -max - 1n ? null : value;
}

function malformed(file: string, line: number, text: string, expected: string): CheckpointError {
  // Marks of a byte order and the like would not be seen.
  const seen = JSON.stringify(text.slice(0, 80)).replace(
    /[\u007f-\uffff]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return new CheckpointError(file, line, `malformed line ${seen}, expected ${expected}`);
}
