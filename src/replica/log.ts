/**
 * The log of a replica with its epoch cache and high watermark.
 *
 * Source: Log.append, Log.truncateTo; ReplicaManager.checkpointHighWatermarks.
 */
import type { Config } from './config.ts';
import { assign, truncateFromEnd } from './epoch-cache.ts';
import type { Profile } from './profiles.ts';
import type { Disk, LogRecord, ReplicaState } from './state.ts';
import { logEndOffset } from './world.ts';

/** Records in the format before v2 carry no epoch that could be noted. */
export function notesRecords({ epochCache, recordsCarryEpoch }: Profile): boolean {
  return epochCache && recordsCarryEpoch;
}

/** Each record that begins an epoch adds an entry to the cache. */
export function append(disk: Disk, profile: Profile, records: readonly LogRecord[]): void {
  if (records.length === 0) return;
  if (notesRecords(profile)) {
    let offset = disk.log.length;
    for (const record of records) noteEpoch(disk, profile, record.epoch, offset++);
  }
  disk.log = [...disk.log, ...records];
}

/** A new entry is written to the epoch file at once. */
export function noteEpoch(disk: Disk, profile: Profile, epoch: number, startOffset: number): void {
  const cache = assign(profile.assign, disk.epochCache, epoch, startOffset);
  if (cache === disk.epochCache) return;
  disk.epochCache = cache;
  disk.epochFile = cache;
}

/**
 * Cuts the log to end at `offset`. Releases from 2.6.1 on clear entries at the log end even if no record goes
 * (KAFKA-10706); those from 2.4.0 on lower a high watermark that is above. From 3.8 on the epoch file follows later
 * (KAFKA-15046).
 */
export function truncateTo(config: Config, profile: Profile, replica: ReplicaState, offset: number): void {
  const { disk, memory } = replica;
  const cuts = offset < logEndOffset(replica);
  if (cuts) disk.log = disk.log.slice(0, offset);
  if (cuts || profile.clearsAtEnd) disk.epochCache = truncateFromEnd(disk.epochCache, offset);
  if (profile.epochFile === 'atOnce') disk.epochFile = disk.epochCache;
  disk.flushed = Math.min(disk.flushed, offset);
  setHighWatermark(config, replica, profile.lowersHw ? Math.min(memory.hw, offset) : memory.hw);
}

/** With an eager checkpoint the file follows at once. */
export function setHighWatermark(config: Config, { disk, memory }: ReplicaState, offset: number): void {
  memory.hw = offset;
  if (!config.lazyCheckpoint) disk.checkpoint = offset;
}

export type ReadResult =
  | { readonly error: 'none'; readonly hw: number; readonly records: readonly LogRecord[] }
  | { readonly error: 'BROKER_NOT_AVAILABLE' | 'NOT_LEADER' | 'OFFSET_OUT_OF_RANGE' };

/** What a consumer gets that asks this replica for records from `offset` on: a leader's, below its high watermark. */
export function read(replica: ReplicaState, offset: number): ReadResult {
  const { role, hw } = replica.memory;
  if (role === 'down' || role === 'halted') return { error: 'BROKER_NOT_AVAILABLE' };
  if (role !== 'leader') return { error: 'NOT_LEADER' };
  if (offset < 0 || offset > logEndOffset(replica)) return { error: 'OFFSET_OUT_OF_RANGE' };
  return { error: 'none', hw, records: replica.disk.log.slice(offset, Math.max(offset, hw)) };
}
