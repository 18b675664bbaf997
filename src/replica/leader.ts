/** A replica that leads: it takes records from clients and keeps the high watermark and the ISR. */
import { alterIsr, newsFor, whyNotAlterIsr } from './controller.ts';
import { assign } from './epoch-cache.ts';
import { append, setHighWatermark } from './log.ts';
import { type FetchResponse, isDiverging } from './messages.ts';
import { dropUnderWay, underWay } from './network.ts';
import { completePendingProduce } from './purgatory.ts';
import type { LeaderAndIsr, ReplicaId } from './state.ts';
import { type Acks, logEndOffset, profileOf, type Refusal, replicaOf, unknownLeos, type World } from './world.ts';

export function whyNotBecomeLeader(world: World, id: ReplicaId, epoch: number): Refusal {
  const news = newsFor(world, id, epoch);
  if (typeof news === 'string') return news;
  return news.leader === id ? null : `${id} is not the leader of epoch ${epoch}: that is ${news.leader}`;
}

/**
 * A replica hears that it leads. Since KAFKA-7415 it notes at once where its epoch begins. It knows nothing yet of its
 * followers, unless it was leader already. If it is the whole ISR, all it has is committed.
 *
 * Source: Partition.makeLeader, Replica.convertHWToLocalOffsetMetadata.
 */
export function becomeLeader(world: World, id: ReplicaId, epoch: number): void {
  const profile = profileOf(world, id);
  const replica = replicaOf(world, id);
  const { disk, memory } = replica;
  const news = newsFor(world, id, epoch) as LeaderAndIsr;

  if (memory.role !== 'leader') {
    memory.remoteLeo = unknownLeos(world.config);
    memory.pending = [];
  }
  memory.role = 'leader';
  memory.leaderEpoch = epoch;
  memory.leader = id;
  memory.fetchState = 'idle';
  memory.isr = news.isr;
  memory.epochStart = logEndOffset(replica);
  if (profile.epochCache && profile.entryOnElection) {
    disk.epochCache = assign(profile.assign, disk.epochCache, epoch, memory.epochStart);
  }
  dropUnderWay(world.state, id);
  // A high watermark above the log end, which a truncation left, means nothing to a leader.
  if (memory.hw > memory.epochStart) memory.hw = 0;
  maybeIncrementHighWatermark(world, id);
}

export function whyNotWrite(world: World, id: ReplicaId, acks: Acks): Refusal {
  const { config } = world;
  const { isr, role } = replicaOf(world, id).memory;
  if (role !== 'leader') return `${id} is ${role}, not a leader`;
  if (acks === '1' || isr.length >= config.minIsr) return null;
  return `${id} has ${isr.length} in-sync replicas, and acks=all needs ${config.minIsr}`;
}

/**
 * A client writes a record. With acks=1 it is told at once, with acks=all once the high watermark has passed it.
 *
 * Source: ReplicaManager.appendRecords, Partition.appendRecordsToLeader.
 */
export function write(world: World, id: ReplicaId, acks: Acks, recordId: number): void {
  const { disk, memory } = replicaOf(world, id);
  const offset = disk.log.length;
  append(disk, profileOf(world, id), [{ id: recordId, epoch: memory.leaderEpoch }]);
  if (acks === 'all') memory.pending = [...memory.pending, offset];
  else world.result.acknowledged.push({ offset, id: recordId, acks });
  maybeIncrementHighWatermark(world, id);
}

export function whyNotShrinkIsr(world: World, id: ReplicaId, follower: ReplicaId): Refusal {
  if (follower === id) return `${id} does not take itself out of the ISR`;
  const why = whyNotPropose(world, id);
  if (why !== null) return why;
  const { disk, memory } = replicaOf(world, id);
  if (!memory.isr.includes(follower)) return `${follower} is not in the ISR of ${id}`;
  const isCaughtUp = memory.remoteLeo[follower] === disk.log.length;
  return profileOf(world, id).keepsCaughtUp && isCaughtUp ? `${follower} has the whole log of ${id}` : null;
}

/**
 * A follower that lags, or has gone, leaves the ISR after a time. The high watermark no longer waits for it. Today one that
 * has the leader's whole log may be silent for as long as it likes.
 *
 * Source: Partition.maybeShrinkIsr, isFollowerOutOfSync.
 */
export function shrinkIsr(world: World, id: ReplicaId, follower: ReplicaId): void {
  const { memory } = replicaOf(world, id);
  memory.isr = memory.isr.filter((member) => member !== follower);
  alterIsr(world, memory.isr);
  maybeIncrementHighWatermark(world, id);
}

/**
 * Up to 2.0.0 the high watermark was far enough to join; but a new leader's may still be below what was committed before
 * it, and a replica without those records could be elected (KAFKA-7128).
 */
export function whyNotExpandIsr(world: World, id: ReplicaId, follower: ReplicaId): Refusal {
  const why = whyNotPropose(world, id);
  if (why !== null) return why;
  const { epochStart, hw, isr } = replicaOf(world, id).memory;
  if (isr.includes(follower)) return `${follower} is in the ISR of ${id} already`;
  const fetch = countedFetch(world, id, follower);
  if (fetch === null) return `${id} is not handling a fetch of ${follower}`;
  const { offset } = fetch;
  if (offset < hw) return `${follower} fetches from ${offset}, below the high watermark ${hw} of ${id}`;
  if (profileOf(world, id).isrJoin === 'epochStart' && offset < epochStart) {
    return `${follower} fetches from ${offset}, below the start ${epochStart} of the epoch of ${id}`;
  }
  return null;
}

/**
 * The leader looks at a follower while it handles its fetch, before the reply has arrived: an offset from an earlier life
 * must not let anybody in.
 */
function countedFetch(world: World, id: ReplicaId, follower: ReplicaId): FetchResponse | null {
  const reply = underWay(world.state, follower);
  if (reply?.type !== 'FetchResponse' || reply.leader !== id || reply.error !== 'none') return null;
  // It may have become leader anew since it handled that fetch.
  if (replicaOf(world, id).memory.remoteLeo[follower] !== reply.offset) return null;
  return isDiverging(reply) && !profileOf(world, id).countsDiverging ? null : reply;
}

/**
 * A follower that has caught up joins.
 *
 * Source: Partition.maybeExpandIsr.
 */
export function expandIsr(world: World, id: ReplicaId, follower: ReplicaId): void {
  const { memory } = replicaOf(world, id);
  memory.isr = [...memory.isr, follower].sort();
  alterIsr(world, memory.isr);
  maybeIncrementHighWatermark(world, id);
}

/**
 * Moves the high watermark as far as all in-sync replicas are, never back, and answers producers that waited for it. Since
 * 3.7 it waits while the ISR is too small (KIP-966).
 *
 * Source: Partition.maybeIncrementLeaderHW.
 */
export function maybeIncrementHighWatermark(world: World, id: ReplicaId): void {
  const replica = replicaOf(world, id);
  const { hw, isr, remoteLeo } = replica.memory;
  const waits = profileOf(world, id).hwNeedsMinIsr && isr.length < world.config.minIsr;
  let caughtUp = logEndOffset(replica);
  for (const member of isr) if (member !== id) caughtUp = Math.min(caughtUp, remoteLeo[member]!);
  setHighWatermark(world.config, replica, waits ? hw : Math.max(hw, caughtUp));
  completePendingProduce(world, id);
}

/** Only the elected leader can change the ISR. */
function whyNotPropose(world: World, id: ReplicaId): Refusal {
  const { leaderEpoch, role } = replicaOf(world, id).memory;
  return role === 'leader' ? whyNotAlterIsr(world, id, leaderEpoch) : `${id} is ${role}, not a leader`;
}
