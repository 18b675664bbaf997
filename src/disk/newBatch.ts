import { AT, LOG_OVERHEAD, MAGIC, NO_PRODUCER } from './batchLayout.ts';
import { encodeRecord, type NewRecord } from './batchRecords.ts';
import { crc32c } from './crc32c.ts';

export interface NewBatch {
  readonly baseOffset: number;
  readonly epoch: number;
  readonly records: readonly NewRecord[];
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
