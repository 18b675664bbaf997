/** One file of a log: whole record batches, one after the other, named by the offset of the first. */
import type { Files, OpenFile } from './files.ts';
import { type BatchHeader, isProblem, readHeader } from './recordBatch.ts';

export interface PlacedBatch extends BatchHeader {
  /** Of its first byte in the file. */
  readonly position: number;
}

export interface Segment {
  readonly baseOffset: number;
  readonly path: string;
  file: OpenFile;
  /** In order; together they fill the file. */
  readonly batches: PlacedBatch[];
  size: number;
  /** Made since its folder was last synced. */
  isNew: boolean;
}

const DIGITS = 20;
const SUFFIX = '.log';
/** Of a segment that is being written; Kafka, too, throws away what it finds of this name. */
export const UNFINISHED = '.cleaned';

export function segmentName(baseOffset: number): string {
  return `${String(baseOffset).padStart(DIGITS, '0')}${SUFFIX}`;
}

/** By its name it should be one. */
export function isSegment(name: string): boolean {
  return name.endsWith(SUFFIX);
}

/** Null for a file that is no segment, or one of offsets that are not kept exactly here. */
export function baseOffsetOf(name: string): number | null {
  const digits = /^(\d{20})\.log$/.exec(name)?.[1];
  const offset = digits === undefined ? null : Number(digits);
  return offset !== null && Number.isSafeInteger(offset) ? offset : null;
}

export function openSegment(files: Files, folder: string, baseOffset: number, isNew: boolean): Segment {
  const path = `${folder}/${segmentName(baseOffset)}`;
  return { baseOffset, path, file: files.open(path), batches: [], size: 0, isNew };
}

export interface Scanned {
  readonly batches: PlacedBatch[];
  /** Where the first batch begins that is not whole, or does not follow; null if all are. */
  readonly problem: { readonly position: number; readonly kind: 'torn' | 'unsupported'; readonly what: string } | null;
}

/** Reads whole batches, the first of which must be at `nextOffset`, as far as they go. Every CRC is checked. */
export function scan(bytes: Uint8Array, nextOffset: number): Scanned {
  const batches: PlacedBatch[] = [];
  let expected = nextOffset;
  for (let position = 0; position < bytes.length; ) {
    const read = readHeader(bytes, position);
    if (isProblem(read)) {
      const kind = read.kind === 'unsupported' ? 'unsupported' : 'torn';
      return { batches, problem: { position, kind, what: read.what } };
    }
    if (read.baseOffset !== expected) {
      const kind = read.baseOffset > expected ? 'unsupported' : 'torn';
      const what = `its base offset is ${read.baseOffset}, where ${expected} would follow`;
      return { batches, problem: { position, kind, what } };
    }
    batches.push({ ...read, position });
    position += read.size;
    expected = read.lastOffset + 1;
  }
  return { batches, problem: null };
}
