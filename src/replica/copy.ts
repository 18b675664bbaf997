/** Copies of a state. The lists in it are values that no step changes in place, so that a copy may share them. */
import type { Config } from './config.ts';
import type { ClusterState, Disk, IsrProposal, LeaderAndIsr, Memory, ReplicaId, ReplicaState } from './state.ts';

export function copy(state: ClusterState): ClusterState {
  const replicas: Record<ReplicaId, ReplicaState> = {};
  for (const id in state.replicas) {
    const { disk, incarnation, memory } = state.replicas[id]!;
    replicas[id] = { incarnation, disk: copyDisk(disk), memory: copyMemory(memory) };
  }
  const { controller, oldNews, elr, network } = state;
  return { replicas, controller, oldNews, elr, network };
}

/** A copy with its sets in the order that the code keeps them in; a RangeError if its replicas are not the configured. */
export function canonical(config: Config, state: ClusterState): ClusterState {
  const replicas: Record<ReplicaId, ReplicaState> = {};
  for (const id of config.replicas) {
    const replica = state.replicas[id];
    if (!replica) throw new RangeError(`The state has no replica ${id}`);
    const memory = copyMemory(replica.memory);
    memory.isr = ordered(memory.isr, compare);
    memory.pending = ordered(memory.pending, compare);
    memory.isrProposal = canonicalProposal(memory.isrProposal);
    replicas[id] = { incarnation: replica.incarnation, disk: copyDisk(replica.disk), memory };
  }
  const stranger = Object.keys(state.replicas).find((id) => !replicas[id]);
  if (stranger !== undefined) throw new RangeError(`The state has a replica ${stranger}, the configuration has not`);
  return {
    replicas,
    controller: canonicalNews(state.controller),
    elr: ordered(state.elr, compare),
    oldNews: ordered(state.oldNews.map(canonicalNews), (a, b) => a.epoch - b.epoch),
    network: ordered(state.network, (a, b) => compare(a.follower, b.follower)),
  };
}

function copyDisk({ log, flushed, epochCache, epochFile, checkpoint }: Disk): Disk {
  return { log, flushed, epochCache, epochFile, checkpoint };
}

function copyMemory(memory: Memory): Memory {
  const { role, leaderEpoch, leader, hw, fetchState, isr, remoteLeo, remoteHw, isrProposal, epochStart, pending } =
    memory;
  return { role, leaderEpoch, leader, hw, fetchState, isr, remoteLeo, remoteHw, isrProposal, epochStart, pending };
}

function canonicalNews(news: LeaderAndIsr): LeaderAndIsr {
  const isr = ordered(news.isr, compare);
  return isr === news.isr ? news : { epoch: news.epoch, leader: news.leader, isr };
}

function canonicalProposal(proposal: IsrProposal): IsrProposal {
  const isr = ordered(proposal.isr, compare);
  return isr === proposal.isr ? proposal : { ...proposal, isr };
}

/** The list itself where it is in order already, as it mostly is. */
function ordered<T>(list: readonly T[], by: (a: T, b: T) => number): readonly T[] {
  for (let i = 1; i < list.length; i++) if (by(list[i - 1]!, list[i]!) > 0) return [...list].sort(by);
  return list;
}

function compare<T extends string | number>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
