/** Comparison of states whose sets are in order, as every state is that comes out of a `Cluster`. */
import type { EpochEntry } from './epoch-cache.ts';
import type { FetchRequest, FetchResponse, Message } from './messages.ts';
import type { ClusterState, Disk, IsrProposal, LeaderAndIsr, LogRecord, Memory } from './state.ts';

export function equalStates(a: ClusterState, b: ClusterState): boolean {
  if (a === b) return true;
  for (const id in a.replicas) {
    const one = a.replicas[id]!;
    const other = b.replicas[id];
    if (!other || one.incarnation !== other.incarnation) return false;
    if (!equalDisks(one.disk, other.disk) || !equalMemories(one.memory, other.memory)) return false;
  }
  for (const id in b.replicas) if (!a.replicas[id]) return false;
  return (
    equalNews(a.controller, b.controller) &&
    equalLists(a.oldNews, b.oldNews, equalNews) &&
    equalLists(a.elr, b.elr, same) &&
    equalLists(a.network, b.network, equalMessages)
  );
}

function equalDisks(a: Disk, b: Disk): boolean {
  return (
    a.flushed === b.flushed &&
    a.checkpoint === b.checkpoint &&
    equalLists(a.log, b.log, equalRecords) &&
    equalLists(a.epochCache, b.epochCache, equalEntries) &&
    equalLists(a.epochFile, b.epochFile, equalEntries)
  );
}

function equalMemories(a: Memory, b: Memory): boolean {
  return (
    a.role === b.role &&
    a.leaderEpoch === b.leaderEpoch &&
    a.leader === b.leader &&
    a.hw === b.hw &&
    a.fetchState === b.fetchState &&
    a.epochStart === b.epochStart &&
    equalLists(a.isr, b.isr, same) &&
    equalLists(a.pending, b.pending, same) &&
    equalOffsets(a.remoteLeo, b.remoteLeo) &&
    equalOffsets(a.remoteHw, b.remoteHw) &&
    equalProposals(a.isrProposal, b.isrProposal)
  );
}

function equalProposals(a: IsrProposal, b: IsrProposal): boolean {
  if (a === b) return true;
  const sameAnswer = a.answer === b.answer && a.joining === b.joining && a.inIncarnation === b.inIncarnation;
  return sameAnswer && equalLists(a.isr, b.isr, same);
}

function equalOffsets(a: Memory['remoteLeo'], b: Memory['remoteLeo']): boolean {
  if (a === b) return true;
  for (const id in a) if (a[id] !== b[id]) return false;
  for (const id in b) if (!(id in a)) return false;
  return true;
}

function equalNews(a: LeaderAndIsr, b: LeaderAndIsr): boolean {
  return a === b || (a.epoch === b.epoch && a.leader === b.leader && equalLists(a.isr, b.isr, same));
}

function equalRecords(a: LogRecord, b: LogRecord): boolean {
  return a.id === b.id && a.epoch === b.epoch;
}

function equalEntries(a: EpochEntry, b: EpochEntry): boolean {
  return a.epoch === b.epoch && a.start === b.start;
}

function equalMessages(a: Message, b: Message): boolean {
  if (a === b) return true;
  if (a.follower !== b.follower || a.leader !== b.leader || a.leaderEpoch !== b.leaderEpoch) return false;
  if (a.incarnation !== b.incarnation) return false;
  switch (a.type) {
    case 'FetchRequest':
      return b.type === a.type && equalFetches(a, b);
    case 'FetchResponse':
      return (
        b.type === a.type &&
        equalFetches(a, b) &&
        a.error === b.error &&
        a.diverging.epoch === b.diverging.epoch &&
        a.diverging.endOffset === b.diverging.endOffset &&
        a.endOffset === b.endOffset &&
        a.hw === b.hw &&
        equalLists(a.records, b.records, equalRecords)
      );
    case 'OffsetsForLeaderEpochRequest':
      return b.type === a.type && a.asked === b.asked;
    case 'OffsetsForLeaderEpochResponse':
      return (
        b.type === a.type &&
        a.asked === b.asked &&
        a.error === b.error &&
        a.epoch === b.epoch &&
        a.endOffset === b.endOffset
      );
  }
}

function equalFetches(a: FetchRequest | FetchResponse, b: FetchRequest | FetchResponse): boolean {
  return a.offset === b.offset && a.lastFetchedEpoch === b.lastFetchedEpoch && a.knownHw === b.knownHw;
}

function equalLists<T>(a: readonly T[], b: readonly T[], equal: (a: T, b: T) => boolean): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (!equal(a[i]!, b[i]!)) return false;
  return true;
}

function same<T>(a: T, b: T): boolean {
  return a === b;
}
