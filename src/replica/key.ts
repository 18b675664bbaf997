import type { EpochCache } from './epoch-cache.ts';
import type { FetchResponse, Message } from './messages.ts';
import type { ClusterState, Disk, LogRecord, Memory } from './state.ts';

/** A string that two states share if and only if they are equal, for Maps and Sets. Not meant to be read or stored. */
export function key(state: ClusterState): string {
  const replicas = Object.keys(state.replicas)
    .sort()
    .map((id) => {
      const { disk, incarnation, memory } = state.replicas[id]!;
      return [id, incarnation, ...diskValues(disk), ...memoryValues(memory)];
    });
  const news = [state.controller, ...state.oldNews].map(({ epoch, leader, isr }) => [epoch, leader, isr]);
  return JSON.stringify([replicas, news, state.elr, state.network.map(messageValues)]);
}

function diskValues({ log, flushed, epochCache, epochFile, checkpoint }: Disk): unknown[] {
  return [recordValues(log), flushed, entryValues(epochCache), entryValues(epochFile), checkpoint];
}

function entryValues(cache: EpochCache): number[] {
  return cache.flatMap(({ epoch, start }) => [epoch, start]);
}

function memoryValues(memory: Memory): unknown[] {
  const { role, leaderEpoch, leader, hw, fetchState, isr, remoteLeo, remoteHw, epochStart, pending } = memory;
  const remote = Object.keys(remoteLeo)
    .sort()
    .map((id) => [id, remoteLeo[id], remoteHw[id]]);
  const { joining, inIncarnation, answer, isr: asked } = memory.isrProposal;
  const proposal = [asked, joining, inIncarnation, answer];
  return [role, leaderEpoch, leader, hw, fetchState, isr, remote, proposal, epochStart, pending];
}

function messageValues(message: Message): unknown[] {
  const { type, follower, leader, incarnation, leaderEpoch } = message;
  const common = [type, follower, leader, incarnation, leaderEpoch];
  switch (message.type) {
    case 'FetchRequest':
      return [...common, message.offset, message.lastFetchedEpoch, message.knownHw];
    case 'FetchResponse':
      return [...common, ...fetchResponseValues(message)];
    case 'OffsetsForLeaderEpochRequest':
      return [...common, message.asked];
    case 'OffsetsForLeaderEpochResponse':
      return [...common, message.asked, message.error, message.epoch, message.endOffset];
  }
}

function fetchResponseValues(response: FetchResponse): unknown[] {
  const { offset, lastFetchedEpoch, knownHw, error, diverging, endOffset, hw, records } = response;
  const { epoch } = diverging;
  return [offset, lastFetchedEpoch, knownHw, error, epoch, diverging.endOffset, endOffset, hw, recordValues(records)];
}

function recordValues(records: readonly LogRecord[]): number[] {
  return records.flatMap(({ id, epoch }) => [id, epoch]);
}
