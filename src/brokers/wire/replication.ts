import { apis, readRequestOf, readResponseOf } from '../../wire/index.ts';
import { batchesOf, type StoredRecord } from './records.ts';

/** What replicas say to each other about one partition, as the gates hold it: Fetch and OffsetForLeaderEpoch. */
export const FETCH = apis.Fetch.key;
export const OFFSET_FOR_LEADER_EPOCH = apis.OffsetForLeaderEpoch.key;

/** The first versions that say which leader epoch the asker knows (KIP-320); from 12 on a Fetch has diverging epochs (KIP-595). */
const FETCH_WITH_EPOCH = 9;
const LOOK_UP_WITH_EPOCH = 2;

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

/** What is asked about the partition; null if it is not among those in the request. The frame has its header. */
export function readFetchRequest(frame: Buffer, partition: Partition): FetchQuestion | null {
  const { version, body } = readRequestOf('Fetch', frame);
  const found = find(body.topics, partition);
  if (found === null) return null;
  const { fetchOffset, currentLeaderEpoch, lastFetchedEpoch } = found;
  const leaderEpoch = version >= FETCH_WITH_EPOCH ? currentLeaderEpoch : null;
  return { offset: Number(fetchOffset), leaderEpoch, lastFetchedEpoch };
}

/** `version`: the request's. Null if the reply says nothing about the partition. */
export function readFetchReply(frame: Buffer, version: number, partition: Partition): FetchAnswer | null {
  const found = find(readResponseOf('Fetch', version, frame).topics, partition);
  if (found === null) return null;
  const { errorCode, highWatermark, divergingEpoch, records } = found;
  const { epoch, endOffset } = divergingEpoch ?? { epoch: -1, endOffset: -1n };
  return {
    errorCode,
    hw: Number(highWatermark),
    records: batchesOf(Buffer.from(records ?? [])).flatMap((batch) => batch.records),
    diverging: { epoch, endOffset: Number(endOffset) },
  };
}

export function readEpochRequest(frame: Buffer, partition: Partition): EpochQuestion | null {
  const { version, body } = readRequestOf('OffsetForLeaderEpoch', frame);
  const found = find(body.topics, partition);
  if (found === null) return null;
  return {
    asked: found.leaderEpoch,
    leaderEpoch: version >= LOOK_UP_WITH_EPOCH ? found.currentLeaderEpoch : null,
  };
}

export function readEpochReply(frame: Buffer, version: number, partition: Partition): EpochAnswer | null {
  const found = find(readResponseOf('OffsetForLeaderEpoch', version, frame).topics, partition);
  if (found === null) return null;
  return { errorCode: found.errorCode, epoch: found.leaderEpoch, endOffset: Number(found.endOffset) };
}

/** Topics with their partitions, as they stand in all four messages. */
function find<P extends { readonly index: number }>(
  topics: readonly { readonly name: string; readonly partitions: readonly P[] }[],
  { topic, index }: Partition,
): P | null {
  return topics.find(({ name }) => name === topic)?.partitions.find((one) => one.index === index) ?? null;
}
