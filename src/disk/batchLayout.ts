/**
 * Where the fields of a record batch of magic 2 stand.
 *
 * Source: DefaultRecordBatch.
 */
export const AT = {
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

/** Base offset and length: what stands before the bytes that the length counts. */
export const LOG_OVERHEAD = 12;
export const MAGIC = 2;
export const NO_PRODUCER = -1;
export const COMPRESSION = 0x07;
/** Bytes of a record without key, value and headers. */
export const LEAST_RECORD = 7;
