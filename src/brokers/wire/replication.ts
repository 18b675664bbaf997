import { Reader } from './bytes.ts';
import { batchesOf, type StoredRecord } from './records.ts';

/**
 * What replication says on the wire, about one partition: Fetch up to version 12 and OffsetForLeaderEpoch up to version 4.
 * Source: clients/src/main/resources/common/message/*.json (2.8), and before that Protocol.java (0.10.2).
 */
export const FETCH = 1;
export const OFFSET_FOR_LEADER_EPOCH = 23;
const FLEXIBLE_FETCH = 12;
const FLEXIBLE_EPOCHS = 4;

export interface Partition {
  readonly topic: string;
  readonly index: number;
}

export interface FetchQuestion {
  readonly offset: number;
  /** Since version 9; null before. */
  readonly leaderEpoch: number | null;
  /** Since version 12; -1 before. */
  readonly lastFetchedEpoch: number;
}

export interface EpochQuestion {
  readonly asked: number;
  /** Since version 2; null before. */
  readonly leaderEpoch: number | null;
}

export interface FetchAnswer {
  readonly errorCode: number;
  readonly hw: number;
  readonly records: readonly StoredRecord[];
  readonly diverging: EpochEnd;
}

/** Both -1: nowhere. */
export interface EpochEnd {
  readonly epoch: number;
  readonly endOffset: number;
}

export type EpochAnswer = EpochEnd & { readonly errorCode: number };

const NOWHERE: EpochEnd = { epoch: -1, endOffset: -1 };

/** What is asked about the partition; null if it is not among those in the request. The frame has its header. */
export function readFetchRequest(frame: Buffer, partition: Partition): FetchQuestion | null {
  const { reader, version } = readHeader(frame, FLEXIBLE_FETCH);
  reader.raw(4 + 4 + 4);
  if (version >= 3) reader.int32();
  if (version >= 4) reader.int8();
  if (version >= 7) reader.raw(4 + 4);
  return find(reader, version >= FLEXIBLE_FETCH, partition, () => {
    const index = reader.int32();
    const leaderEpoch = version >= 9 ? reader.int32() : null;
    const offset = reader.int64();
    const lastFetchedEpoch = version >= 12 ? reader.int32() : -1;
    if (version >= 5) reader.int64();
    reader.int32();
    return { index, value: { offset, leaderEpoch, lastFetchedEpoch } };
  });
}

/** `version`: the request's. Null if the reply says nothing about the partition. */
export function readFetchReply(frame: Buffer, version: number, partition: Partition): FetchAnswer | null {
  const flexible = version >= FLEXIBLE_FETCH;
  const reader = readReplyHeader(frame, flexible);
  if (version >= 1) reader.int32();
  if (version >= 7) reader.raw(2 + 4);
  return find(reader, flexible, partition, () => {
    const index = reader.int32();
    const errorCode = reader.int16();
    const hw = reader.int64();
    if (version >= 4) reader.int64();
    if (version >= 5) reader.int64();
    if (version >= 4) skipAborted(reader, flexible);
    if (version >= 11) reader.int32();
    const bytes = (flexible ? reader.compactBytes() : reader.bytes()) ?? Buffer.alloc(0);
    const records = batchesOf(bytes).flatMap((batch) => batch.records);
    return {
      index,
      value: { errorCode, hw, records, diverging: NOWHERE },
      tagged: (value, tags) => ({ ...value, diverging: readEpochEnd(tags.get(DIVERGING_EPOCH)) }),
    };
  });
}

const DIVERGING_EPOCH = 0;

function readEpochEnd(bytes: Buffer | undefined): EpochEnd {
  if (bytes === undefined) return NOWHERE;
  const reader = new Reader(bytes);
  return { epoch: reader.int32(), endOffset: reader.int64() };
}

function skipAborted(reader: Reader, flexible: boolean): void {
  const skip = (): void => {
    reader.raw(8 + 8);
    if (flexible) reader.tags();
  };
  if (flexible) reader.compactArray(skip);
  else reader.array(skip);
}

export function readEpochRequest(frame: Buffer, partition: Partition): EpochQuestion | null {
  const { reader, version } = readHeader(frame, FLEXIBLE_EPOCHS);
  if (version >= 3) reader.int32();
  return find(reader, version >= FLEXIBLE_EPOCHS, partition, () => {
    const index = reader.int32();
    const leaderEpoch = version >= 2 ? reader.int32() : null;
    return { index, value: { leaderEpoch, asked: reader.int32() } };
  });
}

export function readEpochReply(frame: Buffer, version: number, partition: Partition): EpochAnswer | null {
  const flexible = version >= FLEXIBLE_EPOCHS;
  const reader = readReplyHeader(frame, flexible);
  if (version >= 2) reader.int32();
  return find(reader, flexible, partition, () => {
    const errorCode = reader.int16();
    const index = reader.int32();
    const epoch = version >= 1 ? reader.int32() : -1;
    return { index, value: { errorCode, epoch, endOffset: reader.int64() } };
  });
}

interface Found<T> {
  readonly index: number;
  readonly value: T;
  readonly tagged?: (value: T, tags: ReadonlyMap<number, Buffer>) => T;
}

/** Topics with their partitions, as they stand in all four messages. */
function find<T>(reader: Reader, flexible: boolean, wanted: Partition, read: () => Found<T>): T | null {
  let found: T | null = null;
  const times = <U>(one: () => U): U[] => (flexible ? reader.compactArray(one) : reader.array(one));
  times(() => {
    const topic = flexible ? reader.compactString() : reader.string();
    times(() => {
      const { index, value, tagged } = read();
      const tags = flexible ? reader.tags() : new Map<number, Buffer>();
      if (topic === wanted.topic && index === wanted.index) found = tagged?.(value, tags) ?? value;
    });
    if (flexible) reader.tags();
  });
  return found;
}

function readHeader(frame: Buffer, firstFlexible: number): { reader: Reader; version: number } {
  const reader = new Reader(frame);
  reader.int16();
  const version = reader.int16();
  reader.int32();
  reader.string();
  if (version >= firstFlexible) reader.tags();
  return { reader, version };
}

function readReplyHeader(frame: Buffer, flexible: boolean): Reader {
  const reader = new Reader(frame);
  reader.int32();
  if (flexible) reader.tags();
  return reader;
}
