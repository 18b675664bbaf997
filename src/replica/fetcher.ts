/**
 * A follower's fetcher thread: it asks its leader where to truncate, then fetches.
 *
 * Source: AbstractFetcherThread, ReplicaFetcherThread.
 */
import { latestEpoch, UNDEFINED_EPOCH, UNDEFINED_EPOCH_OFFSET } from './epoch-cache.ts';
import { append, setHighWatermark, truncateTo } from './log.ts';
import { halt } from './machine.ts';
import { type FetchError, type FetchResponse, isDiverging, type Message } from './messages.ts';
import { send, take, whyNotReceive, whyNotSend } from './network.ts';
import type { Memory, ReplicaId } from './state.ts';
import { truncationFor } from './truncation.ts';
import { logEndOffset, profileOf, type Refusal, replicaOf, type World } from './world.ts';

export function whyNotSendOffsetsForLeaderEpoch(world: World, id: ReplicaId): Refusal {
  return whyNotAt(world, id, 'truncating') ?? whyNotSend(world, id);
}

export function sendOffsetsForLeaderEpoch(world: World, id: ReplicaId): void {
  const { disk, incarnation, memory } = replicaOf(world, id);
  send(world.state, {
    type: 'OffsetsForLeaderEpochRequest',
    follower: id,
    leader: memory.leader,
    incarnation,
    leaderEpoch: memory.leaderEpoch,
    asked: latestEpoch(disk.epochCache),
  });
}

export function whyNotHandleOffsetsForLeaderEpochResponse(world: World, id: ReplicaId): Refusal {
  return whyNotReceive(world, id, 'OffsetsForLeaderEpochResponse');
}

/** Truncates as the leader's answer says, if this is still what it asked for. */
export function handleOffsetsForLeaderEpochResponse(world: World, id: ReplicaId): void {
  const response = take(world.state, id, 'OffsetsForLeaderEpochResponse');
  if (!isAwaited(world, response, 'truncating')) return;
  if (response.error !== 'none') {
    afterRefusal(world, id, response.error);
    return;
  }

  const profile = profileOf(world, id);
  const replica = replicaOf(world, id);
  const own = { epochCache: replica.disk.epochCache, leo: logEndOffset(replica), hw: replica.memory.hw };
  const truncation = truncationFor(profile, own, response);
  truncateTo(world.config, profile, replica, truncation.offset);
  replica.memory.fetchState = truncation.done ? 'fetching' : 'truncating';
}

export function whyNotSendFetch(world: World, id: ReplicaId): Refusal {
  return whyNotAt(world, id, 'fetching') ?? whyNotSend(world, id);
}

export function sendFetch(world: World, id: ReplicaId): void {
  const replica = replicaOf(world, id);
  const { disk, incarnation, memory } = replica;
  const { hwWaitsForFollowers, truncation } = profileOf(world, id);
  send(world.state, {
    type: 'FetchRequest',
    follower: id,
    leader: memory.leader,
    incarnation,
    leaderEpoch: memory.leaderEpoch,
    offset: logEndOffset(replica),
    lastFetchedEpoch: truncation === 'insideFetch' ? latestEpoch(disk.epochCache) : UNDEFINED_EPOCH,
    knownHw: hwWaitsForFollowers ? memory.hw : UNDEFINED_EPOCH_OFFSET,
  });
}

export function whyNotHandleFetchResponse(world: World, id: ReplicaId): Refusal {
  return whyNotReceive(world, id, 'FetchResponse');
}

export function handleFetchResponse(world: World, id: ReplicaId): void {
  const response = take(world.state, id, 'FetchResponse');
  if (!isCurrent(world, response)) return;
  if (isDiverging(response)) truncateDiverging(world, id, response);
  else if (response.error === 'none') processFetched(world, id, response);
  else if (response.error === 'OFFSET_OUT_OF_RANGE') handleOutOfRange(world, id, response);
  else afterRefusal(world, id, response.error);
}

/** The fetcher thread of that leader has the partition, and waits for a reply. */
function isAwaited(world: World, { follower, leader }: Message, state: Memory['fetchState']): boolean {
  const { memory } = replicaOf(world, follower);
  return memory.role === 'follower' && memory.leader === leader && memory.fetchState === state;
}

/**
 * A late reply is known by its offset only: if that is the log's end, it is taken for an answer to the newest fetch. But
 * since KAFKA-9654 a refusal is held against the epoch that was refused.
 *
 * Source: AbstractFetcherThread.processFetchRequest, 2.8.0.
 */
function isCurrent(world: World, response: FetchResponse): boolean {
  const replica = replicaOf(world, response.follower);
  if (!isAwaited(world, response, 'fetching') || response.offset !== logEndOffset(replica)) return false;
  return response.error === 'none' || response.leaderEpoch === replica.memory.leaderEpoch;
}

/**
 * A refused follower asks again, until it hears of the leader's epoch. One that was fenced gives up until then.
 *
 * Source: AbstractFetcherThread.onPartitionFenced, 2.1.1.
 */
function afterRefusal(world: World, id: ReplicaId, error: FetchError): void {
  if (error === 'FENCED_LEADER_EPOCH') replicaOf(world, id).memory.fetchState = 'failed';
}

/**
 * Appends what came, and takes the leader's high watermark as far as the own log reaches: also if that is lower than
 * what it had.
 *
 * Source: ReplicaFetcherThread.processPartitionData.
 */
function processFetched(world: World, id: ReplicaId, response: FetchResponse): void {
  const replica = replicaOf(world, id);
  append(replica.disk, profileOf(world, id), response.records);
  setHighWatermark(world.config, replica, Math.min(response.hw, logEndOffset(replica)));
}

/**
 * Cuts as KIP-279 has it; the next fetch is the next question. Up to 3.4.0 the leader's high watermark was taken first, and
 * covered the follower's own diverging records for a moment (KAFKA-14704).
 *
 * Source: AbstractFetcherThread.processFetchRequest and truncateOnFetchResponse, 2.8.2 and 3.5.0.
 */
function truncateDiverging(world: World, id: ReplicaId, response: FetchResponse): void {
  const profile = profileOf(world, id);
  const replica = replicaOf(world, id);
  const own = { epochCache: replica.disk.epochCache, leo: logEndOffset(replica), hw: replica.memory.hw };
  const { offset } = truncationFor(profile, own, response.diverging);
  if (profile.hwBeforeTruncation) setHighWatermark(world.config, replica, Math.min(response.hw, own.leo));
  truncateTo(world.config, profile, replica, offset);
}

/**
 * The follower is ahead of its leader: it cuts to its leader's end, or exits rather than lose records.
 *
 * Source: ReplicaFetcherThread.handleOffsetOutOfRange. Kafka asks for the leader's end by ListOffsets; here the reply
 * brings it.
 */
function handleOutOfRange(world: World, id: ReplicaId, response: FetchResponse): void {
  const profile = profileOf(world, id);
  if (profile.outOfRange === 'halt') halt(world, id);
  else truncateTo(world.config, profile, replicaOf(world, id), response.endOffset);
}

function whyNotAt(world: World, id: ReplicaId, state: Memory['fetchState']): Refusal {
  const { role, fetchState } = replicaOf(world, id).memory;
  if (role !== 'follower') return `${id} is ${role}, not a follower`;
  return fetchState === state ? null : `${id} is ${fetchState}, not ${state}`;
}
