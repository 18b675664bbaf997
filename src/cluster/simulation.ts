/**
 * A whole cluster in one process, on a simulated clock, network and disk: the same brokers and the same controller as on
 * sockets. One seed, one run. Whatever happens is also taken as a step of the protocol as a whole, which must allow it, and
 * must come to the same state of the replica that took it: so each run is a behaviour of src/replica, and its trace can be
 * given to TLC.
 */
import type { ClientEvent } from '../conform/history.ts';
import { type Image, MemoryFiles, openStore, storeDefaults } from '../disk/index.ts';
import type { Run } from '../replay/index.ts';
import { seeded } from '../replay/seeded.ts';
import { type Config, profileOfAll, type ReplicaId, type Step, type StepResult } from '../replica/index.ts';
import { switchesOf } from '../systems/memory.ts';
import type { SystemConfig, WorldStep } from '../systems/system.ts';
import { Broker } from './broker.ts';
import { Clock } from './clock.ts';
import { Controller, type Proposal } from './controller.ts';
import type { Host, Timing } from './host.ts';
import { Member } from './member.ts';
import { type Broken, Referee, SimulationError } from './referee.ts';
import type { Logged } from './runLog.ts';
import { idsIn, SimulatedClients } from './simulatedClients.ts';
import { SimulatedNetwork } from './simulatedNetwork.ts';

export interface SimulationOptions {
  readonly seed: number;
  /** As in spec/Profiles.tla. */
  readonly profile: string;
  readonly replicas: readonly string[];
  readonly minIsr: number;
  readonly powerLoss: boolean;
  /** So many steps of the protocol under faults; then it comes to rest, with some more. */
  readonly steps: number;
  readonly properties: readonly string[];
  readonly onStart?: (run: Run) => void;
  /** After each step, with all that the specification sees. */
  readonly onStep?: (step: WorldStep, run: Run) => void;
  /** After each step, with what the one who took it sees. */
  readonly onLogged?: (logged: Logged) => void;
}

export interface Simulated {
  readonly steps: readonly WorldStep[];
  readonly broken: Broken | null;
  /** What producers were told is stored. */
  readonly acknowledged: readonly number[];
  /** What clients gave and saw. */
  readonly history: readonly ClientEvent[];
  /** When all faults had ended, a leader came to have committed all that it has, and was read from at last. */
  readonly isSettled: boolean;
  readonly faults: number;
  readonly config: SystemConfig;
}

const TOPIC = 'partition';
const TIMING: Timing = {
  ...{ fetchWaitMs: 40, backoffMs: 15, lagMs: 120, checkpointMs: 70, flushMs: 90, requestMs: 100 },
};
/** How long a message is under way: most are quick. */
const DELAYS_MS = [1, 1, 2, 3, 5, 8, 60];
const HAPPENINGS_MS = 12;
const DOWN_MS = 60;
/** Long after the last timer. */
const SETTLES_MS = 5_000;

export function simulate(options: SimulationOptions): Simulated {
  const simulation = new Simulation(options);
  simulation.run();
  return simulation.result();
}

interface Node {
  files: MemoryFiles;
  member: Member | null;
  broker: Broker | null;
}

class Simulation {
  readonly #options: SimulationOptions;
  readonly #config: Config;
  readonly #systemConfig: SystemConfig;
  readonly #referee: Referee;
  readonly #controller: Controller;
  readonly #nodes = new Map<ReplicaId, Node>();
  readonly #clock = new Clock();
  readonly #network = new SimulatedNetwork((call) => this.#clock.after(this.#delay(), call));
  readonly #clients = new SimulatedClients(TOPIC);
  readonly #random: () => number;
  #faults = 0;
  /** Nothing more is done to the cluster: it comes to rest. */
  #isSettling = false;
  #isSettled = false;

  constructor(options: SimulationOptions) {
    this.#options = options;
    const { minIsr, profile, replicas, seed } = options;
    const fixed = {
      minIsr,
      lazyCheckpoint: true,
      resumeSameEpoch: false,
      oldNews: true,
      firstLeader: replicas[0] ?? '',
    };
    this.#systemConfig = { ...fixed, replicas, profileOf: Object.fromEntries(replicas.map((id) => [id, profile])) };
    this.#config = { ...fixed, replicas, profileOf: profileOfAll(switchesOf(profile), replicas) };
    this.#referee = new Referee(this.#systemConfig, options);
    this.#random = seeded(seed);
    options.onStart?.(this.#referee.run);
    this.#controller = new Controller(this.#config, false, null, (step) => this.#took(step, 'controller', null));
    for (const id of replicas) {
      this.#nodes.set(id, { files: new MemoryFiles(), member: null, broker: null });
      this.#start(id, 0);
    }
    for (const id of replicas) this.#nodes.get(id)?.broker?.wake();
    this.#clock.after(HAPPENINGS_MS, () => this.#somethingHappens());
  }

  run(): void {
    while (this.#referee.steps.length < this.#options.steps && this.#referee.broken === null && this.#clock.next());
    if (this.#referee.broken === null) this.#settle();
  }

  /** All faults end. What a consumer reads then is the last word. */
  #settle(): void {
    this.#isSettling = true;
    this.#network.mendAll();
    const until = this.#clock.now + SETTLES_MS;
    while (this.#referee.broken === null && this.#clock.now < until && this.#clock.next()) {
      const leader = this.#settledLeader();
      if (leader === null || !this.#clients.read(leader, 'lastRead')) continue;
      this.#isSettled = true;
      return;
    }
  }

  /** The elected leader, once it has committed all that it has. */
  #settledLeader(): Broker | null {
    const { epoch, leader } = this.#controller.news;
    const { broker = null, member } = this.#nodes.get(leader) ?? {};
    if (!member) return null;
    const { disk, memory } = member.replica;
    const leads = memory.role === 'leader' && memory.leaderEpoch === epoch;
    return leads && memory.hw === disk.log.length ? broker : null;
  }

  result(): Simulated {
    return {
      steps: this.#referee.steps,
      broken: this.#referee.broken,
      acknowledged: this.#clients.acknowledged,
      history: this.#clients.history,
      isSettled: this.#isSettled,
      faults: this.#faults,
      config: this.#systemConfig,
    };
  }

  /** What the world does to the cluster. */
  #somethingHappens(): void {
    if (this.#isSettling) return;
    const up = this.#ids((node) => node.broker !== null);
    const down = this.#ids((node) => node.broker === null);
    const one = this.#pick(up);
    const chance = this.#random();
    if (chance < 0.45) this.#produce();
    else if (chance < 0.55) this.#consume();
    else if (chance < 0.63 && one !== undefined) this.#stop(one, false);
    else if (chance < 0.68 && one !== undefined && this.#options.powerLoss) this.#stop(one, true);
    else if (chance < 0.78 && one !== undefined) this.#moveLeadership(one);
    else if (chance < 0.86) this.#breakConnection();
    else if (chance < 0.92) this.#cutOff();
    else if (down.length > 0) this.#restart(this.#pick(down) as ReplicaId);
    this.#clock.after(1 + this.#random() * HAPPENINGS_MS * 2, () => this.#somethingHappens());
  }

  #start(id: ReplicaId, incarnation: number): void {
    const node = this.#nodes.get(id) as Node;
    const opened = openStore(node.files, {
      ...storeDefaults,
      ...{ folder: id, topic: TOPIC, segmentBytes: 200, epochs: this.#config.profileOf[id]?.epochCache === true },
      identify: idsIn,
    });
    if (opened.kind === 'damaged') throw new SimulationError(`${opened.damage.file}: ${opened.damage.what}`);
    if (incarnation > 0) this.#referee.found(id, opened.disk);
    let broker: Broker | null = null;
    let member: Member | null = null;
    member = new Member(this.#config, id, opened, incarnation, (step, result) => {
      this.#took(step, id, member, result);
      broker?.told(result);
      if (step.action === 'HandleFetchResponse' && member?.isRunning === false) this.#halted(id);
    });
    broker = new Broker({
      ...{
        config: this.#config,
        member,
        host: this.#hostOf(id),
        timing: TIMING,
        topic: TOPIC,
        isDriven: false,
        identify: idsIn,
      },
      nodeIdOf: (one) => this.#config.replicas.indexOf(one),
    });
    node.member = member;
    node.broker = broker;
    this.#referee.compare(member);
  }

  #stop(id: ReplicaId, powerLoss: boolean): void {
    const node = this.#nodes.get(id) as Node;
    this.#faults++;
    node.broker?.stop();
    this.#network.drop(id);
    if (powerLoss) {
      node.files = new MemoryFiles(node.files.powerLoss(this.#random));
      this.#took({ action: 'PowerLoss', args: [id, recordsIn(node.files, id)] }, 'world', null);
    } else {
      this.#took({ action: 'Crash', args: [id] }, 'world', null);
    }
    this.#forget(id, node);
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
    this.#clock.after(this.#random() * DOWN_MS, () => this.#react());
    this.#clock.after(this.#random() * DOWN_MS * 3, () => this.#restart(id));
  }

  #restart(id: ReplicaId): void {
    const node = this.#nodes.get(id) as Node;
    if (node.broker !== null || this.#referee.roleOf(id) === 'halted') return;
    const before = this.#controller.news.epoch;
    const incarnation = this.#controller.register(id);
    this.#start(id, incarnation);
    if (this.#controller.react() || this.#controller.news.epoch > before) this.#tellAll();
    // Whoever starts is told the newest at once.
    this.#tell(id);
  }

  #react(): void {
    if (this.#controller.react()) this.#tellAll();
  }

  #moveLeadership(id: ReplicaId): void {
    if (this.#controller.elect(id)) this.#tellAll();
  }

  #tellAll(): void {
    for (const id of this.#config.replicas) this.#clock.after(this.#delay(), () => this.#tell(id));
  }

  /** By the time it arrives it may be the newest or not; who has heard of nothing yet is told the newest. */
  #tell(id: ReplicaId): void {
    this.#nodes.get(id)?.broker?.hear(this.#controller.news);
  }

  #produce(): void {
    const leader = this.#pick(this.#leaders());
    const broker = leader === undefined ? undefined : this.#nodes.get(leader)?.broker;
    if (!broker) return;
    const before = this.#referee.run.ghosts.written;
    const acks = this.#random() < 0.7 ? 'all' : '1';
    this.#clients.produce(broker, acks, () => this.#referee.run.ghosts.written > before);
  }

  #consume(): void {
    const leader = this.#pick(this.#leaders());
    const broker = leader === undefined ? undefined : this.#nodes.get(leader)?.broker;
    if (broker) this.#clients.read(broker, 'read');
  }

  #breakConnection(): void {
    const connection = this.#pick(this.#network.connections);
    if (connection === undefined) return;
    this.#faults++;
    connection.close(null);
  }

  /** Two replicas cannot reach each other for a while. */
  #cutOff(): void {
    const [one, other] = [this.#pick(this.#config.replicas), this.#pick(this.#config.replicas)];
    if (one === undefined || other === undefined || one === other) return;
    this.#faults++;
    this.#clock.after(this.#random() * 150, this.#network.cutOff(one, other));
  }

  #hostOf(id: ReplicaId): Host {
    return {
      after: (ms, call) => this.#clock.after(ms, call),
      connect: (peer, events) => {
        const broker = this.#nodes.get(peer)?.broker;
        return broker ? this.#network.connect(id, peer, events, (link) => broker.accept(link)) : null;
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
      this.#clock.after(
        this.#delay(),
        ifThere(() => done(accepted)),
      );
    };
    this.#clock.after(this.#delay(), ifThere(decide));
  }

  #took(step: Step, by: Logged['by'], member: Member | null, result: StepResult | null = null): void {
    if (!this.#referee.took(step, member)) return;
    const controller = by === 'controller' ? this.#referee.run.cluster.save().controller : null;
    this.#options.onLogged?.({ by, step, result, replica: member?.replica ?? null, controller });
  }

  #delay(): number {
    return this.#pick(DELAYS_MS) as number;
  }

  #leaders(): ReplicaId[] {
    return this.#ids(({ member }) => member?.replica.memory.role === 'leader');
  }

  #ids(which: (node: Node) => boolean): ReplicaId[] {
    return [...this.#nodes].filter(([, node]) => which(node)).map(([id]) => id);
  }

  #pick<T>(from: readonly T[]): T | undefined {
    return from[Math.floor(this.#random() * from.length)];
  }
}

function recordsIn(files: MemoryFiles, id: ReplicaId): number {
  const copy: Image = files.image();
  const opened = openStore(new MemoryFiles(copy), { ...storeDefaults, folder: id, topic: TOPIC, identify: idsIn });
  if (opened.kind === 'damaged') throw new SimulationError(`${opened.damage.file}: ${opened.damage.what}`);
  return opened.disk.log.length;
}
