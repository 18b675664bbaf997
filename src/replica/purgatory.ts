/**
 * Producers with acks=all wait at the leader until the high watermark has passed their record.
 *
 * Source: DelayedProduce, Partition.checkEnoughReplicasReachOffset.
 */
import type { ReplicaId } from './state.ts';
import { recordAt, replicaOf, type World } from './world.ts';

/** Answers every producer whose record the high watermark has passed: with an error if the ISR is too small by now. */
export function completePendingProduce(world: World, leader: ReplicaId): void {
  const { config, result } = world;
  const replica = replicaOf(world, leader);
  const { hw, isr, pending } = replica.memory;
  if (pending.length === 0 || pending[0]! >= hw) return;

  for (const offset of pending) {
    if (offset >= hw) break;
    const { id } = recordAt(replica, offset);
    if (isr.length >= config.minIsr) result.acknowledged.push({ offset, id, acks: 'all' });
    else result.refused.push({ offset, id, acks: 'all', error: 'NOT_ENOUGH_REPLICAS_AFTER_APPEND' });
  }
  replica.memory.pending = pending.filter((offset) => offset >= hw);
}

/** A leader that is one no more answers whoever still waits: the record may be kept or lost, it cannot say. */
export function failPendingProduce(world: World, id: ReplicaId): void {
  const replica = replicaOf(world, id);
  for (const offset of replica.memory.pending) {
    const record = recordAt(replica, offset);
    world.result.refused.push({ offset, id: record.id, acks: 'all', error: 'NOT_LEADER' });
  }
  replica.memory.pending = [];
}
