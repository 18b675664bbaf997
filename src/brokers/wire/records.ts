import { crc32 } from 'node:zlib';
import { crc32c } from '../../disk/index.ts';
import { Reader, Writer } from './bytes.ts';

/** A record as the specification knows it: the id is its value, in digits. */
export interface StoredRecord {
  readonly id: number;
  /** Of the batch (format 2). Earlier formats have none: there the producer noted its leader's epoch as the key. */
  readonly epoch: number;
}

export interface Batch {
  /** Where it begins in the bytes. */
  readonly position: number;
  readonly baseOffset: number;
  readonly records: readonly StoredRecord[];
}

/** A batch of format 2, one record for each value. */
export interface RecordBatch {
  readonly baseOffset: number;
  readonly leaderEpoch: number;
  readonly values: readonly Uint8Array[];
}

export type MessageFormat = 1 | 2;

const HEADER_LENGTH = 12;
const CONTROL_BATCH = 0x20;
/** Any will do: brokers are told to keep records for ever. */
const TIMESTAMP = 1;

/** One record in a batch of its own, for a Produce request. */
export function encodeRecord(format: MessageFormat, record: StoredRecord): Buffer {
  const value = Buffer.from(String(record.id));
  return format === 1
    ? legacyMessage(Buffer.from(String(record.epoch)), value)
    : recordBatch({ baseOffset: 0, leaderEpoch: -1, values: [value] });
}

/** Source: LegacyRecord, format 1. */
function legacyMessage(key: Buffer, value: Buffer): Buffer {
  const content = new Writer().int8(1).int8(0).int64(TIMESTAMP).bytes(key).bytes(value).toBuffer();
  const message = new Writer().uint32(crc32(content)).raw(content).toBuffer();
  return new Writer().int64(0).bytes(message).toBuffer();
}

/** Source: DefaultRecordBatch, DefaultRecord. The checksum covers all after itself; the leader epoch stands before it. */
export function recordBatch({ baseOffset, leaderEpoch, values }: RecordBatch): Buffer {
  const content = new Writer()
    .int16(0)
    .int32(values.length - 1)
    .int64(TIMESTAMP)
    .int64(TIMESTAMP)
    .int64(-1)
    .int16(-1)
    .int32(-1)
    .int32(values.length);
  values.forEach((value, offsetDelta) => {
    const head = new Writer().int8(0).varint(0).varint(offsetDelta).varint(-1).varint(value.length);
    const record = head.raw(value).varint(0).toBuffer();
    content.varint(record.length).raw(record);
  });
  const rest = content.toBuffer();
  const tail = new Writer().int32(leaderEpoch).int8(2).uint32(crc32c(rest)).raw(rest).toBuffer();
  return new Writer().int64(baseOffset).bytes(tail).toBuffer();
}

/** The whole batches at the beginning of the bytes: of a segment, or of a Fetch reply, which may end in the midst of one. */
export function batchesOf(bytes: Buffer): Batch[] {
  const batches: Batch[] = [];
  for (let position = 0; position + HEADER_LENGTH <= bytes.length; ) {
    const length = bytes.readInt32BE(position + 8);
    const end = position + HEADER_LENGTH + length;
    // A segment may have been allocated in advance: zeros follow its last batch.
    if (length <= 0 || end > bytes.length) break;
    batches.push(readBatch(bytes.subarray(position, end), position));
    position = end;
  }
  return batches;
}

function readBatch(bytes: Buffer, position: number): Batch {
  const reader = new Reader(bytes);
  const baseOffset = reader.int64();
  reader.int32();
  // In both layouts: four bytes (checksum, or leader epoch), then the format.
  const fourBytes = reader.int32();
  const format = reader.int8();
  if (format === 2) return { position, baseOffset, records: readRecords(reader, fourBytes) };
  reader.int8();
  if (format === 1) reader.int64();
  const [key, value] = [reader.bytes(), reader.bytes()];
  return { position, baseOffset, records: [{ id: number(value), epoch: number(key) }] };
}

function readRecords(reader: Reader, epoch: number): StoredRecord[] {
  reader.uint32();
  const attributes = reader.int16();
  reader.raw(4 + 8 + 8 + 8 + 2 + 4);
  const records = Array.from({ length: reader.int32() }, () => {
    const end = reader.varint() + reader.position;
    reader.int8();
    reader.varint();
    reader.varint();
    reader.raw(Math.max(reader.varint(), 0));
    const value = reader.raw(Math.max(reader.varint(), 0));
    reader.position = end;
    return { id: number(value), epoch };
  });
  return (attributes & CONTROL_BATCH) === 0 ? records : [];
}

function number(digits: Buffer | null): number {
  const text = digits?.toString('latin1') ?? '';
  if (/^\d+$/.test(text)) return Number(text);
  throw new RangeError(`a record that is not one of this program's: ${JSON.stringify(text)}`);
}
