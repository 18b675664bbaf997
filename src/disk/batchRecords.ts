/**
 * The records within a batch.
 *
 * Source: DefaultRecord.
 */
import { AT, COMPRESSION } from './batchLayout.ts';
import { readVarint, varintBytes } from './varint.ts';

export interface BatchRecord {
  readonly timestamp: bigint;
  readonly key: Uint8Array | null;
  readonly value: Uint8Array | null;
  readonly headers: readonly { readonly key: string; readonly value: Uint8Array | null }[];
}

export type NewRecord = Pick<BatchRecord, 'value'> & Partial<BatchRecord>;

export function encodeRecord(record: NewRecord, offsetDelta: number, timestampDelta: bigint): Buffer {
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

/** The records of a whole batch; a RangeError if they are not what its header says, or compressed. */
export function readRecords(batch: Uint8Array): BatchRecord[] {
  const view = new DataView(batch.buffer, batch.byteOffset, batch.byteLength);
  if ((view.getInt16(AT.attributes) & COMPRESSION) !== 0) throw new RangeError('they are compressed');
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
