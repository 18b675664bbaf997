/**
 * A leader's part in changes of the ISR. Up to 2.6 it compares and sets the controller's copy in ZooKeeper, in one step.
 * Since KIP-497 it asks the controller (AlterPartition), which answers later. The profiles of the releases take a change as
 * one step; those that look at the steps between have `asksForIsr`.
 *
 * Source: Partition.maybeShrinkIsr, maybeExpandIsr, handleAlterIsrResponse.
 */
import { alterIsr, whyNotAlterIsr } from './controller.ts';
import { maybeIncrementHighWatermark } from './leader.ts';
import { type FetchResponse, isDiverging } from './messages.ts';
import { underWay } from './network.ts';
import { NO_ONE, NO_PROPOSAL, type ReplicaId } from './state.ts';
import { isAlive, profileOf, type Refusal, replicaOf, type World } from './world.ts';

export function whyNotShrinkIsr(world: World, id: ReplicaId, follower: ReplicaId): Refusal {
  if (follower === id) return `${id} does not take itself out of the ISR`;
  const why = whyNotChangeIsr(world, id);
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
  const { isr } = replicaOf(world, id).memory;
  changeIsr(world, id, { isr: isr.filter((member) => member !== follower), joining: NO_ONE, inIncarnation: 0 });
}

/**
 * Up to 2.0.0 the high watermark was far enough to join; but a new leader's may still be below what was committed before
 * it, and a replica without those records could be elected (KAFKA-7128).
 */
export function whyNotExpandIsr(world: World, id: ReplicaId, follower: ReplicaId): Refusal {
  const why = whyNotChangeIsr(world, id);
  if (why !== null) return why;
  const { epochStart, hw, isr, remoteHw } = replicaOf(world, id).memory;
  if (isr.includes(follower)) return `${follower} is in the ISR of ${id} already`;
  const fetch = countedFetch(world, id, follower);
  if (fetch === null) return `${id} is not handling a fetch of ${follower}`;
  const { offset } = fetch;
  if (offset < hw) return `${follower} fetches from ${offset}, below the high watermark ${hw} of ${id}`;
  if (profileOf(world, id).isrJoin === 'epochStart' && offset < epochStart) {
    return `${follower} fetches from ${offset}, below the start ${epochStart} of the epoch of ${id}`;
  }
  if (profileOf(world, id).hwWaitsForFollowers && remoteHw[follower]! < hw) {
    return `${follower} does not know of the high watermark ${hw} of ${id}`;
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
  const { isr } = replicaOf(world, id).memory;
  const { incarnation } = countedFetch(world, id, follower) as FetchResponse;
  changeIsr(world, id, { isr: [...isr, follower].sort(), joining: follower, inIncarnation: incarnation });
}

export function whyNotAlterPartition(world: World, id: ReplicaId): Refusal {
  const { answer, isr } = replicaOf(world, id).memory.isrProposal;
  if (isr.length === 0) return `${id} has not asked for another ISR`;
  return answer === 'none' ? null : `the controller has answered ${id} already`;
}

/**
 * The controller confirms the ISR that the elected leader asks for, if who joins is alive; since KIP-903 it must also be in
 * the life that the leader has seen, for it may have lost its log meanwhile (KAFKA-14139).
 *
 * Source: ReplicationControlManager.validateAlterPartitionData, ineligibleReplicasForIsr, 3.5.0.
 */
export function alterPartition(world: World, id: ReplicaId): void {
  const { memory } = replicaOf(world, id);
  const proposal = memory.isrProposal;
  const isConfirmed = leadsElected(world, id) && isEligible(world, id, proposal.joining, proposal.inIncarnation);
  memory.isrProposal = { ...proposal, answer: isConfirmed ? 'confirmed' : 'refused' };
  if (isConfirmed) alterIsr(world, proposal.isr);
}

export function whyNotHandleAlterPartitionResponse(world: World, id: ReplicaId): Refusal {
  const { answer } = replicaOf(world, id).memory.isrProposal;
  return answer === 'none' ? `no answer of the controller is under way to ${id}` : null;
}

/**
 * The leader hears of it. With a smaller ISR the high watermark may move on now; up to 3.0 nobody looked (KAFKA-13091).
 *
 * Source: Partition.handleAlterIsrResponse, 2.7.0 and 3.1.0.
 */
export function handleAlterPartitionResponse(world: World, id: ReplicaId): void {
  const { memory } = replicaOf(world, id);
  const { answer, isr } = memory.isrProposal;
  if (answer === 'confirmed') memory.isr = isr;
  memory.isrProposal = NO_PROPOSAL;
  if (profileOf(world, id).hwOnIsrReply) maybeIncrementHighWatermark(world, id);
}

interface Change {
  readonly isr: readonly ReplicaId[];
  readonly joining: ReplicaId;
  readonly inIncarnation: number;
}

function changeIsr(world: World, id: ReplicaId, change: Change): void {
  const { memory } = replicaOf(world, id);
  if (profileOf(world, id).asksForIsr) {
    memory.isrProposal = { ...change, answer: 'none' };
  } else {
    memory.isr = change.isr;
    alterIsr(world, change.isr);
  }
  maybeIncrementHighWatermark(world, id);
}

/** Who asks is told later that it is not the elected leader; who sets the ISR itself cannot. */
function whyNotChangeIsr(world: World, id: ReplicaId): Refusal {
  const { isrProposal, leaderEpoch, role } = replicaOf(world, id).memory;
  if (role !== 'leader') return `${id} is ${role}, not a leader`;
  if (!profileOf(world, id).asksForIsr) return whyNotAlterIsr(world, id, leaderEpoch);
  return isrProposal.isr.length > 0 ? `${id} waits for the controller's answer to another change of the ISR` : null;
}

function leadsElected(world: World, id: ReplicaId): boolean {
  const { leaderEpoch, role } = replicaOf(world, id).memory;
  return role === 'leader' && whyNotAlterIsr(world, id, leaderEpoch) === null;
}

function isEligible(world: World, leader: ReplicaId, joining: ReplicaId, inIncarnation: number): boolean {
  if (joining === NO_ONE) return true;
  const replica = replicaOf(world, joining);
  return isAlive(replica) && (!profileOf(world, leader).checksBrokerEpoch || replica.incarnation === inIncarnation);
}
