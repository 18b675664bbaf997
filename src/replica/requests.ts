/** What a broker does with a follower's request. It may be no leader any more, or lead in another epoch: then it refuses. */
import {
  type EpochEndOffset,
  endOffsetFor,
  NO_ANSWER,
  UNDEFINED_EPOCH,
  UNDEFINED_EPOCH_OFFSET,
} from './epoch-cache.ts';
import { leastOf, maybeIncrementHighWatermark } from './leader.ts';
import type { FetchError, FetchRequest, Message } from './messages.ts';
import { send, take, whyNotHandle } from './network.ts';
import type { ReplicaId } from './state.ts';
import { logEndOffset, profileOf, type Refusal, replicaOf, type World } from './world.ts';

export function whyNotHandleOffsetsForLeaderEpoch(world: World, id: ReplicaId, follower: ReplicaId): Refusal {
  return whyNotHandle(world, id, follower, 'OffsetsForLeaderEpochRequest');
}

/** Answers from the epoch cache. The answer's epoch travels only if both sides know KIP-279. */
export function handleOffsetsForLeaderEpoch(world: World, id: ReplicaId, follower: ReplicaId): void {
  const request = take(world.state, follower, 'OffsetsForLeaderEpochRequest');
  const error = errorFor(world, id, request);
  const found = error === 'none' ? answerTo(world, id, request.asked) : NO_ANSWER;
  send(world.state, {
    ...request,
    type: 'OffsetsForLeaderEpochResponse',
    error,
    epoch: profileOf(world, follower).truncation === 'epochAndOffset' ? found.epoch : UNDEFINED_EPOCH,
    endOffset: found.endOffset,
  });
}

/** Two rules know nothing of epochs, and answer with the log end or with the high watermark. */
function answerTo(world: World, id: ReplicaId, asked: number): EpochEndOffset {
  const replica = replicaOf(world, id);
  const { lookup } = profileOf(world, id);
  if (lookup === 'logEnd') return { epoch: UNDEFINED_EPOCH, endOffset: logEndOffset(replica) };
  if (lookup === 'highWatermark') return { epoch: UNDEFINED_EPOCH, endOffset: replica.memory.hw };
  return endOffsetFor(profileOf(world, id), replica.disk.epochCache, logEndOffset(replica), asked);
}

export function whyNotHandleFetch(world: World, id: ReplicaId, follower: ReplicaId): Refusal {
  return whyNotHandle(world, id, follower, 'FetchRequest');
}

/**
 * Sends all records from the fetch offset on; or, to a follower that truncates inside Fetch, where its log parts from this
 * one. The epoch is looked at before the offset.
 *
 * Source: ReplicaManager.fetchMessages, Partition.readRecords (2.8.0).
 */
export function handleFetch(world: World, id: ReplicaId, follower: ReplicaId): void {
  const request = take(world.state, follower, 'FetchRequest');
  const replica = replicaOf(world, id);
  const { disk, memory } = replica;
  const endOffset = logEndOffset(replica);
  const reply = { ...request, type: 'FetchResponse', diverging: NO_ANSWER, records: [], hw: -1 } as const;

  const error = errorFor(world, id, request);
  if (error !== 'none') {
    send(world.state, { ...reply, error, endOffset: UNDEFINED_EPOCH_OFFSET });
    return;
  }
  const end = endOfLastFetched(world, id, request);
  const diverges = end !== null && (end.epoch < request.lastFetchedEpoch || end.endOffset < request.offset);
  if (end?.endOffset === UNDEFINED_EPOCH_OFFSET || (request.offset > endOffset && !diverges)) {
    send(world.state, { ...reply, error: 'OFFSET_OUT_OF_RANGE', endOffset });
    if (profileOf(world, id).forgetsOutOfRange) memory.remoteLeo = { ...memory.remoteLeo, [follower]: -1 };
  } else if (diverges) {
    send(world.state, { ...reply, error, diverging: end, endOffset, hw: memory.hw });
    if (profileOf(world, id).countsDiverging) countFetch(world, id, request);
  } else {
    const before = memory.hw;
    countFetch(world, id, request);
    const hw = hwToTell(world, id, before);
    send(world.state, { ...reply, error, endOffset, hw, records: disk.log.slice(request.offset) });
  }
}

/** Where this log ends for the epoch that the follower's log ends with; null if the follower does not say. */
function endOfLastFetched(world: World, id: ReplicaId, { lastFetchedEpoch }: FetchRequest): EpochEndOffset | null {
  if (lastFetchedEpoch === UNDEFINED_EPOCH) return null;
  const replica = replicaOf(world, id);
  return endOffsetFor(profileOf(world, id), replica.disk.epochCache, logEndOffset(replica), lastFetchedEpoch);
}

/**
 * The fetch offset tells how far the follower is, and may move the high watermark. But the reply was read before that, and
 * carries it as it was: so a follower's lags by a fetch. (Not in 1.0.0, 1.0.1 and 1.1.0: KAFKA-5758.)
 *
 * Source: ReplicaManager.fetchMessages (readFromLocalLog before updateFollowerLogReadResults).
 */
function countFetch(world: World, id: ReplicaId, { follower, offset, knownHw }: FetchRequest): void {
  const { memory } = replicaOf(world, id);
  memory.remoteLeo = { ...memory.remoteLeo, [follower]: offset };
  if (memory.remoteHw[follower] !== knownHw) memory.remoteHw = { ...memory.remoteHw, [follower]: knownHw };
  maybeIncrementHighWatermark(world, id);
}

/**
 * What a reply tells the follower to be its high watermark: as a rule the leader's before this fetch. Where the leader's own
 * waits for its followers', it is what all in-sync replicas have, once all have fetched.
 */
function hwToTell(world: World, id: ReplicaId, before: number): number {
  const replica = replicaOf(world, id);
  const { hw, isr, remoteLeo } = replica.memory;
  const profile = profileOf(world, id);
  if (profile.hwWaitsForFollowers) {
    const everyone = leastOf(replica, id, isr, remoteLeo);
    return everyone === UNDEFINED_EPOCH_OFFSET ? before : everyone;
  }
  return profile.countsBeforeReply ? hw : before;
}

/**
 * Why this replica refuses a request. Epochs are compared only if the request carries one and the receiver looks at it.
 *
 * Source: Partition.checkCurrentLeaderEpoch, 2.1.0.
 */
function errorFor(world: World, id: ReplicaId, request: Message): FetchError {
  const { leaderEpoch, role } = replicaOf(world, id).memory;
  const fenced = profileOf(world, id).fenced && profileOf(world, request.follower).fenced;
  if (fenced && role !== 'starting') {
    if (request.leaderEpoch < leaderEpoch) return 'FENCED_LEADER_EPOCH';
    if (request.leaderEpoch > leaderEpoch) return 'UNKNOWN_LEADER_EPOCH';
  }
  return role === 'leader' ? 'none' : 'NOT_LEADER';
}
