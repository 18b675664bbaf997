/** A replica that leads: it takes records from clients and keeps the high watermark. */
import { newsFor } from './controller.ts';
import { append, noteEpoch, setHighWatermark } from './log.ts';
import { forgetUnderWay } from './network.ts';
import { completePendingProduce } from './purgatory.ts';
import { type LeaderAndIsr, NO_PROPOSAL, type ReplicaId, type ReplicaState } from './state.ts';
import { type Acks, logEndOffset, profileOf, type Refusal, replicaOf, unknownOffsets, type World } from './world.ts';

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
    memory.remoteLeo = unknownOffsets(world.config);
    memory.remoteHw = unknownOffsets(world.config);
    memory.pending = [];
  }
  memory.role = 'leader';
  memory.leaderEpoch = epoch;
  memory.leader = id;
  memory.fetchState = 'idle';
  memory.isr = news.isr;
  memory.isrProposal = NO_PROPOSAL;
  memory.epochStart = logEndOffset(replica);
  if (profile.epochCache && profile.entryOnElection) {
    noteEpoch(disk, profile, epoch, memory.epochStart);
  }
  forgetUnderWay(world, id);
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

/**
 * Moves the high watermark as far as all in-sync replicas are, never back, and answers producers that waited for it. Since
 * 3.7 it waits while the ISR is too small (KIP-966).
 *
 * Source: Partition.maybeIncrementLeaderHW.
 */
export function maybeIncrementHighWatermark(world: World, id: ReplicaId): void {
  const replica = replicaOf(world, id);
  const { hw, isr, remoteLeo, remoteHw } = replica.memory;
  const { hwNeedsMinIsr, hwWaitsForFollowers } = profileOf(world, id);
  const waits = hwNeedsMinIsr && isr.length < world.config.minIsr;
  const reached = leastOf(replica, id, countedIsr(world, id), hwWaitsForFollowers ? remoteHw : remoteLeo);
  setHighWatermark(world.config, replica, waits ? hw : Math.max(hw, reached));
  completePendingProduce(world, id);
}

/** The least of a leader's own log end and what it knows of these followers. */
export function leastOf(
  leader: ReplicaState,
  id: ReplicaId,
  isr: readonly ReplicaId[],
  of: Readonly<Record<ReplicaId, number>>,
): number {
  let least = logEndOffset(leader);
  for (const member of isr) if (member !== id) least = Math.min(least, of[member]!);
  return least;
}

/**
 * Whom the high watermark waits for while the leader has asked for another ISR: since KIP-497 whoever is in one of the two.
 * The other ways are mistakes.
 *
 * Source: PartitionState.maximalIsr, 2.7.0.
 */
function countedIsr(world: World, id: ReplicaId): readonly ReplicaId[] {
  const { isr, isrProposal } = replicaOf(world, id).memory;
  const { countsForHw } = profileOf(world, id);
  if (isrProposal.isr.length === 0 || countsForHw === 'confirmedIsr') return isr;
  return countsForHw === 'proposedIsr' ? isrProposal.isr : [...isr, ...isrProposal.isr];
}
