/** What may happen to a broker's process, machine and disk. */
import { truncateFromEnd } from './epoch-cache.ts';
import { dropConnections } from './network.ts';
import type { ReplicaId } from './state.ts';
import { emptyMemory, isAlive, logEndOffset, type Refusal, replicaOf, type World } from './world.ts';

export function whyNotCheckpointHighWatermark(world: World, id: ReplicaId): Refusal {
  const { disk, memory } = replicaOf(world, id);
  if (!world.config.lazyCheckpoint) return `the checkpoint of ${id} follows its high watermark at once`;
  return whyNotAlive(world, id) ?? (disk.checkpoint === memory.hw ? `the checkpoint of ${id} is up to date` : null);
}

/** Source: ReplicaManager.checkpointHighWatermarks, every replica.high.watermark.checkpoint.interval.ms. */
export function checkpointHighWatermark(world: World, id: ReplicaId): void {
  const { disk, memory } = replicaOf(world, id);
  disk.checkpoint = memory.hw;
}

export function whyNotFlush(world: World, id: ReplicaId): Refusal {
  const { disk } = replicaOf(world, id);
  return whyNotAlive(world, id) ?? (disk.flushed === disk.log.length ? `${id} has flushed its whole log` : null);
}

/** Source: Log.flush. */
export function flush(world: World, id: ReplicaId): void {
  const { disk } = replicaOf(world, id);
  disk.flushed = disk.log.length;
}

export function whyNotCrash(world: World, id: ReplicaId): Refusal {
  return whyNotAlive(world, id);
}

/** The process dies: its memory and connections are gone. What it wrote is safe with the operating system. */
export function crash(world: World, id: ReplicaId): void {
  replicaOf(world, id).memory = emptyMemory(world.config);
  dropConnections(world.state, id);
}

/** The broker exits, and would again if it were started: nobody starts it. */
export function halt(world: World, id: ReplicaId): void {
  crash(world, id);
  replicaOf(world, id).memory.role = 'halted';
}

export function whyNotPowerLoss(world: World, id: ReplicaId, kept: number): Refusal {
  const { disk } = replicaOf(world, id);
  const possible = Number.isInteger(kept) && kept >= disk.flushed && kept <= disk.log.length;
  return (
    whyNotAlive(world, id) ??
    (possible ? null : `${id} keeps from ${disk.flushed} (flushed) to ${disk.log.length} records, not ${kept}`)
  );
}

/** The machine dies: of the records that were not flushed any last part goes, and `kept` remain. */
export function powerLoss(world: World, id: ReplicaId, kept: number): void {
  const { disk } = replicaOf(world, id);
  disk.log = disk.log.slice(0, kept);
  disk.flushed = kept;
  crash(world, id);
}

export function whyNotRestart(world: World, id: ReplicaId): Refusal {
  const { role } = replicaOf(world, id).memory;
  if (role !== 'down') return `${id} is ${role}, not down`;
  const missed = world.state.controller.leader === id && !world.config.resumeSameEpoch;
  return missed ? `${id} cannot return before the controller has noticed that its leader died` : null;
}

/**
 * The log is opened: epoch entries without a record go, the high watermark is read from the checkpoint.
 *
 * Source: Log (constructor), Partition.getOrCreateReplica.
 */
export function restart(world: World, id: ReplicaId): void {
  const replica = replicaOf(world, id);
  const { disk, memory } = replica;
  disk.epochCache = truncateFromEnd(disk.epochCache, logEndOffset(replica));
  memory.role = 'starting';
  memory.hw = Math.min(disk.checkpoint, logEndOffset(replica));
  replica.incarnation += 1;
}

function whyNotAlive(world: World, id: ReplicaId): Refusal {
  const replica = replicaOf(world, id);
  return isAlive(replica) ? null : `${id} is ${replica.memory.role}`;
}
