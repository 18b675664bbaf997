import { crc32 } from 'node:zlib';
import { AT, COMPRESSION, LOG_OVERHEAD } from './batchLayout.ts';
import { type BatchProblem, invalid, notItsCrc } from './batchProblem.ts';
import type { BatchHeader } from './recordBatch.ts';

/** Where the fields of older messages stand. */
const OLD = { crc: 12, magic: 16, attributes: 17, timestamp: 18 } as const;

/**
 * A message of the formats before 0.11: one record, of no epoch.
 *
 * Source: LegacyRecord.
 */
export function readOldMessage(bytes: Uint8Array, size: number, magic: number): BatchHeader | BatchProblem {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < size) return { kind: 'cut', what: `${bytes.length} bytes are there of a message of ${size}` };
  if (size < OLD.timestamp + (magic === 1 ? 8 : 0)) return invalid(`its length field says ${size - LOG_OVERHEAD}`);
  const [crc, computed] = [view.getUint32(OLD.crc), crc32(bytes.subarray(OLD.magic, size))];
  if (crc !== computed) return notItsCrc(crc, computed);
  if ((view.getInt8(OLD.attributes) & COMPRESSION) !== 0) {
    return { kind: 'unsupported', what: `it is a compressed message of magic ${magic}` };
  }
  const baseOffset = Number(view.getBigInt64(AT.baseOffset));
  const maxTimestamp = magic === 1 ? view.getBigInt64(OLD.timestamp) : -1n;
  return { baseOffset, size, epoch: -1, lastOffset: baseOffset, maxTimestamp, magic, compressed: false };
}
