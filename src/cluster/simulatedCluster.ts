/** The brokers and their controller, on a simulated clock, network and disks. Each step is taken by the protocol as a whole too. */
import { damageText, epochsOfRelease, MemoryFiles, openStore, storeDefaults } from '../disk/index.ts';
import type { Config, ReplicaId, Step, StepResult } from '../replica/index.ts';
import { Broker } from './broker.ts';
import { Clock } from './clock.ts';
import { Controller, type Proposal } from './controller.ts';
import type { Host, Timing } from './host.ts';
import { Member } from './member.ts';
import { type Referee, SimulationError } from './referee.ts';
import type { Logged } from './runLog.ts';
import { idsIn } from './simulatedClients.ts';
import { SimulatedNetwork } from './simulatedNetwork.ts';

export const TOPIC = 'partition';
const TIMING: Timing = {
  ...{ fetchWaitMs: 40, backoffMs: 15, lagMs: 120, checkpointMs: 70, flushMs: 90, requestMs: 100 },
};
/** Two batches and a bit. */
const SEGMENT_BYTES = 200;
/** How long a message is under way: most are quick. */
const DELAYS_MS = [1, 1, 2, 3, 5, 8, 60];
const DOWN_MS = 60;

interface Node {
  files: MemoryFiles;
  member: Member | null;
  broker: Broker | null;
}

export class SimulatedCluster {
  readonly clock = new Clock();
  readonly network = new SimulatedNetwork((call) => this.clock.after(this.#delay(), call));
  readonly #config: Config;
  readonly #referee: Referee;
  readonly #random: () => number;
  readonly #onLogged: ((logged: Logged) => void) | undefined;
  readonly #controller: Controller;
  readonly #nodes = new Map<ReplicaId, Node>();

  constructor(
    config: Config,
    referee: Referee,
    random: () => number,
    onLogged: ((logged: Logged) => void) | undefined,
  ) {
    this.#config = config;
    this.#referee = referee;
    this.#random = random;
    this.#onLogged = onLogged;
    this.#controller = new Controller(config, false, null, (step) => this.#took(step, 'controller', null));
    for (const id of config.replicas) {
      this.#nodes.set(id, { files: new MemoryFiles(), member: null, broker: null });
      this.#start(id, 0);
    }
    for (const id of config.replicas) this.#nodes.get(id)?.broker?.wake();
  }

  get up(): ReplicaId[] {
    return this.#ids((node) => node.broker !== null);
  }

  get down(): ReplicaId[] {
    return this.#ids((node) => node.broker === null);
  }

  /** Who believe to lead. */
  get leaders(): ReplicaId[] {
    return this.#ids(({ member }) => member?.replica.memory.role === 'leader');
  }

  brokerOf(id: ReplicaId): Broker | null {
    return this.#nodes.get(id)?.broker ?? null;
  }

  /** The elected leader, once it has committed all that it has. */
  settledLeader(): Broker | null {
    const { epoch, leader } = this.#controller.news;
    const { broker = null, member } = this.#nodes.get(leader) ?? {};
    if (!member) return null;
    const { disk, memory } = member.replica;
    const leads = memory.role === 'leader' && memory.leaderEpoch === epoch;
    return leads && memory.hw === disk.log.length ? broker : null;
  }

  stop(id: ReplicaId, powerLoss: boolean): void {
    const node = this.#nodes.get(id) as Node;
    node.broker?.stop();
    this.network.drop(id);
    if (powerLoss) {
      node.files = new MemoryFiles(node.files.powerLoss(this.#random));
      this.#took({ action: 'PowerLoss', args: [id, recordsIn(node.files, id)] }, 'world', null);
    } else {
      this.#took({ action: 'Crash', args: [id] }, 'world', null);
    }
    this.#forget(id, node);
  }

  restart(id: ReplicaId): void {
    const node = this.#nodes.get(id) as Node;
    if (node.broker !== null || this.#referee.roleOf(id) === 'halted') return;
    const before = this.#controller.news.epoch;
    const incarnation = this.#controller.register(id);
    this.#start(id, incarnation);
    if (this.#controller.react() || this.#controller.news.epoch > before) this.#tellAll();
    // Whoever starts is told the newest at once.
    this.#tell(id);
  }

  moveLeadership(id: ReplicaId): void {
    if (this.#controller.elect(id)) this.#tellAll();
  }

  #start(id: ReplicaId, incarnation: number): void {
    const node = this.#nodes.get(id) as Node;
    const config = this.#config;
    const opened = openStore(node.files, {
      ...{ ...storeDefaults, folder: id, topic: TOPIC, segmentBytes: SEGMENT_BYTES, identify: idsIn },
      ...epochsOfRelease(config.profileOf[id]!),
    });
    if (opened.kind === 'damaged') throw new SimulationError(damageText(opened.damage));
    if (incarnation > 0) this.#referee.found(id, opened.disk);
    let broker: Broker | null = null;
    let member: Member | null = null;
    member = new Member(config, id, opened, incarnation, (step, result) => {
      this.#took(step, id, member, result);
      broker?.told(result);
      if (step.action === 'HandleFetchResponse' && member?.isRunning === false) this.#halted(id);
    });
    broker = new Broker({
      ...{ config, member, host: this.#hostOf(id), timing: TIMING, topic: TOPIC, isDriven: false, identify: idsIn },
      nodeIdOf: (one) => config.replicas.indexOf(one),
    });
    node.member = member;
    node.broker = broker;
    this.#referee.compare(member);
  }

  /** The broker has shut itself down: as the protocol had it. */
  #halted(id: ReplicaId): void {
    const node = this.#nodes.get(id) as Node;
    node.broker?.stop();
    this.#forget(id, node);
  }

  #forget(id: ReplicaId, node: Node): void {
    node.broker = null;
    node.member = null;
    this.#controller.gone(id);
    this.clock.after(this.#random() * DOWN_MS, () => void (this.#controller.react() && this.#tellAll()));
    this.clock.after(this.#random() * DOWN_MS * 3, () => this.restart(id));
  }

  #tellAll(): void {
    for (const id of this.#config.replicas) this.clock.after(this.#delay(), () => this.#tell(id));
  }

  /** By the time it arrives it may be the newest or not; who has heard of nothing yet is told the newest. */
  #tell(id: ReplicaId): void {
    this.#nodes.get(id)?.broker?.hear(this.#controller.news);
  }

  #hostOf(id: ReplicaId): Host {
    return {
      after: (ms, call) => this.clock.after(ms, call),
      connect: (peer, events) => {
        const broker = this.#nodes.get(peer)?.broker;
        return broker ? this.network.connect(id, peer, events, (link) => broker.accept(link)) : null;
      },
      alterIsr: (proposal, done) => this.#alterIsr(proposal, done),
      brokers: () => [],
    };
  }

  /** At once, if the leader compares and sets; a request and its answer take a while, and die with who asked. */
  #alterIsr(proposal: Proposal, done: (accepted: boolean) => void): void {
    const { epoch, leader } = proposal;
    if (!this.#config.profileOf[leader]!.asksForIsr) {
      done(this.#controller.alterIsr(proposal));
      return;
    }
    const asker = this.#nodes.get(leader)?.broker;
    const ifThere = (call: () => void) => () => void (this.#nodes.get(leader)?.broker === asker && call());
    const decide = (): void => {
      const accepted = this.#controller.alterIsr(proposal);
      const isWaitedFor = this.#referee.asksForIsr(leader, epoch);
      if (isWaitedFor) this.#took({ action: 'AlterPartition', args: [leader] }, 'controller', null);
      else if (accepted)
        throw new SimulationError(`${leader} does not lead in epoch ${epoch} any more, and gets another ISR`);
      this.clock.after(
        this.#delay(),
        ifThere(() => done(accepted)),
      );
    };
    this.clock.after(this.#delay(), ifThere(decide));
  }

  #took(step: Step, by: Logged['by'], member: Member | null, result: StepResult | null = null): void {
    if (!this.#referee.took(step, member)) return;
    const controller = by === 'controller' ? this.#referee.run.cluster.save().controller : null;
    this.#onLogged?.({ by, step, result, replica: member?.replica ?? null, controller });
  }

  #delay(): number {
    return DELAYS_MS[Math.floor(this.#random() * DELAYS_MS.length)] as number;
  }

  #ids(which: (node: Node) => boolean): ReplicaId[] {
    return [...this.#nodes].filter(([, node]) => which(node)).map(([id]) => id);
  }
}

function recordsIn(files: MemoryFiles, id: ReplicaId): number {
  const options = { ...storeDefaults, folder: id, topic: TOPIC, identify: idsIn };
  const opened = openStore(new MemoryFiles(files.image()), options);
  if (opened.kind === 'damaged') throw new SimulationError(damageText(opened.damage));
  return opened.disk.log.length;
}
