/** What may happen to a broker's process, machine and disk. */
import { type EpochCache, equalEntries, recoverEpochs, truncateFromEnd } from './epoch-cache.ts';
import { notesRecords } from './log.ts';
import { dropConnections } from './network.ts';
import type { Profile } from './profiles.ts';
import type { Disk, ReplicaId } from './state.ts';
import { emptyMemory, isAlive, logEndOffset, profileOf, type Refusal, replicaOf, type World } from './world.ts';

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

export function whyNotFlushEpochFile(world: World, id: ReplicaId): Refusal {
  const { disk } = replicaOf(world, id);
  const isWritten = equalEntries(disk.epochFile, disk.epochCache);
  return whyNotAlive(world, id) ?? (isWritten ? `the epoch file of ${id} is up to date` : null);
}

/** Source: LeaderEpochFileCache.truncateFromEndAsyncFlush, 3.8.0. */
export function flushEpochFile(world: World, id: ReplicaId): void {
  const { disk } = replicaOf(world, id);
  disk.epochFile = disk.epochCache;
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

/**
 * The process dies: its memory and connections are gone. What it wrote is safe with the operating system; of the epoch cache
 * there is the file.
 */
export function crash(world: World, id: ReplicaId): void {
  const replica = replicaOf(world, id);
  replica.memory = emptyMemory(world.config);
  replica.disk.epochCache = replica.disk.epochFile;
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
  const { config, state } = world;
  if (state.controller.leader === id && !config.resumeSameEpoch)
    return `${id} cannot return before the controller has noticed that its leader died`;
  const isInSync = config.eligibleLeaders === true && state.controller.isr.includes(id);
  return isInSync ? `${id} cannot return before the controller has taken it out of the ISR` : null;
}

/**
 * The log is opened: the epoch file is read, recovery notes what epochs it finds above the file's last, entries without a
 * record go, the high watermark is read from its checkpoint. Where there are eligible leader replicas, one that stopped
 * without a word is none.
 *
 * Source: Log (constructor), LogSegment.recover, Partition.getOrCreateReplica;
 * ReplicationControlManager.handleBrokerUncleanShutdown.
 */
export function restart(world: World, id: ReplicaId): void {
  const replica = replicaOf(world, id);
  const { disk, memory } = replica;
  disk.epochCache = openedEpochs(disk, profileOf(world, id));
  disk.epochFile = disk.epochCache;
  world.state.elr = world.state.elr.filter((member) => member !== id);
  memory.role = 'starting';
  memory.hw = Math.min(disk.checkpoint, logEndOffset(replica));
  replica.incarnation += 1;
}

function openedEpochs({ epochFile, log }: Disk, profile: Profile): EpochCache {
  if (!profile.cacheOnDisk) return [];
  const beginnings = notesRecords(profile) ? log.map(({ epoch }, start) => ({ epoch, start })) : [];
  return truncateFromEnd(recoverEpochs(profile.assign, epochFile, beginnings), log.length);
}

function whyNotAlive(world: World, id: ReplicaId): Refusal {
  const replica = replicaOf(world, id);
  return isAlive(replica) ? null : `${id} is ${replica.memory.role}`;
}
