/**
 * Record batches of magic 2, the unit of Kafka's logs and of its wire: what the header of one says, and whether it is whole.
 *
 * Source: DefaultRecordBatch.
 */
import { AT, COMPRESSION, LOG_OVERHEAD, MAGIC } from './batchLayout.ts';
import { type BatchProblem, invalid, notItsCrc } from './batchProblem.ts';
import { crc32c } from './crc32c.ts';
import { readOldMessage } from './oldMessage.ts';

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
  if (crc !== computed) return notItsCrc(crc, computed);
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
