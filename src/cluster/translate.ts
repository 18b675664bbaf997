/** Between the protocol's messages and Kafka's: which version a release speaks, and what of a message that carries. */
import { scan } from '../disk/index.ts';
import type {
  FetchError,
  FetchRequest,
  FetchResponse,
  OffsetsForLeaderEpochRequest,
  OffsetsForLeaderEpochResponse,
  Profile,
} from '../replica/index.ts';
import {
  decodeRequest,
  decodeResponse,
  errors,
  type RequestOf,
  type ResponseOf,
  topicId,
  WireError,
} from '../wire/index.ts';

/**
 * A fetch carries the leader epoch since 2.1, and the last fetched epoch since 2.7. In which of its lives a replica asks is of
 * use to a leader that asks the controller for another ISR (KIP-903).
 */
export function fetchVersion({ asksForIsr, fenced, truncation }: Profile): number {
  if (asksForIsr) return 15;
  if (truncation === 'insideFetch') return 12;
  return fenced ? 9 : 5;
}

/** The answer has its epoch since 2.0, the question the leader epoch since 2.1. */
export function epochVersion({ fenced, truncation }: Profile): number {
  if (truncation !== 'epochAndOffset') return 0;
  return fenced ? 3 : 1;
}

const CODES: Readonly<Record<FetchError, number>> = {
  none: errors.NONE,
  NOT_LEADER: errors.NOT_LEADER_OR_FOLLOWER,
  FENCED_LEADER_EPOCH: errors.FENCED_LEADER_EPOCH,
  UNKNOWN_LEADER_EPOCH: errors.UNKNOWN_LEADER_EPOCH,
  OFFSET_OUT_OF_RANGE: errors.OFFSET_OUT_OF_RANGE,
};

export function codeOf(error: FetchError): number {
  return CODES[error];
}

/** A code that a follower has no other answer to than to try again is taken for "not leader". */
export function errorOf(code: number): FetchError {
  const found = (Object.keys(CODES) as FetchError[]).find((error) => CODES[error] === code);
  return found ?? 'NOT_LEADER';
}

export interface Place {
  readonly topic: string;
  readonly replicaId: number;
}

const MAX_BYTES = 1 << 20;

/** `version`: since 13 topics have ids, and since 15 replicas have lives. */
export function fetchBody(
  question: FetchRequest,
  { replicaId, topic }: Place,
  version: number,
  maxWaitMs: number,
): RequestOf<'Fetch'> {
  const partition = {
    ...{ index: 0, logStartOffset: 0n, maxBytes: MAX_BYTES },
    fetchOffset: BigInt(question.offset),
    currentLeaderEpoch: question.leaderEpoch,
    lastFetchedEpoch: question.lastFetchedEpoch,
  };
  return {
    ...{ replicaId, maxWaitMs, minBytes: 1, maxBytes: MAX_BYTES, isolationLevel: 0 },
    ...{ sessionId: 0, sessionEpoch: -1, forgotten: [], rackId: '' },
    replicaState: version < 15 ? null : { replicaId, replicaEpoch: BigInt(question.incarnation) },
    topics: [{ name: version < 13 ? topic : topicId(topic), partitions: [partition] }],
  };
}

export type FetchPartition = ResponseOf<'Fetch'>['topics'][number]['partitions'][number];

export function fetchAnswer(answer: FetchResponse, batches: readonly Uint8Array[]): FetchPartition {
  const { diverging, error, hw } = answer;
  return {
    ...{ index: 0, errorCode: codeOf(error), logStartOffset: error === 'none' ? 0n : -1n },
    ...{ highWatermark: BigInt(hw), lastStableOffset: BigInt(hw), abortedTransactions: null, preferredReadReplica: -1 },
    divergingEpoch: diverging.endOffset === -1 ? null : { ...diverging, endOffset: BigInt(diverging.endOffset) },
    records: Buffer.concat(batches),
  };
}

/** What a follower reads in an answer. A last batch that is cut off, as leaders may send it, is left out. A WireError if no leader says so. */
export function readFetchAnswer(
  question: FetchRequest,
  partition: FetchPartition,
  identify: (batch: Uint8Array) => readonly number[],
): { readonly answer: FetchResponse; readonly batches: readonly Uint8Array[] } {
  const { errorCode, highWatermark, records } = partition;
  const divergingEpoch = errorCode === errors.NONE ? partition.divergingEpoch : null;
  if (errorCode === errors.NONE) need(highWatermark >= 0n, `a high watermark is ${highWatermark}`);
  if (divergingEpoch !== null) {
    need(divergingEpoch.epoch >= 0, `an epoch is ${divergingEpoch.epoch}`);
    need(divergingEpoch.endOffset >= 0n, `an epoch ends at ${divergingEpoch.endOffset}`);
  }
  const bytes = records ?? new Uint8Array();
  const found = scan(bytes, question.offset).batches;
  for (const { epoch } of found) need(epoch >= 0, `a batch is of epoch ${epoch}`);
  const batches = found.map(({ position, size }) => bytes.subarray(position, position + size));
  const answer: FetchResponse = {
    ...question,
    type: 'FetchResponse',
    error: errorOf(errorCode),
    diverging: divergingEpoch
      ? { epoch: divergingEpoch.epoch, endOffset: Number(divergingEpoch.endOffset) }
      : { epoch: -1, endOffset: -1 },
    endOffset: -1,
    hw: Number(highWatermark),
    records: found.flatMap(({ epoch }, i) => identify(batches[i]!).map((id) => ({ id, epoch }))),
  };
  return { answer, batches };
}

export function epochBody(
  { asked, leaderEpoch }: OffsetsForLeaderEpochRequest,
  { replicaId, topic }: Place,
): RequestOf<'OffsetForLeaderEpoch'> {
  const partition = { index: 0, currentLeaderEpoch: leaderEpoch, leaderEpoch: asked };
  return { replicaId, topics: [{ name: topic, partitions: [partition] }] };
}

export type EpochPartition = ResponseOf<'OffsetForLeaderEpoch'>['topics'][number]['partitions'][number];

export function epochAnswer({ endOffset, epoch, error }: OffsetsForLeaderEpochResponse): EpochPartition {
  return { index: 0, errorCode: codeOf(error), leaderEpoch: epoch, endOffset: BigInt(endOffset) };
}

export function readEpochAnswer(
  question: OffsetsForLeaderEpochRequest,
  { endOffset, errorCode, leaderEpoch }: EpochPartition,
): OffsetsForLeaderEpochResponse {
  need(endOffset >= UNDEFINED_OFFSET, `an epoch ends at ${endOffset}`);
  need(leaderEpoch >= UNDEFINED, `an epoch is ${leaderEpoch}`);
  return {
    ...question,
    type: 'OffsetsForLeaderEpochResponse',
    error: errorOf(errorCode),
    epoch: leaderEpoch,
    endOffset: Number(endOffset),
  };
}

const UNDEFINED = -1;
const UNDEFINED_OFFSET = -1n;

function need(holds: boolean, otherwise: string): void {
  if (!holds) throw new WireError(`In an answer ${otherwise}`);
}

/** Why brokers cannot follow this rule with the messages that Kafka has, or null. */
export function whyNotCarried({ hwWaitsForFollowers }: Profile): string | null {
  return hwWaitsForFollowers ? "no version of Fetch carries a follower's high watermark" : null;
}

/** Why they cannot do all that this rule allows, or null. */
export function whyNotOnWire(profile: Profile): string | null {
  if (profile.lateReplies === 'ignored') return whyNotCarried(profile);
  return 'a connection that is closed loses what is under way: no reply comes later';
}

interface Sent {
  readonly follower: string;
  readonly leader: string;
  readonly incarnation: number;
  /** Which the follower was in: not in every version. */
  readonly leaderEpoch: number;
}

/** A follower's question as its frame has it. A WireError if it is none. */
export function questionIn(frame: Uint8Array, sent: Sent): FetchRequest | OffsetsForLeaderEpochRequest {
  const request = decodeRequest(frame);
  const inEpoch = (current: number): Sent => (current === -1 ? sent : { ...sent, leaderEpoch: current });
  if (request.api === 'Fetch') {
    const { currentLeaderEpoch, fetchOffset, lastFetchedEpoch } = onlyPartition(request.body);
    const question = { type: 'FetchRequest', offset: Number(fetchOffset), lastFetchedEpoch, knownHw: -1 } as const;
    const life =
      request.body.replicaState === null ? {} : { incarnation: Number(request.body.replicaState.replicaEpoch) };
    return { ...inEpoch(currentLeaderEpoch), ...life, ...question };
  }
  if (request.api !== 'OffsetForLeaderEpoch') throw new WireError(`${request.api} is no question of a follower`);
  const { currentLeaderEpoch, leaderEpoch } = onlyPartition(request.body);
  return { ...inEpoch(currentLeaderEpoch), type: 'OffsetsForLeaderEpochRequest', asked: leaderEpoch };
}

/**
 * The leader's answer to it. `logEnd`: the leader's, which a follower asks for by a question of its own when it needs it.
 */
export function answerIn(
  frame: Uint8Array,
  asked: { readonly frame: Uint8Array; readonly question: FetchRequest | OffsetsForLeaderEpochRequest },
  logEnd: number,
  identify: (batch: Uint8Array) => readonly number[],
): FetchResponse | OffsetsForLeaderEpochResponse {
  const request = decodeRequest(asked.frame);
  const { question } = asked;
  if (request.api === 'Fetch' && question.type === 'FetchRequest') {
    const partition = onlyPartition(decodeResponse({ ...request, api: 'Fetch' }, frame));
    const { answer } = readFetchAnswer(question, partition, identify);
    const tellsEnd = answer.error === 'none' || answer.error === 'OFFSET_OUT_OF_RANGE';
    return tellsEnd ? { ...answer, endOffset: logEnd } : answer;
  }
  if (request.api === 'OffsetForLeaderEpoch' && question.type === 'OffsetsForLeaderEpochRequest') {
    return readEpochAnswer(question, onlyPartition(decodeResponse({ ...request, api: 'OffsetForLeaderEpoch' }, frame)));
  }
  throw new WireError(`${question.type} was not asked with ${request.api}`);
}

function onlyPartition<P>({ topics }: { readonly topics: readonly { readonly partitions: readonly P[] }[] }): P {
  const partition = topics[0]?.partitions[0];
  if (partition === undefined) throw new WireError('There is no partition in it');
  return partition;
}
