/** Brokers in processes of their own, and a gate on each way between two of them: messages pass when they are told to. */
import { mkdirSync, rmSync } from 'node:fs';
import { Gate } from '../../brokers/gate.ts';
import {
  epochsOfRelease,
  inspectStore,
  readRecords,
  realFiles,
  type StoreOptions,
  storeDefaults,
  tearLog,
} from '../../disk/index.ts';
import {
  Cluster,
  type Config,
  type Disk,
  type Memory,
  type ReplicaId,
  type ReplicaState,
} from '../../replica/index.ts';
import { apis } from '../../wire/index.ts';
import type { Proposal } from '../controller.ts';
import { usualTiming } from '../host.ts';
import { Child } from '../processes/child.ts';
import type { Order, Outcome, Up } from '../processes/messages.ts';

/** The machine may be busy. What goes on for longer is broken. */
const PATIENCE_MS = 60_000;
/** Nothing happens by a timer: the longest that Node has. */
const NEVER_MS = 2 ** 31 - 1;
const HOST = '127.0.0.1';
const TOPIC = 'partition';
/** Two records of the specification. */
const SEGMENT_BYTES = 150;
/** Less than any batch has. */
const TORN_BYTES = 40;
const GATED = new Set([apis.Fetch.key, apis.OffsetForLeaderEpoch.key]);

type Taken = Extract<Up, { kind: 'step' }>;

/** A broker did not do in time what it was told: a mistake of the program, or a machine that stands still. */
export class DrivenError extends Error {
  override readonly name = 'DrivenError';
}

export class DrivenNode {
  readonly id: ReplicaId;
  readonly #config: Config;
  readonly #options: StoreOptions;
  readonly #alterIsr: (proposal: Proposal) => boolean;
  readonly #gates = new Map<ReplicaId, Gate>();
  readonly #taken: Taken[] = [];
  readonly #down: Memory;
  #child: Child | null = null;
  #isHalted = false;
  #onTaken: (() => void)[] = [];
  /** After a loss of power: all that is left is durable. */
  #survived = 0;

  constructor(config: Config, id: ReplicaId, folder: string, alterIsr: (proposal: Proposal) => boolean) {
    this.id = id;
    this.#config = config;
    this.#alterIsr = alterIsr;
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    this.#options = {
      ...{ ...storeDefaults, folder, topic: TOPIC, segmentBytes: SEGMENT_BYTES },
      ...epochsOfRelease(config.profileOf[id]!),
      identify: (batch) => readRecords(batch).map(({ value }) => Number(Buffer.from(value ?? []))),
    };
    const world = new Cluster(config);
    world.step({ action: 'Crash', args: [id] });
    this.#down = world.observe().replicas[id]!.memory;
  }

  get isUp(): boolean {
    return this.#child !== null;
  }

  get isHalted(): boolean {
    return this.#isHalted;
  }

  get address() {
    return { host: HOST, port: this.#child?.port ?? 0, topic: TOPIC };
  }

  get identify() {
    return this.#options.identify as (batch: Uint8Array) => readonly number[];
  }

  /** Where this one, as a follower, finds the others: each behind a gate. */
  async openGates(others: readonly DrivenNode[]): Promise<void> {
    for (const other of others) {
      const target = () => (other.isUp ? other.address.port : null);
      this.#gates.set(other.id, await Gate.open({ gated: GATED, target }));
    }
  }

  gateTo(leader: ReplicaId): Gate {
    return this.#gates.get(leader)!;
  }

  /** A sentence if it must not start on what it finds. */
  async start(incarnation: number): Promise<string | null> {
    const { folder } = this.#options;
    const child = await Child.begin(
      {
        ...{ config: this.#config, id: this.id, topic: TOPIC, folder, segmentBytes: SEGMENT_BYTES, sync: false },
        ...{ address: { host: HOST, port: 0 }, isDriven: true, identify: 'value', incarnation },
        timing: { ...usualTiming, fetchWaitMs: 0, requestMs: NEVER_MS },
        survived: this.#survived,
      },
      { step: (taken) => this.#note(taken), alterIsr: this.#alterIsr, ended: () => {}, said: console.error },
    );
    if (typeof child === 'string') return child;
    this.#child = child;
    this.#survived = 0;
    const peers = [...this.#gates].map(([id, { port }]) => ({
      ...{ id, host: HOST, port },
      nodeId: this.#config.replicas.indexOf(id) + 1,
    }));
    await this.order({ kind: 'meet', peers });
    this.#taken.length = 0;
    return null;
  }

  async order(order: Order): Promise<Outcome> {
    if (this.#child === null) return { kind: 'refused', reason: `${this.id} is not up` };
    return inTime(this.#child.ask(order), `${this.id}: ${order.kind}`);
  }

  /** The next step that it takes, which must be of this name; it may have been taken already. */
  async taken(action: string): Promise<Taken> {
    await inTime(this.hasTaken(), `${this.id}: ${action}`);
    const taken = this.#taken.shift()!;
    if (taken.step.action !== action) {
      throw new DrivenError(`${this.id} took the step ${taken.step.action}, where ${action} was expected`);
    }
    if (taken.role === 'halted') {
      this.#isHalted = true;
      await this.kill();
    }
    return taken;
  }

  /** Resolves once it has taken a step that nobody has asked for yet. */
  async hasTaken(): Promise<void> {
    while (this.#taken.length === 0) await new Promise<void>((resolve) => this.#onTaken.push(resolve));
  }

  /** SIGKILL. */
  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = null;
    await child?.kill();
    for (const gate of this.#gates.values()) gate.drop();
    this.#taken.length = 0;
  }

  async losePower(kept: number): Promise<void> {
    await this.kill();
    this.#survived = kept;
    tearLog(realFiles({ sync: false }), this.#options, kept, TORN_BYTES);
  }

  async observe(): Promise<Pick<ReplicaState, 'disk' | 'memory'>> {
    const found = inspectStore(realFiles({ sync: false }), this.#options);
    if (this.#child === null) {
      const disk: Disk = { ...found, flushed: Math.max(found.flushed, this.#survived) };
      return { disk, memory: { ...this.#down, role: this.#isHalted ? 'halted' : 'down' } };
    }
    const { disk, memory } = await this.live();
    return { disk: { ...found, epochCache: disk.epochCache, flushed: disk.flushed }, memory };
  }

  /** What it has in mind; only of one that is up. */
  async live(): Promise<ReplicaState & { readonly isAsking: boolean }> {
    const seen = await this.order({ kind: 'observe' });
    if (seen.kind !== 'seen') throw new DrivenError(`${this.id} does not say what it has in mind`);
    return { ...seen.replica, isAsking: seen.isAsking };
  }

  async close(): Promise<void> {
    await this.kill();
    for (const gate of this.#gates.values()) await gate.close();
  }

  #note(taken: Taken): void {
    this.#taken.push(taken);
    const told = this.#onTaken;
    this.#onTaken = [];
    for (const tell of told) tell();
  }
}

async function inTime<T>(wanted: Promise<T>, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DrivenError(`${what}: nothing came for ${PATIENCE_MS / 1000} s`)), PATIENCE_MS);
  });
  return Promise.race([wanted, late]).finally(() => clearTimeout(timer));
}
