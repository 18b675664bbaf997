/** Copies of a state. The lists in it are values that no step changes in place, so that a copy may share them. */
import type { Config } from './config.ts';
import type { ClusterState, Disk, LeaderAndIsr, Memory, ReplicaId, ReplicaState } from './state.ts';

export function copy(state: ClusterState): ClusterState {
  const replicas: Record<ReplicaId, ReplicaState> = {};
  for (const id in state.replicas) {
    const { disk, incarnation, memory } = state.replicas[id]!;
    replicas[id] = { incarnation, disk: copyDisk(disk), memory: copyMemory(memory) };
  }
  return { replicas, controller: state.controller, oldNews: state.oldNews, network: state.network };
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
    replicas[id] = { incarnation: replica.incarnation, disk: copyDisk(replica.disk), memory };
  }
  const stranger = Object.keys(state.replicas).find((id) => !replicas[id]);
  if (stranger !== undefined) throw new RangeError(`The state has a replica ${stranger}, the configuration has not`);
  return {
    replicas,
    controller: canonicalNews(state.controller),
    oldNews: ordered(state.oldNews.map(canonicalNews), (a, b) => a.epoch - b.epoch),
    network: ordered(state.network, (a, b) => compare(a.follower, b.follower)),
  };
}

function copyDisk({ log, flushed, epochCache, checkpoint }: Disk): Disk {
  return { log, flushed, epochCache, checkpoint };
}

function copyMemory(memory: Memory): Memory {
  const { role, leaderEpoch, leader, hw, fetchState, isr, remoteLeo, epochStart, pending } = memory;
  return { role, leaderEpoch, leader, hw, fetchState, isr, remoteLeo, epochStart, pending };
}

function canonicalNews(news: LeaderAndIsr): LeaderAndIsr {
  const isr = ordered(news.isr, compare);
  return isr === news.isr ? news : { epoch: news.epoch, leader: news.leader, isr };
}

/** The list itself where it is in order already, as it mostly is. */
function ordered<T>(list: readonly T[], by: (a: T, b: T) => number): readonly T[] {
  for (let i = 1; i < list.length; i++) if (by(list[i - 1]!, list[i]!) > 0) return [...list].sort(by);
  return list;
}

function compare<T extends string | number>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
