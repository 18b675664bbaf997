/** A cluster on this machine: brokers in processes of their own, each with its folder, and their controller in this one. */
import { realFiles, storeDefaults } from '../disk/index.ts';
import { type Config, profileOfAll, type ReplicaId } from '../replica/index.ts';
import { switchesOf } from '../systems/memory.ts';
import { Controller } from './controller.ts';
import { ControllerFile } from './controllerFile.ts';
import { lockFolder } from './folderLock.ts';
import { usualTiming } from './host.ts';
import { type OnStep, OrderedSteps } from './orderedSteps.ts';
import { Child } from './processes/child.ts';
import type { Address } from './tcp.ts';

export interface ClusterOptions {
  readonly folder: string;
  readonly topic: string;
  readonly brokers: number;
  readonly host: string;
  /** Of the first broker, the others follow; 0 for any that are free. */
  readonly port: number;
  readonly profile: string;
  readonly minIsr: number;
  readonly unclean: boolean;
  /** In their order, by the clock that all processes share; a little later than they were taken. */
  readonly onStep?: OnStep;
  /** A broker has closed a connection: whose, and why. */
  readonly onShownOut?: (id: ReplicaId, what: string) => void;
  /** What a broker has mended on its disk, or why it ends. */
  readonly onSaid?: (id: ReplicaId, what: string) => void;
  /** The controller cannot go on: its file cannot be written. */
  readonly onFailure?: (error: unknown) => void;
  /** A broker's process has ended, and not by `kill` or `close`. */
  readonly onDeath?: (id: ReplicaId) => void;
}

export interface RunningCluster {
  readonly addresses: ReadonlyMap<ReplicaId, Address & { readonly nodeId: number; readonly pid: number }>;
  /** The process of a broker dies: its connections and its memory go. */
  kill(id: ReplicaId): Promise<void>;
  start(id: ReplicaId): Promise<void>;
  /** All brokers end as they should. */
  close(): Promise<void>;
}

/** A broker that cannot start: its files are damaged, or its port is taken. */
export class BrokerStartError extends Error {
  override readonly name = 'BrokerStartError';
}

export async function startCluster(options: ClusterOptions): Promise<RunningCluster> {
  const file = new ControllerFile(realFiles({ sync: true }), options.folder, options.topic);
  const unlock = lockFolder(options.folder);
  let cluster: ProcessCluster | null = null;
  try {
    cluster = new ProcessCluster(options, file, unlock);
    await cluster.begin();
    return cluster;
  } catch (error) {
    await cluster?.close();
    unlock();
    throw error;
  }
}

class ProcessCluster implements RunningCluster {
  readonly addresses = new Map<ReplicaId, Address & { nodeId: number; pid: number }>();
  readonly #options: ClusterOptions;
  readonly #config: Config;
  readonly #controller: Controller;
  readonly #isNew: boolean;
  readonly #children = new Map<ReplicaId, Child>();
  readonly #births = new Set<Promise<unknown>>();
  readonly #steps: OrderedSteps;
  readonly #controllerFile: ControllerFile;
  readonly #unlock: () => void;
  #reaction: NodeJS.Timeout | undefined;
  #isClosing = false;

  constructor(options: ClusterOptions, file: ControllerFile, unlock: () => void) {
    const { brokers, minIsr, profile, unclean } = options;
    this.#options = options;
    const replicas = Array.from({ length: brokers }, (_, i) => String(i + 1));
    this.#config = {
      ...{ replicas, firstLeader: '1', minIsr, profileOf: profileOfAll(switchesOf(profile), replicas) },
      ...{ lazyCheckpoint: true, resumeSameEpoch: false, oldNews: true },
    };
    this.#controllerFile = file;
    this.#unlock = unlock;
    const state = file.read(replicas);
    this.#isNew = state === null;
    this.#steps = new OrderedSteps(options.onStep);
    this.#controller = new Controller(this.#config, unclean, state, (step) => this.#steps.add(null, step));
  }

  async begin(): Promise<void> {
    const { replicas } = this.#config;
    const incarnations = replicas.map((id) => (this.#isNew ? 0 : this.#controller.register(id)));
    this.#controller.react();
    this.#save();
    const begun = await Promise.allSettled(replicas.map((id, index) => this.#begin(id, incarnations[index]!)));
    // Only when nobody is on the way any more: who has begun is to be ended.
    for (const one of begun) if (one.status === 'rejected') throw one.reason;
    const inOrder = [...this.addresses].sort(([, one], [, other]) => one.nodeId - other.nodeId);
    this.addresses.clear();
    for (const [id, address] of inOrder) this.addresses.set(id, address);
    await this.#introduce();
    await this.#tellAll();
    for (const child of this.#children.values()) await child.ask({ kind: 'ask' });
  }

  async kill(id: ReplicaId): Promise<void> {
    const child = this.#children.get(id);
    this.#children.delete(id);
    await child?.kill();
  }

  async start(id: ReplicaId): Promise<void> {
    if (this.#children.has(id)) return;
    await this.#begin(id, this.#controller.register(id));
    if (this.#isClosing) return;
    await this.#introduce();
    this.#controller.react();
    await this.#tellAll();
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    clearTimeout(this.#reaction);
    await Promise.allSettled(this.#births);
    await Promise.all([...this.#children.values()].map((child) => child.shutDown()));
    this.#children.clear();
    this.#steps.flush();
    this.#unlock();
  }

  async #begin(id: ReplicaId, incarnation: number): Promise<void> {
    const { folder, host, port, topic } = this.#options;
    const index = this.#config.replicas.indexOf(id);
    // Whoever comes back has the address that clients know.
    const address = this.addresses.get(id) ?? { host, port: port === 0 ? 0 : port + index };
    const order = {
      ...{ config: this.#config, id, topic, folder: `${folder}/${id}`, segmentBytes: storeDefaults.segmentBytes },
      ...{ sync: true, timing: usualTiming, isDriven: false, identify: 'content' as const, incarnation, survived: 0 },
      address: { host: address.host, port: address.port },
    };
    const birth = Child.begin(order, {
      step: ({ atNs, step }) => this.#steps.add(id, step, BigInt(atNs)),
      alterIsr: (proposal) => {
        const accepted = this.#controller.alterIsr(proposal);
        // The leader knows it by the answer; the others tell clients of it.
        if (accepted) this.#orFail(() => this.#tellAll(proposal.leader));
        return accepted;
      },
      said: (what) => this.#options.onSaid?.(id, what),
      shownOut: (what) => this.#options.onShownOut?.(id, what),
      ended: () => this.#ended(id),
    });
    this.#births.add(birth);
    const child = await birth.finally(() => this.#births.delete(birth));
    if (typeof child === 'string') throw new BrokerStartError(`Broker ${id} cannot start: ${child}`);
    this.#children.set(id, child);
    this.addresses.set(id, { nodeId: index + 1, host, port: child.port, pid: child.pid });
  }

  #ended(id: ReplicaId): void {
    if (this.#isClosing) return;
    this.#controller.gone(id);
    if (this.#children.delete(id)) this.#options.onDeath?.(id);
    clearTimeout(this.#reaction);
    this.#reaction = setTimeout(() => {
      if (this.#controller.react()) this.#orFail(() => this.#tellAll());
    }, usualTiming.backoffMs);
  }

  /** What nobody waits for. */
  #orFail(work: () => Promise<void>): void {
    void work().catch((error) => this.#options.onFailure?.(error));
  }

  /** Everybody learns where everybody is. */
  async #introduce(): Promise<void> {
    const peers = [...this.addresses].map(([id, { host, nodeId, port }]) => ({ id, host, nodeId, port }));
    await Promise.all([...this.#children.values()].map((child) => child.ask({ kind: 'meet', peers })));
  }

  async #tellAll(but: ReplicaId | null = null): Promise<void> {
    this.#save();
    const { news } = this.#controller;
    const told = [...this.#children].filter(([id]) => id !== but);
    await Promise.all(told.map(([, child]) => child.ask({ kind: 'hear', news })));
  }

  #save(): void {
    this.#controllerFile.write(this.#controller.state);
  }
}
