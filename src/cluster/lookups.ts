/** Answers that need nothing but a look: who leads, where offsets and epochs are. */
import { readRecords } from '../disk/index.ts';
import type { OffsetsForLeaderEpochRequest, ReplicaId } from '../replica/index.ts';
import { errors, type Request, type RequestOf, type ResponseOf } from '../wire/index.ts';
import { addresses, type BrokerOptions, errorFor, isOurs } from './options.ts';
import { epochAnswer } from './translate.ts';

const NOT_ASKED_FOR = -2147483648;
const LATEST = -1n;
const EARLIEST = -2n;

export function metadata(options: BrokerOptions, { body, version }: Request<'Metadata'>): ResponseOf<'Metadata'> {
  const { config, host, member, nodeIdOf, topic } = options;
  const { leader, leaderEpoch } = member.replica.memory;
  const known = config.replicas.includes(leader);
  const partition = {
    ...{ errorCode: known ? errors.NONE : errors.LEADER_NOT_AVAILABLE, index: 0, leaderEpoch },
    ...{
      leaderId: known ? nodeIdOf(leader) : -1,
      replicas: config.replicas.map(nodeIdOf),
      isr: member.isr.map(nodeIdOf),
    },
  };
  const isForAll = body.topics === null || (version === 0 && body.topics.length === 0);
  const asked = isForAll ? [topic] : new Set(body.topics?.map(({ name }) => name));
  return {
    ...{ throttleTimeMs: 0, clusterId: 'leader-epoch', controllerId: -1, authorizedOperations: NOT_ASKED_FOR },
    brokers: host.brokers().map((broker) => ({ ...broker, rack: null })),
    topics: [...asked].map((name) => ({
      ...{ name, isInternal: false, authorizedOperations: NOT_ASKED_FOR },
      errorCode: name === topic ? errors.NONE : errors.UNKNOWN_TOPIC_OR_PARTITION,
      partitions: name === topic ? [{ ...partition, offline: [] }] : [],
    })),
  };
}

type OffsetQuestion = RequestOf<'ListOffsets'>['topics'][number]['partitions'][number];
type OffsetAnswer = ResponseOf<'ListOffsets'>['topics'][number]['partitions'][number];

export function listOffsets(
  options: BrokerOptions,
  { body: { replicaId, topics }, version }: Request<'ListOffsets'>,
): ResponseOf<'ListOffsets'> {
  const { disk, memory } = options.member.replica;
  const end = replicaId >= 0 ? disk.log.length : memory.hw;
  // A new leader's high watermark may be lower than what the one before has shown: no client is told so (KIP-207).
  const lags = replicaId < 0 && memory.hw < memory.epochStart;
  const notNow = version >= 5 ? errors.OFFSET_NOT_AVAILABLE : errors.LEADER_NOT_AVAILABLE;
  const find = (name: string, { currentLeaderEpoch, index, timestamp }: OffsetQuestion): OffsetAnswer => {
    const errorCode = errorFor(options, name, index, currentLeaderEpoch);
    const nothing = { index, errorCode, timestamp: -1n, offset: -1n, leaderEpoch: -1 };
    if (errorCode !== errors.NONE) return nothing;
    if (timestamp === EARLIEST) return { ...nothing, offset: 0n, leaderEpoch: disk.log[0]?.epoch ?? -1 };
    const found = timestamp === LATEST ? null : firstSince(timestamp, options, end);
    if (found !== null) return { ...nothing, ...found };
    if (lags) return { ...nothing, errorCode: notNow };
    return timestamp === LATEST ? { ...nothing, offset: BigInt(end), leaderEpoch: memory.leaderEpoch } : nothing;
  };
  return {
    throttleTimeMs: 0,
    topics: topics.map(({ name, partitions }) => ({ name, partitions: partitions.map((asked) => find(name, asked)) })),
  };
}

/** The first record that is not older; of a batch that is compressed, and is not looked into, the first of all. */
function firstSince(timestamp: bigint, { member }: BrokerOptions, end: number) {
  const { log } = member.store;
  for (const { baseOffset, compressed, epoch: leaderEpoch, lastOffset, maxTimestamp } of log.batches()) {
    if (lastOffset >= end) return null;
    if (maxTimestamp < timestamp) continue;
    const records = compressed ? [] : readRecords(log.read(baseOffset, end, 0)[0]!);
    const index = records.findIndex((record) => record.timestamp >= timestamp);
    if (index < 0) return { offset: BigInt(baseOffset), timestamp: maxTimestamp, leaderEpoch };
    return { offset: BigInt(baseOffset + index), timestamp: records[index]!.timestamp, leaderEpoch };
  }
  return null;
}

type EpochQuestion = RequestOf<'OffsetForLeaderEpoch'>['topics'][number]['partitions'][number];

/** Of a follower it is a step of the protocol; of a client only a look. */
export function epochEnds(
  options: BrokerOptions,
  { topics }: RequestOf<'OffsetForLeaderEpoch'>,
  follower: ReplicaId | null,
): ResponseOf<'OffsetForLeaderEpoch'> {
  const { member } = options;
  const answerFor = (name: string, { index, currentLeaderEpoch, leaderEpoch }: EpochQuestion) => {
    const none = { index, leaderEpoch: -1, endOffset: -1n };
    if (!isOurs(options, name, index)) return { ...none, errorCode: errors.UNKNOWN_TOPIC_OR_PARTITION };
    if (follower === null) {
      const errorCode = errorFor(options, name, index, currentLeaderEpoch);
      if (errorCode !== errors.NONE) return { ...none, errorCode };
      const { epoch, endOffset } = member.endOf(leaderEpoch);
      return { index, errorCode, leaderEpoch: epoch, endOffset: BigInt(endOffset) };
    }
    const question: OffsetsForLeaderEpochRequest = {
      ...addresses(options, follower, currentLeaderEpoch, 0),
      ...{ type: 'OffsetsForLeaderEpochRequest', asked: leaderEpoch },
    };
    const answer = member.answer(question);
    if (answer.type !== 'OffsetsForLeaderEpochResponse') throw new TypeError('Another question was answered');
    return epochAnswer(answer);
  };
  return {
    throttleTimeMs: 0,
    topics: topics.map(({ name, partitions }) => ({
      name,
      partitions: partitions.map((partition) => answerFor(name, partition)),
    })),
  };
}
