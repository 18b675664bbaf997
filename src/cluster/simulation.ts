/**
 * A whole cluster in one process, on a simulated clock, network and disk: the same brokers and the same controller as on
 * sockets. One seed, one run. Whatever happens is also taken as a step of the protocol as a whole, which must allow it, and
 * must come to the same state of the replica that took it: so each run is a behaviour of src/replica, and its trace can be
 * given to TLC.
 */
import { encodeBatch, type Image, MemoryFiles, openStore, readRecords, storeDefaults } from '../disk/index.ts';
import { judge, Run } from '../replay/index.ts';
import { type Config, profileOfAll, type ReplicaId, type Step } from '../replica/index.ts';
import { switchesOf } from '../systems/memory.ts';
import type { SystemConfig, WorldStep } from '../systems/system.ts';
import { decodeResponse, encodeRequest, unframed } from '../wire/index.ts';
import { Broker } from './broker.ts';
import { Clock, seededRandom } from './clock.ts';
import { Controller } from './controller.ts';
import type { Host, Link, LinkEvents, Timing } from './host.ts';
import { Member } from './member.ts';

export interface SimulationOptions {
  readonly seed: number;
  /** As in spec/Profiles.tla. */
  readonly profile: string;
  readonly replicas: readonly string[];
  readonly minIsr: number;
  readonly powerLoss: boolean;
  /** How many steps of the protocol at most. */
  readonly steps: number;
  readonly properties: readonly string[];
  readonly onStart?: (run: Run) => void;
  /** After each step, with all that the specification sees. */
  readonly onStep?: (step: WorldStep, run: Run) => void;
}

export interface Simulated {
  readonly steps: readonly WorldStep[];
  /** The first property that broke, how, and after which step; null if all were kept. */
  readonly broken: { readonly property: string; readonly what: string; readonly index: number } | null;
  /** What producers were told is stored. */
  readonly acknowledged: readonly number[];
  readonly faults: number;
  readonly config: SystemConfig;
}

/** Something else happened than the protocol allows: a mistake of the broker, or of the simulation. */
export class SimulationError extends Error {
  override readonly name = 'SimulationError';
}

const TOPIC = 'partition';
const TIMING: Timing = {
  ...{ fetchWaitMs: 40, backoffMs: 15, lagMs: 120, checkpointMs: 70, flushMs: 90, requestMs: 100 },
};
/** How long a message is under way: most are quick. */
const DELAYS_MS = [1, 1, 2, 3, 5, 8, 60];
const HAPPENINGS_MS = 12;
const DOWN_MS = 60;

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
  readonly #shadow: Run;
  readonly #controller: Controller;
  readonly #nodes = new Map<ReplicaId, Node>();
  readonly #connections = new Set<Connection>();
  readonly #clock = new Clock();
  readonly #random: () => number;
  readonly #steps: WorldStep[] = [];
  readonly #acknowledged: number[] = [];
  /** Pairs that cannot reach each other now. */
  readonly #cut = new Set<string>();
  #broken: Simulated['broken'] = null;
  #faults = 0;
  #written = 0;

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
    this.#shadow = new Run(this.#systemConfig);
    this.#random = seededRandom(seed);
    options.onStart?.(this.#shadow);
    this.#controller = new Controller(this.#config, false, null, (step) => this.#took(step, null));
    for (const id of replicas) {
      this.#nodes.set(id, { files: new MemoryFiles(), member: null, broker: null });
      this.#start(id, 0);
    }
    for (const id of replicas) this.#nodes.get(id)?.broker?.wake();
    this.#clock.after(HAPPENINGS_MS, () => this.#somethingHappens());
  }

  run(): void {
    while (this.#steps.length < this.#options.steps && this.#broken === null && this.#clock.next());
  }

  result(): Simulated {
    const { ...rest } = { steps: this.#steps, broken: this.#broken, acknowledged: this.#acknowledged };
    return { ...rest, faults: this.#faults, config: this.#systemConfig };
  }

  /** What the world does to the cluster. */
  #somethingHappens(): void {
    const up = this.#ids((node) => node.broker !== null);
    const down = this.#ids((node) => node.broker === null);
    const one = this.#pick(up);
    const chance = this.#random();
    if (chance < 0.55) this.#produce();
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
      identify,
    });
    if (opened.kind === 'damaged') throw new SimulationError(`${opened.damage.file}: ${opened.damage.what}`);
    if (incarnation > 0) this.#found(id, opened.disk);
    let broker: Broker | null = null;
    let member: Member | null = null;
    member = new Member(this.#config, id, opened, incarnation, (step, result) => {
      this.#took(step, member);
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
        identify,
      },
      nodeIdOf: (one) => this.#config.replicas.indexOf(one),
    });
    node.member = member;
    node.broker = broker;
    this.#compare(id, member);
  }

  /** A loss of power has left what it has left: the protocol as a whole is told how much. */
  #found(id: ReplicaId, disk: { readonly log: readonly unknown[] }): void {
    const state = this.#shadow.cluster.save();
    const replica = state.replicas[id];
    if (replica && replica.disk.log.length !== disk.log.length) {
      throw new SimulationError(`${id} has ${disk.log.length} records, not ${replica.disk.log.length}`);
    }
  }

  #stop(id: ReplicaId, powerLoss: boolean): void {
    const node = this.#nodes.get(id) as Node;
    this.#faults++;
    node.broker?.stop();
    for (const connection of this.#connections) if (connection.isOf(id)) connection.close(null);
    if (powerLoss) {
      node.files = new MemoryFiles(node.files.powerLoss(this.#random));
      this.#took({ action: 'PowerLoss', args: [id, recordsIn(node.files, id)] }, null);
    } else {
      this.#took({ action: 'Crash', args: [id] }, null);
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
    if (node.broker !== null || this.#isHalted(id)) return;
    const before = this.#controller.news.epoch;
    const incarnation = this.#controller.register(id);
    this.#start(id, incarnation);
    if (this.#controller.react() || this.#controller.news.epoch > before) this.#tellAll();
    // Whoever starts is told the newest at once.
    this.#tell(id);
  }

  #isHalted(id: ReplicaId): boolean {
    return this.#shadow.cluster.save().replicas[id]?.memory.role === 'halted';
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
    const leaders = this.#ids(({ member }) => member?.replica.memory.role === 'leader');
    const leader = this.#pick(leaders);
    const broker = leader === undefined ? undefined : this.#nodes.get(leader)?.broker;
    if (!broker) return;
    const id = ++this.#written;
    const acks = this.#random() < 0.7 ? -1 : 1;
    const records = encodeBatch({ baseOffset: 0, epoch: -1, records: [{ value: Buffer.from(String(id)) }] });
    const topics = [{ name: TOPIC, partitions: [{ index: 0, records }] }];
    const body = { transactionalId: null, acks, timeoutMs: 500, topics };
    const request = { api: 'Produce', version: 7, correlationId: id, clientId: 'producer', body } as const;
    const before = this.#shadow.ghosts.written;
    const events = broker.accept({
      send: (frame) => {
        const code = decodeResponse(request, unframed(frame)).topics[0]?.partitions[0]?.errorCode;
        if (code === 0) this.#acknowledged.push(id);
      },
      close: () => {},
    });
    events.frame(unframed(encodeRequest(request)));
    // Ids are those of records that were written.
    if (this.#shadow.ghosts.written === before) this.#written--;
  }

  #breakConnection(): void {
    const connection = this.#pick([...this.#connections]);
    if (connection === undefined) return;
    this.#faults++;
    connection.close(null);
  }

  /** Two replicas cannot reach each other for a while. */
  #cutOff(): void {
    const [one, other] = [this.#pick(this.#config.replicas), this.#pick(this.#config.replicas)];
    if (one === undefined || other === undefined || one === other) return;
    this.#faults++;
    const pair = pairOf(one, other);
    this.#cut.add(pair);
    for (const connection of this.#connections)
      if (connection.isOf(one) && connection.isOf(other)) connection.close(null);
    this.#clock.after(this.#random() * 150, () => this.#cut.delete(pair));
  }

  #hostOf(id: ReplicaId): Host {
    return {
      after: (ms, call) => this.#clock.after(ms, call),
      connect: (peer, events) => this.#connect(id, peer, events),
      alterIsr: (proposal, done) => done(this.#controller.alterIsr(proposal)),
      brokers: () => [],
    };
  }

  #connect(from: ReplicaId, to: ReplicaId, events: LinkEvents): Link | null {
    const broker = this.#nodes.get(to)?.broker;
    if (!broker || this.#cut.has(pairOf(from, to))) return null;
    const connection = new Connection(
      from,
      to,
      (call) => this.#clock.after(this.#delay(), call),
      (closed) => this.#connections.delete(closed),
    );
    const [own, other] = connection.ends;
    this.#connections.add(connection);
    connection.listen(events, broker.accept(other));
    return own;
  }

  /** A step was taken by a member, or by the world. The protocol as a whole takes it too. */
  #took(step: Step, member: Member | null): void {
    const index = this.#steps.length + 1;
    const worldStep: WorldStep = { action: step.action, args: step.args };
    const outcome = this.#shadow.step(worldStep);
    // After a loss of power all that is left is flushed; a broker cannot know that, and flushes once more.
    if (outcome.kind === 'refused' && step.action === 'Flush') return;
    if (outcome.kind === 'refused') {
      throw new SimulationError(`Step ${index}, ${step.action}(${step.args.join(', ')}): ${outcome.reason}`);
    }
    this.#steps.push(worldStep);
    if (member !== null) this.#compare(member.id, member);
    this.#options.onStep?.(worldStep, this.#shadow);
    for (const property of this.#options.properties) {
      const what = judge(property, this.#shadow.observe(), this.#shadow.ghosts);
      if (what !== null) this.#broken ??= { property, what, index };
    }
  }

  #compare(id: ReplicaId, member: Member): void {
    const { disk, memory } = this.#shadow.cluster.save().replicas[id] ?? {};
    const own = member.replica;
    const flushed = Math.max(own.disk.flushed, disk?.flushed ?? 0);
    const [expected, found] = [JSON.stringify([disk, memory]), JSON.stringify([{ ...own.disk, flushed }, own.memory])];
    if (expected === found) return;
    const after = this.#steps.at(-1);
    throw new SimulationError(`After ${after?.action}(${after?.args.join(', ')}) ${id} is ${found}, not ${expected}`);
  }

  #delay(): number {
    return this.#pick(DELAYS_MS) as number;
  }

  #ids(which: (node: Node) => boolean): ReplicaId[] {
    return [...this.#nodes].filter(([, node]) => which(node)).map(([id]) => id);
  }

  #pick<T>(from: readonly T[]): T | undefined {
    return from[Math.floor(this.#random() * from.length)];
  }
}

/** What is under way on a connection is lost when it is closed, by whomever, in both directions, and both ends hear of it. */
class Connection {
  readonly ends: readonly [Link, Link];
  readonly #from: ReplicaId;
  readonly #to: ReplicaId;
  readonly #later: (call: () => void) => void;
  readonly #onClose: (connection: Connection) => void;
  #events: readonly [LinkEvents, LinkEvents] | null = null;
  #open = true;

  constructor(
    from: ReplicaId,
    to: ReplicaId,
    later: (call: () => void) => void,
    onClose: (connection: Connection) => void,
  ) {
    this.#from = from;
    this.#to = to;
    this.#later = later;
    this.#onClose = onClose;
    this.ends = [this.#end(0), this.#end(1)];
  }

  isOf(id: ReplicaId): boolean {
    return this.#from === id || this.#to === id;
  }

  listen(own: LinkEvents, other: LinkEvents): void {
    this.#events = [own, other];
  }

  /** `by`: the end that closes, which is not told. */
  close(by: 0 | 1 | null): void {
    if (!this.#open) return;
    this.#open = false;
    this.#onClose(this);
    if (by !== 1) this.#events?.[1].closed();
    if (by !== 0) this.#events?.[0].closed();
  }

  #end(side: 0 | 1): Link {
    return {
      send: (frame) =>
        this.#later(() => {
          if (this.#open) this.#events?.[side === 0 ? 1 : 0].frame(unframed(frame));
        }),
      close: () => this.close(side),
    };
  }
}

function identify(batch: Uint8Array): number[] {
  return readRecords(batch).map(({ value }) => Number(Buffer.from(value ?? [])));
}

function recordsIn(files: MemoryFiles, id: ReplicaId): number {
  const copy: Image = files.image();
  const opened = openStore(new MemoryFiles(copy), { ...storeDefaults, folder: id, topic: TOPIC, identify });
  if (opened.kind === 'damaged') throw new SimulationError(`${opened.damage.file}: ${opened.damage.what}`);
  return opened.disk.log.length;
}

function pairOf(one: ReplicaId, other: ReplicaId): string {
  return [one, other].sort().join(' ');
}
