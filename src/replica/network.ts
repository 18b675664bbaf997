/**
 * The connections between replicas. A fetcher has one request under way at a time, which becomes its reply; both die with
 * it: when it crashes, or (with exceptions) when its replica starts to follow another leader or to lead.
 */
import type { Message } from './messages.ts';
import type { ClusterState, ReplicaId } from './state.ts';
import { isAlive, type Refusal, replicaOf, type World } from './world.ts';

/** What this follower's fetcher has under way. */
export function underWay(state: ClusterState, follower: ReplicaId): Message | undefined {
  return state.network.find((message) => message.follower === follower);
}

/** A connection needs somebody at the other end. */
export function whyNotSend(world: World, follower: ReplicaId): Refusal {
  const { leader } = replicaOf(world, follower).memory;
  const message = underWay(world.state, follower);
  if (message) return `${follower} has a ${message.type} under way already`;
  return isAlive(replicaOf(world, leader)) ? null : `${follower} cannot reach ${leader}, which is down`;
}

export function send(state: ClusterState, message: Message): void {
  const { network } = state;
  const later = network.findIndex((other) => other.follower > message.follower);
  const place = later === -1 ? network.length : later;
  state.network = [...network.slice(0, place), message, ...network.slice(place)];
}

/** Why `leader` has no request of this type from `follower` to handle. */
export function whyNotHandle(
  world: World,
  leader: ReplicaId,
  follower: ReplicaId,
  type: 'FetchRequest' | 'OffsetsForLeaderEpochRequest',
): Refusal {
  const message = underWay(world.state, follower);
  if (message?.type !== type) return `${follower} has no ${type} under way`;
  if (message.leader !== leader) return `the ${type} of ${follower} is for ${message.leader}, not for ${leader}`;
  return isAlive(replicaOf(world, leader)) ? null : `${leader} is ${replicaOf(world, leader).memory.role}`;
}

export function whyNotReceive(
  world: World,
  follower: ReplicaId,
  type: 'FetchResponse' | 'OffsetsForLeaderEpochResponse',
): Refusal {
  return underWay(world.state, follower)?.type === type ? null : `no ${type} is under way to ${follower}`;
}

/** The request of `type` that `whyNotHandle` let pass, or the response that `whyNotReceive` did. */
export function take<T extends Message['type']>(
  state: ClusterState,
  follower: ReplicaId,
  type: T,
): Extract<Message, { type: T }> {
  const message = underWay(state, follower);
  if (message?.type !== type) throw new RangeError(`${follower} has no ${type} under way`);
  state.network = state.network.filter((other) => other !== message);
  return message as Extract<Message, { type: T }>;
}

/**
 * The fetcher starts anew. What it had under way is given up, unless the reply would not be told from one to a newer question
 * (KAFKA-7786, KAFKA-18723).
 */
export function forgetUnderWay({ config, state }: World, follower: ReplicaId): void {
  const type = underWay(state, follower)?.type;
  const late = config.profileOf[follower]!.lateReplies;
  const isFetch = type === 'FetchRequest' || type === 'FetchResponse';
  if (late === 'ignored' || (late === 'records') !== isFetch) dropUnderWay(state, follower);
}

/** What a follower has under way is lost. */
function dropUnderWay(state: ClusterState, follower: ReplicaId): void {
  if (underWay(state, follower)) state.network = state.network.filter((message) => message.follower !== follower);
}

/** All connections of a replica break: its fetcher's, and those of others to it. */
export function dropConnections(state: ClusterState, id: ReplicaId): void {
  state.network = state.network.filter((message) => message.follower !== id && message.leader !== id);
}

export function whyNotLoseMessage(world: World, follower: ReplicaId): Refusal {
  return underWay(world.state, follower) ? null : `${follower} has nothing under way`;
}

/** A connection breaks: what `follower` has under way is lost, and it will try again. */
export function loseMessage(world: World, follower: ReplicaId): void {
  dropUnderWay(world.state, follower);
}
