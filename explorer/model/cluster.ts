import { toObservation } from '../../src/replay/index.ts';
import { Cluster, type ClusterState, type Config, type ReplicaState } from '../../src/replica/index.ts';
import { switchesOf } from '../../src/systems/memory.ts';
import type { SystemConfig } from '../../src/systems/system.ts';
import type { State } from '../../src/trace/index.ts';

/** The configuration as the implementation itself takes it: profiles as switches. */
export function configForCluster({ profileOf, ...config }: SystemConfig): Config {
  const rules = Object.entries(profileOf).map(([id, name]) => [id, switchesOf(name)] as const);
  return { ...config, profileOf: Object.fromEntries(rules) };
}

/**
 * The state of the specification as the implementation holds it. Its own initial state shows where each variable belongs:
 * on disk, in memory, or beside the replicas.
 */
export function clusterStateOf(config: Config, state: State): ClusterState {
  const seen = toObservation(state) as Record<string, unknown>;
  const { replicas, ...rest } = new Cluster(config).observe();
  const cluster = new Cluster(config);
  cluster.reset({
    ...taken(rest, (name) => seen[name]),
    replicas: Object.fromEntries(Object.entries(replicas).map(([id, like]) => [id, replicaState(like, id, seen)])),
  } as ClusterState);
  return cluster.observe();
}

function replicaState(
  { disk, memory, ...rest }: ReplicaState,
  id: string,
  seen: Record<string, unknown>,
): ReplicaState {
  const of = (name: string) => (seen[name] as Record<string, unknown> | undefined)?.[id];
  return { ...taken(rest, of), disk: taken(disk, of), memory: taken(memory, of) } as ReplicaState;
}

function taken<T extends object>(like: T, of: (name: string) => unknown): T {
  return Object.fromEntries(Object.entries(like).map(([name, value]) => [name, of(name) ?? value])) as T;
}
