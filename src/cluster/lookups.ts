/** Answers that need nothing but a look: who leads, where offsets and epochs are. */
import type { OffsetsForLeaderEpochRequest, ReplicaId } from '../replica/index.ts';
import { errors, type RequestOf, type ResponseOf } from '../wire/index.ts';
import { addresses, type BrokerOptions, errorFor, isOurs } from './options.ts';
import { epochAnswer } from './translate.ts';

const NOT_ASKED_FOR = -2147483648;
const LATEST = -1n;
const EARLIEST = -2n;

export function metadata(options: BrokerOptions, { topics }: RequestOf<'Metadata'>): ResponseOf<'Metadata'> {
  const { config, host, member, nodeIdOf, topic } = options;
  const { isr, leader, leaderEpoch } = member.replica.memory;
  const known = config.replicas.includes(leader);
  const replicas = config.replicas.map(nodeIdOf);
  const partition = {
    ...{ errorCode: known ? errors.NONE : errors.LEADER_NOT_AVAILABLE, index: 0, leaderEpoch },
    ...{ leaderId: known ? nodeIdOf(leader) : -1, replicas, isr: isr.length > 0 ? isr.map(nodeIdOf) : replicas },
  };
  const asked = topics === null || topics.length === 0 ? [topic] : topics.map(({ name }) => name);
  return {
    ...{ throttleTimeMs: 0, clusterId: 'leader-epoch', controllerId: -1, authorizedOperations: NOT_ASKED_FOR },
    brokers: host.brokers().map((broker) => ({ ...broker, rack: null })),
    topics: asked.map((name) => ({
      ...{ name, isInternal: false, authorizedOperations: NOT_ASKED_FOR },
      errorCode: name === topic ? errors.NONE : errors.UNKNOWN_TOPIC_OR_PARTITION,
      partitions: name === topic ? [{ ...partition, offline: [] }] : [],
    })),
  };
}

export function listOffsets(
  options: BrokerOptions,
  { replicaId, topics }: RequestOf<'ListOffsets'>,
): ResponseOf<'ListOffsets'> {
  const { member } = options;
  const { disk, memory } = member.replica;
  const found = (name: string, index: number, epoch: number, timestamp: bigint) => {
    const errorCode = errorFor(options, name, index, epoch);
    const nothing = { index, errorCode, timestamp: -1n, offset: -1n, leaderEpoch: -1 };
    if (errorCode !== errors.NONE) return nothing;
    const end = replicaId >= 0 ? disk.log.length : memory.hw;
    if (timestamp === LATEST) return { ...nothing, offset: BigInt(end), leaderEpoch: memory.leaderEpoch };
    if (timestamp === EARLIEST) return { ...nothing, offset: 0n, leaderEpoch: disk.log[0]?.epoch ?? -1 };
    for (const { baseOffset, epoch: leaderEpoch, lastOffset, maxTimestamp } of member.store.log.batches()) {
      if (lastOffset >= end) break;
      if (maxTimestamp < timestamp) continue;
      return { ...nothing, offset: BigInt(baseOffset), timestamp: maxTimestamp, leaderEpoch };
    }
    return nothing;
  };
  return {
    throttleTimeMs: 0,
    topics: topics.map(({ name, partitions }) => ({
      name,
      partitions: partitions.map((asked) => found(name, asked.index, asked.currentLeaderEpoch, asked.timestamp)),
    })),
  };
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
