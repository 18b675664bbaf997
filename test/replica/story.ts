import {
  type ActionName,
  Cluster,
  type Config,
  type Disk,
  type Memory,
  type Profile,
  profileOfAll,
  type ReplicaId,
  type StepResult,
} from '../../src/replica/index.ts';

/** A step as the specification's told schedules have it. */
export type Told = readonly [ActionName, ...(string | number)[]];

/** A cluster for a test: two replicas A and B, A leads, and records are numbered as they are written. */
export class Story {
  readonly cluster: Cluster;
  #written = 0;

  constructor(profile: Profile, config: Partial<Config> = {}) {
    const replicas = config.replicas ?? ['A', 'B'];
    this.cluster = new Cluster({
      replicas,
      firstLeader: 'A',
      profileOf: profileOfAll(profile, replicas),
      minIsr: 1,
      lazyCheckpoint: false,
      resumeSameEpoch: false,
      oldNews: false,
      ...config,
    });
  }

  /** Takes the steps, and tells what came of the last one. */
  play(...steps: Told[]): StepResult {
    let result: StepResult = { acknowledged: [], refused: [] };
    for (const [action, ...args] of steps) {
      const id = action === 'Write' ? { id: this.#written + 1 } : {};
      result = this.cluster.step({ action, args, ...id });
      if (action === 'Write') this.#written++;
    }
    return result;
  }

  whyNot(...[action, ...args]: Told): string | null {
    return this.cluster.whyNot({ action, args });
  }

  /** What replica `id` holds, on disk and in memory. */
  at(id: ReplicaId): Disk & Memory {
    const { disk, memory } = this.cluster.observe().replicas[id]!;
    return { ...disk, ...memory };
  }

  /** Its log as `id@epoch`, from offset 0 on. */
  log(id: ReplicaId): string[] {
    return this.at(id).log.map((record) => `${record.id}@${record.epoch}`);
  }

  /** Sets what replica `id` holds, over what it does. */
  set(id: ReplicaId, { disk = {}, memory = {} }: { disk?: Partial<Disk>; memory?: Partial<Memory> }): void {
    const state = this.cluster.observe();
    Object.assign(state.replicas[id]!.disk, disk);
    Object.assign(state.replicas[id]!.memory, memory);
    this.cluster.reset(state);
  }
}

/** A whole round trip: `follower` fetches from `leader`. */
export function fetched(leader: ReplicaId, follower: ReplicaId): Told[] {
  return [
    ['SendFetch', follower],
    ['HandleFetch', leader, follower],
    ['HandleFetchResponse', follower],
  ];
}

/** A whole round trip: `follower` asks `leader` where its last epoch ends, and truncates. */
export function asked(leader: ReplicaId, follower: ReplicaId): Told[] {
  return [
    ['SendOffsetsForLeaderEpoch', follower],
    ['HandleOffsetsForLeaderEpoch', leader, follower],
    ['HandleOffsetsForLeaderEpochResponse', follower],
  ];
}
