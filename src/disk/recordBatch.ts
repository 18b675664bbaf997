/**
 * Record batches of magic 2, the unit of Kafka's logs and of its wire.
 *
 * Source: DefaultRecordBatch, DefaultRecord.
 */
import { crc32 } from 'node:zlib';
import { crc32c } from './crc32c.ts';
import { readVarint, varintBytes } from './varint.ts';

/** Where the fields of a batch stand. */
const AT = {
  baseOffset: 0,
  length: 8,
  epoch: 12,
  magic: 16,
  crc: 17,
  attributes: 21,
  lastOffsetDelta: 23,
  baseTimestamp: 27,
  maxTimestamp: 35,
  producerId: 43,
  producerEpoch: 51,
  baseSequence: 53,
  count: 57,
  records: 61,
} as const;

/** Where the fields of older messages stand. */
const OLD = { crc: 12, magic: 16, attributes: 17, timestamp: 18 } as const;

/** Base offset and length: what stands before the bytes that the length counts. */
export const LOG_OVERHEAD = 12;
const MAGIC = 2;
const NO_PRODUCER = -1;
const COMPRESSION = 0x07;

export interface BatchHeader {
  readonly baseOffset: number;
  /** Of the whole batch, in bytes. */
  readonly size: number;
  readonly epoch: number;
  readonly lastOffset: number;
  readonly maxTimestamp: bigint;
  readonly magic: number;
  readonly compressed: boolean;
}

export interface BatchRecord {
  readonly timestamp: bigint;
  readonly key: Uint8Array | null;
  readonly value: Uint8Array | null;
  readonly headers: readonly { readonly key: string; readonly value: Uint8Array | null }[];
}

export interface NewBatch {
  readonly baseOffset: number;
  readonly epoch: number;
  readonly records: readonly (Pick<BatchRecord, 'value'> & Partial<BatchRecord>)[];
}

export function encodeBatch({ baseOffset, epoch, records }: NewBatch): Buffer {
  const times = records.map(({ timestamp }) => timestamp ?? 0n);
  const first = times[0] ?? 0n;
  const body = Buffer.concat(records.map((record, delta) => encodeRecord(record, delta, (times[delta] ?? 0n) - first)));
  const batch = Buffer.alloc(AT.records + body.length);
  batch.writeBigInt64BE(BigInt(baseOffset), AT.baseOffset);
  batch.writeInt32BE(batch.length - LOG_OVERHEAD, AT.length);
  batch.writeInt32BE(epoch, AT.epoch);
  batch.writeInt8(MAGIC, AT.magic);
  batch.writeInt32BE(records.length - 1, AT.lastOffsetDelta);
  batch.writeBigInt64BE(first, AT.baseTimestamp);
  batch.writeBigInt64BE(latest(times), AT.maxTimestamp);
  batch.writeBigInt64BE(BigInt(NO_PRODUCER), AT.producerId);
  batch.writeInt16BE(NO_PRODUCER, AT.producerEpoch);
  batch.writeInt32BE(NO_PRODUCER, AT.baseSequence);
  batch.writeInt32BE(records.length, AT.count);
  body.copy(batch, AT.records);
  batch.writeUInt32BE(crc32c(batch.subarray(AT.attributes)), AT.crc);
  return batch;
}

function latest(times: readonly bigint[]): bigint {
  let found = times[0] ?? 0n;
  for (const time of times) if (time > found) found = time;
  return found;
}

/** The same batch at another offset, in another epoch: both stand outside what the CRC covers. */
export function placed(batch: Uint8Array, baseOffset: number, epoch: number): Buffer {
  const copy = Buffer.from(batch);
  copy.writeBigInt64BE(BigInt(baseOffset), AT.baseOffset);
  copy.writeInt32BE(epoch, AT.epoch);
  return copy;
}

function encodeRecord(record: NewBatch['records'][number], offsetDelta: number, timestampDelta: bigint): Buffer {
  const { key = null, value, headers = [] } = record;
  const parts: (Uint8Array | number[])[] = [[0], varintBytes(timestampDelta), varintBytes(BigInt(offsetDelta))];
  const withLength = (bytes: Uint8Array | null) => {
    parts.push(varintBytes(bytes === null ? -1n : BigInt(bytes.length)));
    if (bytes !== null) parts.push(bytes);
  };
  withLength(key);
  withLength(value);
  parts.push(varintBytes(BigInt(headers.length)));
  for (const header of headers) {
    withLength(Buffer.from(header.key));
    withLength(header.value);
  }
  const body = Buffer.concat(parts.map((part) => Uint8Array.from(part)));
  return Buffer.concat([Uint8Array.from(varintBytes(BigInt(body.length))), body]);
}

/** What is wrong with the bytes from `at` on as a batch: `cut` if more bytes could still make it whole. */
export type BatchProblem = { readonly kind: 'cut' | 'invalid' | 'unsupported'; readonly what: string };

/** Reads the header of the batch that begins at `at`, and checks the batch as a whole. */
export function readHeader(bytes: Uint8Array, at: number): BatchHeader | BatchProblem {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const left = bytes.length - at;
  if (left < LOG_OVERHEAD) return { kind: 'cut', what: `${left} bytes are no whole batch` };
  const size = view.getInt32(at + AT.length) + LOG_OVERHEAD;
  if (size < AT.magic + 1) return invalid(`its length field says ${size - LOG_OVERHEAD}`);
  const magic = left > AT.magic ? view.getInt8(at + AT.magic) : MAGIC;
  if (magic === 0 || magic === 1) return readOldMessage(bytes.subarray(at), size, magic);
  if (magic !== MAGIC) return invalid(`its magic is ${magic}, not ${MAGIC}`);
  if (size < AT.records) return invalid(`its length field says ${size - LOG_OVERHEAD}`);
  if (left < size) return { kind: 'cut', what: `${left} bytes are there of a batch of ${size}` };

  const batch = bytes.subarray(at, at + size);
  const crc = view.getUint32(at + AT.crc);
  const computed = crc32c(batch.subarray(AT.attributes));
  if (crc !== computed) return invalid(`its CRC is ${hex(crc)}, and that of its bytes ${hex(computed)}`);
  const baseOffset = Number(view.getBigInt64(at + AT.baseOffset));
  const lastOffsetDelta = view.getInt32(at + AT.lastOffsetDelta);
  const count = view.getInt32(at + AT.count);
  if (!Number.isSafeInteger(baseOffset) || baseOffset < 0) return invalid(`its base offset is ${baseOffset}`);
  if (count < 1 || lastOffsetDelta !== count - 1) {
    return { kind: 'unsupported', what: `it has ${count} records for ${lastOffsetDelta + 1} offsets (compacted?)` };
  }
  return {
    baseOffset,
    size,
    epoch: view.getInt32(at + AT.epoch),
    lastOffset: baseOffset + lastOffsetDelta,
    maxTimestamp: view.getBigInt64(at + AT.maxTimestamp),
    magic,
    compressed: (view.getInt16(at + AT.attributes) & COMPRESSION) !== 0,
  };
}

export function isProblem(read: BatchHeader | BatchProblem): read is BatchProblem {
  return 'kind' in read;
}

/**
 * A message of the formats before 0.11: one record, of no epoch.
 *
 * Source: LegacyRecord.
 */
function readOldMessage(bytes: Uint8Array, size: number, magic: number): BatchHeader | BatchProblem {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < size) return { kind: 'cut', what: `${bytes.length} bytes are there of a message of ${size}` };
  if (size < OLD.timestamp + (magic === 1 ? 8 : 0)) return invalid(`its length field says ${size - LOG_OVERHEAD}`);
  const [crc, computed] = [view.getUint32(OLD.crc), crc32(bytes.subarray(OLD.magic, size))];
  if (crc !== computed) return invalid(`its CRC is ${hex(crc)}, and that of its bytes ${hex(computed)}`);
  if ((view.getInt8(OLD.attributes) & COMPRESSION) !== 0) {
    return { kind: 'unsupported', what: `it is a compressed message of magic ${magic}` };
  }
  const baseOffset = Number(view.getBigInt64(AT.baseOffset));
  const maxTimestamp = magic === 1 ? view.getBigInt64(OLD.timestamp) : -1n;
  return { baseOffset, size, epoch: -1, lastOffset: baseOffset, maxTimestamp, magic, compressed: false };
}

/** The records of a whole, uncompressed batch; a RangeError if they are not what its header says. */
export function readRecords(batch: Uint8Array): BatchRecord[] {
  const view = new DataView(batch.buffer, batch.byteOffset, batch.byteLength);
  const first = view.getBigInt64(AT.baseTimestamp);
  const count = view.getInt32(AT.count);
  const records: BatchRecord[] = [];
  let at: number = AT.records;
  const number = (): number => {
    const { value, next } = readVarint(batch, at);
    at = next;
    return Number(value);
  };
  const bytesOf = (length: number): Uint8Array | null => {
    if (length < 0) return null;
    if (at + length > batch.length) throw new RangeError('a record is cut off');
    at += length;
    return batch.subarray(at - length, at);
  };
  for (let i = 0; i < count; i++) {
    const end = number() + at;
    at += 1;
    const timestamp = readVarint(batch, at);
    at = timestamp.next;
    number();
    const key = bytesOf(number());
    const value = bytesOf(number());
    const headers = Array.from({ length: within(number(), batch.length) }, () => ({
      key: Buffer.from(bytesOf(number()) ?? []).toString(),
      value: bytesOf(number()),
    }));
    if (at !== end) throw new RangeError('a record is longer or shorter than it says');
    records.push({ timestamp: first + timestamp.value, key, value, headers });
  }
  if (at !== batch.length) throw new RangeError('there are bytes after the last record');
  return records;
}

function within(count: number, limit: number): number {
  if (count < 0 || count > limit) throw new RangeError(`a record cannot have ${count} headers`);
  return count;
}

function invalid(what: string): BatchProblem {
  return { kind: 'invalid', what };
}

function hex(number: number): string {
  return `0x${number.toString(16).padStart(8, '0')}`;
}
