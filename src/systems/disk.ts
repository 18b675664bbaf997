import { mkdirSync, rmSync } from 'node:fs';
import {
  type BatchSource,
  encodeBatch,
  inspectStore,
  openStore,
  readRecords,
  realFiles,
  type Store,
  type StoreOptions,
  storeDefaults,
} from '../disk/index.ts';
import { Cluster, type ClusterState, type Disk, type ReplicaId, type Step } from '../replica/index.ts';
import { asStep, effectsOf, OBSERVABLE, toConfig, toObservation } from './memory.ts';
import type { StepOutcome, System, SystemConfig, WorldStep } from './system.ts';
import { workFolder } from './workFolder.ts';

/** Two records of the specification: logs of three have two segments. */
const SEGMENT_BYTES = 150;
/** Nobody pulls a plug here: a loss of power is played on the files. */
const files = realFiles({ sync: false });

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
    close: async () => {
      cluster?.close();
      cluster = null;
      await folder.remove();
    },
  };
}

/** Of one replica: its files, and the process that has them open, if it lives. */
class Machine {
  readonly #options: StoreOptions;
  #store: Store | null = null;
  #seen: Disk | null = null;
  /** After a loss of power: all that is left is durable, whatever the recovery point says. */
  #survived = 0;

  constructor(folder: string, epochs: boolean) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    this.#options = {
      ...storeDefaults,
      folder,
      topic: 'partition',
      segmentBytes: SEGMENT_BYTES,
      epochs,
      identify: (batch) => readRecords(batch).map(({ value }) => Number(Buffer.from(value ?? []))),
    };
  }

  /** What the process finds on disk when it starts; a sentence if it must not start. */
  start(): Disk | string {
    const opened = openStore(files, this.#options);
    if (opened.kind === 'damaged') return `${opened.damage.file}: ${opened.damage.what}`;
    this.#store = opened.store;
    const flushed = Math.max(opened.disk.flushed, Math.min(this.#survived, opened.disk.log.length));
    this.#survived = 0;
    return { ...opened.disk, flushed };
  }

  write(disk: Disk): void {
    if (this.#store?.write(disk, oneBatchEach)) this.#seen = null;
  }

  get isUp(): boolean {
    return this.#store !== null;
  }

  crash(): void {
    this.#store?.abandon();
    this.#store = null;
    this.#seen = null;
  }

  /** `kept` records are left whole; of the next, if there is one, the first half. */
  losePower(kept: number): void {
    const place = this.#store?.log.placeOf(kept);
    this.crash();
    this.#survived = kept;
    if (!place) return;
    const folder = place.path.slice(0, place.path.lastIndexOf('/'));
    for (const name of files.list(folder)) {
      const path = `${folder}/${name}`;
      if (name.endsWith('.log') && path > place.path) files.remove(path);
    }
    const file = files.open(place.path);
    file.truncate(place.position + TORN_BYTES, false);
    file.close();
  }

  observe(): Disk {
    this.#seen ??= inspectStore(files, this.#options);
    return { ...this.#seen, flushed: Math.max(this.#seen.flushed, this.#survived) };
  }
}

/** Less than any batch has. */
const TORN_BYTES = 40;

const oneBatchEach: BatchSource = (records, offset) =>
  records.map(({ id, epoch }, i) =>
    encodeBatch({ baseOffset: offset + i, epoch, records: [{ value: Buffer.from(String(id)) }] }),
  );

class DiskCluster {
  readonly #cluster: Cluster;
  readonly #machines = new Map<ReplicaId, Machine>();

  constructor(config: SystemConfig, folder: string) {
    const { profileOf } = toConfig(config);
    this.#cluster = new Cluster(toConfig(config));
    for (const id of this.#cluster.config.replicas) {
      const machine = new Machine(`${folder}/${id}`, profileOf[id]?.epochCache === true);
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
