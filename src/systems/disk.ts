import { Cluster, type ClusterState, type ReplicaId, type Step } from '../replica/index.ts';
import { Machine } from './machine.ts';
import { asStep, effectsOf, fromObservation, OBSERVABLE, toConfig, toObservation } from './memory.ts';
import type { Observation, StepOutcome, System, SystemConfig, WorldStep } from './system.ts';
import { workFolder } from './workFolder.ts';

/**
 * The implementation of src/replica on real files. What a replica has on disk is what is observed of it, read anew from its
 * files; a crash leaves it nothing else, and a restart recovers from them. After a loss of power the log's file ends within
 * the first record that was lost.
 */
export async function diskSystem(): Promise<System> {
  const folder = await workFolder();
  let cluster: DiskCluster | null = null;
  const running = (): DiskCluster => {
    if (cluster === null) throw new TypeError('reset comes first');
    return cluster;
  };
  return {
    name: 'disk',
    observable: OBSERVABLE,
    reset: async (config) => {
      cluster?.close();
      cluster = new DiskCluster(config, folder.path);
    },
    step: async (step) => running().step(step),
    observe: async () => toObservation(running().observe()),
    restore: async (state) => running().restore(state),
    enabled: async () => running().enabled(),
    close: async () => {
      cluster?.close();
      cluster = null;
      await folder.remove();
    },
  };
}

class DiskCluster {
  readonly #cluster: Cluster;
  readonly #machines = new Map<ReplicaId, Machine>();

  constructor(config: SystemConfig, folder: string) {
    const { profileOf } = toConfig(config);
    this.#cluster = new Cluster(toConfig(config));
    for (const id of this.#cluster.config.replicas) {
      const machine = new Machine(`${folder}/${id}`, profileOf[id]!);
      machine.start();
      this.#machines.set(id, machine);
    }
    this.#write(this.#cluster.observe());
  }

  step(worldStep: WorldStep): StepOutcome {
    const step = asStep(worldStep);
    const reason = step === null ? `there is no action ${worldStep.action}` : this.#cluster.whyNot(step);
    if (step === null || reason !== null) return { kind: 'refused', reason: reason ?? '' };
    const problem = this.#before(step);
    if (problem !== null) return { kind: 'refused', reason: problem };
    const result = this.#cluster.step(step);
    const state = this.#cluster.observe();
    this.#write(state);
    this.#after(step, state);
    return { kind: 'taken', effects: effectsOf(result) };
  }

  /** The protocol's state, with what each replica has on disk read from its files. */
  observe(): ClusterState {
    const state = this.#cluster.observe();
    for (const [id, machine] of this.#machines) {
      const replica = state.replicas[id]!;
      // Who is up has its epoch cache in memory; its file may be behind.
      const { epochCache } = machine.isUp ? replica.disk : machine.observe();
      replica.disk = { ...machine.observe(), epochCache };
    }
    return state;
  }

  enabled(): Step[] {
    return this.#cluster.enabled();
  }

  /** Every replica finds the files of this state, and recovers from them, if it is up. */
  restore(shown: Observation): void {
    const state = fromObservation(this.#cluster.config.replicas, shown);
    this.#cluster.reset(state);
    for (const [id, machine] of this.#machines) {
      const { disk, memory } = state.replicas[id]!;
      machine.load(disk, memory.role !== 'down' && memory.role !== 'halted');
    }
  }

  close(): void {
    for (const machine of this.#machines.values()) machine.crash();
  }

  /** A replica that starts knows of its disk only what it finds there. */
  #before({ action, args: [id, kept] }: Step): string | null {
    const machine = this.#machines.get(String(id));
    if (machine === undefined) return null;
    if (action === 'PowerLoss') machine.losePower(Number(kept));
    if (action !== 'Restart') return null;
    const disk = machine.start();
    if (typeof disk === 'string') return disk;
    const state = this.#cluster.observe();
    state.replicas[String(id)]!.disk = disk;
    this.#cluster.reset(state);
    return null;
  }

  /** Who is down has no memory of its disk. */
  #after({ args: [id] }: Step, state: ClusterState): void {
    const machine = this.#machines.get(String(id));
    const replica = state.replicas[String(id)];
    if (!machine || !replica || (replica.memory.role !== 'down' && replica.memory.role !== 'halted')) return;
    machine.crash();
    replica.disk = machine.observe();
    this.#cluster.reset(state);
  }

  #write({ replicas }: ClusterState): void {
    for (const [id, machine] of this.#machines) if (machine.isUp) machine.write(replicas[id]!.disk);
  }
}
