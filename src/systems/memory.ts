import {
  actions,
  Cluster,
  type ClusterState,
  type Config,
  equalStates,
  key,
  type Profile,
  profiles,
  type ReplicaState,
  type Step,
  type StepResult,
} from '../replica/index.ts';
import type { Effect, Observation, StepOutcome, System, SystemConfig, WorldStep } from './system.ts';

/** Where a field of the specification stands in a replica's state. */
const FIELDS: Readonly<Record<string, (replica: ReplicaState) => unknown>> = {
  log: ({ disk }) => disk.log,
  flushed: ({ disk }) => disk.flushed,
  epochCache: ({ disk }) => disk.epochCache,
  epochFile: ({ disk }) => disk.epochFile,
  checkpoint: ({ disk }) => disk.checkpoint,
  role: ({ memory }) => memory.role,
  leaderEpoch: ({ memory }) => memory.leaderEpoch,
  leader: ({ memory }) => memory.leader,
  hw: ({ memory }) => memory.hw,
  fetchState: ({ memory }) => memory.fetchState,
  incarnation: (replica) => replica.incarnation,
  isr: ({ memory }) => memory.isr,
  remoteLeo: ({ memory }) => memory.remoteLeo,
  remoteHw: ({ memory }) => memory.remoteHw,
  isrProposal: ({ memory }) => memory.isrProposal,
  epochStart: ({ memory }) => memory.epochStart,
  pending: ({ memory }) => memory.pending,
};

const ALL: readonly string[] = [...Object.keys(FIELDS), 'controller', 'oldNews', 'elr', 'network'];

export const OBSERVABLE: ReadonlySet<string> = new Set(ALL);

/** The part of a replica's state that has a field of this name; none for what stands beside them. */
const PLACES: Readonly<Record<string, 'disk' | 'memory' | undefined>> = placesOf(
  new Cluster({
    replicas: ['A'],
    firstLeader: 'A',
    profileOf: { A: profiles.kip320 },
    minIsr: 1,
    lazyCheckpoint: false,
    resumeSameEpoch: false,
    oldNews: false,
  }).observe().replicas.A as ReplicaState,
);

function placesOf({ disk, memory }: ReplicaState): Record<string, 'disk' | 'memory' | undefined> {
  return Object.fromEntries(
    Object.keys(FIELDS).map((name) => [name, name in disk ? 'disk' : name in memory ? 'memory' : undefined]),
  );
}

/** The implementation of src/replica in memory, at once: what `memory` does, and what arguments are inferred with. */
export class MemoryCluster {
  readonly #cluster: Cluster;

  /** Throws a RangeError if the configuration makes no sense. */
  constructor(config: SystemConfig) {
    this.#cluster = new Cluster(toConfig(config));
  }

  enabled(): WorldStep[] {
    return this.#cluster.enabled();
  }

  step(step: WorldStep): StepOutcome {
    const known = asStep(step);
    const reason = known === null ? `there is no action ${step.action}` : this.#cluster.whyNot(known);
    if (known === null || reason !== null) return { kind: 'refused', reason: reason ?? '' };
    return { kind: 'taken', effects: effectsOf(this.#cluster.step(known)) };
  }

  /** The fields of these names; all, if none are given. */
  observe(names: readonly string[] = ALL): Observation {
    return toObservation(this.#cluster.observe(), names);
  }

  /** Puts the cluster into the state that shows this: the other way of `observe`. */
  load(observation: Observation): void {
    this.#cluster.reset(fromObservation(this.#cluster.config.replicas, observation));
  }

  /** For going back: take the state, try something, put the state back. */
  save(): ClusterState {
    return this.#cluster.observe();
  }

  restore(state: ClusterState): void {
    this.#cluster.reset(state);
  }

  /** Two states have the same key if and only if they are equal. */
  key(): string {
    return key(this.#cluster.observe());
  }

  isIn(state: ClusterState): boolean {
    return equalStates(this.#cluster.observe(), state);
  }

  /** The ids that a consumer reads from this replica, from `offset` on; null if it does not serve it. */
  read(replica: string, offset: number): number[] | null {
    const result = this.#cluster.read(replica, offset);
    return result.error === 'none' ? result.records.map(({ id }) => id) : null;
  }
}

export function memorySystem(): System {
  let cluster: MemoryCluster | null = null;
  const running = (): MemoryCluster => {
    if (cluster === null) throw new TypeError('reset comes first');
    return cluster;
  };
  return {
    name: 'memory',
    observable: OBSERVABLE,
    reset: async (config) => {
      cluster = new MemoryCluster(config);
    },
    step: async (step) => running().step(step),
    observe: async () => running().observe(),
    restore: async (state) => running().load(state),
    enabled: async () => running().enabled(),
    close: async () => {
      cluster = null;
    },
  };
}

export function effectsOf({ acknowledged }: StepResult): Effect[] {
  return acknowledged.map(({ id, acks }) => ({ kind: 'acknowledged', id, acks }));
}

export function asStep({ action, args, id }: WorldStep): Step | null {
  if (!(action in actions)) return null;
  return { action: action as Step['action'], args, ...(id === undefined ? {} : { id }) };
}

export function toConfig({ profileOf, ...config }: SystemConfig): Config {
  const rules = Object.entries(profileOf).map(([id, name]) => [id, switchesOf(name)] as const);
  return { ...config, profileOf: Object.fromEntries(rules) };
}

/** What a profile of spec/Profiles.tla does: `Kafka_0_10_2` is `profiles.kafka_0_10_2`. A RangeError if there is none. */
export function switchesOf(name: string): Profile {
  const key = name.charAt(0).toLowerCase() + name.slice(1);
  const profile = Object.entries(profiles).find(([known]) => known === key)?.[1];
  if (!profile) throw new RangeError(`There is no profile "${name}"`);
  return profile;
}

/** What a system in this state shows, in the fields of these names. */
export function toObservation(state: ClusterState, names: readonly string[] = ALL): Observation {
  const { replicas } = state;
  const shown: Record<string, unknown> = {};
  for (const name of names) {
    const read = FIELDS[name];
    if (read === undefined) {
      shown[name] = state[name as keyof ClusterState];
      continue;
    }
    const each: Record<string, unknown> = {};
    for (const id in replicas) each[id] = read(replicas[id] as ReplicaState);
    shown[name] = each;
  }
  return shown;
}

/** A field stands on disk, in memory, or beside them, as it does in every state. */
export function fromObservation(ids: readonly string[], shown: Observation): ClusterState {
  const replicas: Record<string, ReplicaState> = {};
  for (const id of ids) {
    const parts = { disk: {}, memory: {} } as Record<string, Record<string, unknown>> & { incarnation?: unknown };
    for (const name in FIELDS) {
      const value = (shown[name] as Record<string, unknown> | undefined)?.[id];
      if (value === undefined) throw new RangeError(`The state does not say what ${name} of ${id} is`);
      const part = PLACES[name];
      if (part === undefined) (parts as Record<string, unknown>)[name] = value;
      else parts[part]![name] = value;
    }
    replicas[id] = parts as unknown as ReplicaState;
  }
  const { controller, oldNews, elr, network } = shown as unknown as ClusterState;
  return { replicas, controller, oldNews, elr, network };
}
