import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Broker, BrokerKind, Client, Probe } from './broker.ts';
import type { Controller, Dialect, Election, Topic } from './controller.ts';
import { type OnDisk, readDisk, writeCheckpoint } from './disk.ts';
import { BrokerError } from './error.ts';
import { Gate } from './gate.ts';
import { isAlive, type Member, type Waiting } from './member.ts';
import { cause, freePort, PATIENCE_MS, startJava } from './process.ts';
import { Connection } from './wire/connection.ts';
import { FETCH, OFFSET_FOR_LEADER_EPOCH } from './wire/replication.ts';

/** What a run of brokers is made of. */
export interface BrokerSetOptions {
  readonly kind: BrokerKind;
  readonly java: string;
  readonly folder: string;
  readonly controller: Controller;
  readonly client: Client;
  readonly dialect: Dialect;
}

/** What can be seen of a replica while nothing moves. */
export interface Sight {
  readonly disk: OnDisk;
  /** Null while it is down. */
  readonly probe: Probe | null;
}

const GATED = new Set([FETCH, OFFSET_FOR_LEADER_EPOCH]);
const POLL_MS = 5;
/** A producer whose record is committed is answered at once. One that is not after so long is reported as waiting. */
const ANSWER_MS = 10_000;

/** Real brokers, started, killed and looked at; all that they ask each other stands at the gates. */
export class BrokerSet {
  readonly options: BrokerSetOptions;
  members: readonly Member[] = [];
  topic: Topic = { name: '', replicas: [], minIsr: 1 };
  sights: ReadonlyMap<Member, Sight> = new Map();
  #topics = 0;

  constructor(options: BrokerSetOptions) {
    this.options = options;
  }

  /** A fresh partition on brokers that are all up; those that are may stay so. */
  async reset(names: readonly string[], minIsr: number, firstLeader: number): Promise<Election> {
    if (names.join() !== this.members.map(({ name }) => name).join()) await this.#newMembers(names);
    const { controller } = this.options;
    for (const member of this.members) this.#refuse(member, true);
    const alive = this.members.filter(isAlive);
    if (this.#topics > 0)
      await controller.remove(
        this.topic,
        alive.map(({ broker }) => broker),
      );
    this.topic = { name: `t${++this.#topics}`, replicas: this.members.map(({ number }) => number), minIsr };
    const first: Election = { epoch: 1, leader: firstLeader, isr: this.topic.replicas };
    await controller.create(this.topic, first);
    await Promise.all(
      this.members.map(async (member) => {
        if (isAlive(member)) return Object.assign(member, { ...fresh(), broker: member.broker });
        await this.kill(member);
        await rm(member.logFolder, { recursive: true, force: true });
        return this.start(Object.assign(member, fresh()));
      }),
    );
    for (const member of this.members) this.#refuse(member, false);
    for (const member of [...this.members].sort(
      (a, b) => Number(b.number === firstLeader) - Number(a.number === firstLeader),
    ))
      await this.tell(member, first, true);
    return first;
  }

  async #newMembers(names: readonly string[]): Promise<void> {
    await Promise.all(this.members.map((member) => this.kill(member)));
    await this.#stopMembers();
    const { folder } = this.options;
    const members: (Member & { gates: Map<number, Gate> })[] = [];
    for (const [index, name] of names.entries()) {
      const home = join(folder, `broker-${index + 1}`);
      await rm(home, { recursive: true, force: true });
      const place = { folder: home, logFolder: join(home, 'data'), port: await freePort() };
      members.push({ name, number: index + 1, ...place, gates: new Map(), ...fresh() });
    }
    for (const { number, gates } of members) {
      for (const leader of members) {
        if (leader.number === number) continue;
        const target = (): number | null => (isAlive(leader) ? leader.port : null);
        gates.set(leader.number, await Gate.open({ gated: GATED, target }));
      }
    }
    this.members = members;
  }

  /** Starts the process, and waits until it answers. */
  async start(member: Member): Promise<void> {
    const { kind, controller, client, java } = this.options;
    await mkdir(member.folder, { recursive: true });
    const file = join(member.folder, 'server.properties');
    const settings = { ...kind.settings, ...controller.settings(member.number), ...ownSettings(member) };
    const process = await startJava({
      name: `broker ${member.name}`,
      java,
      args: [...kind.javaArgs(member.number), file],
      folder: member.folder,
      before: async () => {
        await kind.prepare?.(member);
        await writeFile(
          file,
          Object.entries(settings)
            .map(([key, value]) => `${key}=${value}\n`)
            .join(''),
        );
      },
    });
    const { name, number, port, logFolder } = member;
    const broker = { name, number, port, logFolder, process };
    member.broker = broker;
    member.halted = false;
    await process.until('answers', () => client.probe(broker, this.topic).catch(() => null));
    await controller.joined(broker);
  }

  /** The process dies, and with it every connection from and to it. */
  async kill(member: Member): Promise<void> {
    const { broker } = member;
    if (broker === null) return;
    await broker.process.kill();
    await this.#forgetCheckpoint(member);
    member.broker = null;
    member.heard = null;
    member.isr = [];
    this.dropConnections(member);
    await this.options.controller.left(member);
    await Promise.all(member.waiting.map(({ answered }) => answered));
    member.waiting = [];
  }

  dropConnections(member: Member): void {
    for (const gate of member.gates.values()) gate.drop();
    member.underWay = null;
    for (const other of this.members) {
      other.gates.get(member.number)?.drop();
      if (other.underWay?.leader === member.number) other.underWay = null;
    }
  }

  /** `anew`: its fetcher's connections break, and it makes no new ones until it has acted upon the news. */
  async tell(member: Member, election: Election, anew: boolean): Promise<string | null> {
    if (!isAlive(member)) throw new TypeError(`${member.name} is not up`);
    const { controller } = this.options;
    const portOf = (other: number): number => member.gates.get(other)?.port ?? member.port;
    if (anew) this.#refuse(member, true);
    const refusal = await controller.tell(member.broker, this.topic, election, portOf);
    if (anew) this.#refuse(member, false);
    if (refusal !== null) return refusal;
    if (anew) member.underWay = null;
    member.heard = election;
    member.isr = election.leader === member.number ? election.isr : [];
    return null;
  }

  #refuse(member: Member, refusing: boolean): void {
    for (const gate of member.gates.values()) gate.refuse(refusing);
  }

  /** Waits until nothing moves any more, and looks at everything. */
  async settle(): Promise<void> {
    for (const member of this.members) await this.#asked(member);
    const sights = await Promise.all(this.members.map(async (member) => [member, await this.#look(member)] as const));
    this.sights = new Map(sights);
    for (const member of this.members) await this.#answered(member);
  }

  /** The gate at which a follower's fetcher must come by, for its leader is up; null if there is none. */
  gateOf(member: Member): Gate | null {
    if (!isAlive(member) || member.heard === null || member.heard.leader === member.number) return null;
    const leader = this.members.find(({ number }) => number === member.heard?.leader);
    return leader !== undefined && isAlive(leader) ? (member.gates.get(leader.number) ?? null) : null;
  }

  /** A fetcher thread does one thing after the other: that it asks again shows that it is done with what was before. */
  async #asked(member: Member): Promise<void> {
    for (const deadline = performance.now() + PATIENCE_MS; ; ) {
      const gate = this.gateOf(member);
      if (gate === null || gate.parked !== null || !isAlive(member)) return;
      const { broker } = member;
      if ((await this.options.client.gaveUp?.(broker, this.topic)) === true) return;
      if (broker.process.ended !== null || !(await isListening(broker.port))) await this.#halt(member);
      if (performance.now() > deadline) {
        const output = cause(await broker.process.output());
        throw new BrokerError('timeout', `The fetcher of broker ${member.name} asks its leader nothing.\n${output}`);
      }
      await Promise.race([gate.changed(), delay(POLL_MS)]);
    }
  }

  /**
   * It ends of its own accord. In 0.10.2 that takes for ever: the fetcher thread waits for the exit, which waits for the
   * fetcher thread. So it is helped as soon as it has closed its port.
   */
  async #halt(member: Member): Promise<void> {
    member.halted = true;
    member.heard = null;
    member.isr = [];
    member.waiting = [];
    this.dropConnections(member);
    await member.broker?.process.kill();
    await this.#forgetCheckpoint(member);
    await this.options.controller.left(member);
  }

  /** As if the timer had not fired since the last CheckpointHighWatermark. */
  async #forgetCheckpoint({ checkpointed, logFolder }: Member): Promise<void> {
    if (checkpointed !== null) await writeCheckpoint(logFolder, `${this.topic.name}-0`, checkpointed);
  }

  /** Waits until a record is in the leader's log, or its producer has been refused: false. */
  async untilWritten({ broker, logFolder }: Member & { broker: Broker }, waiting: Waiting): Promise<boolean> {
    return broker.process.until('writes a record', async () => {
      const { answer } = waiting;
      const { log } = await readDisk(logFolder, `${this.topic.name}-0`);
      return log.some(({ id }) => id === waiting.id) || (answer === null ? null : answer === 'none');
    });
  }

  /** The high watermark reaches the disk within milliseconds: until then it is not what a step has led to. */
  async #look(member: Member): Promise<Sight> {
    for (const deadline = performance.now() + PATIENCE_MS; ; await delay(POLL_MS)) {
      const probe = isAlive(member) ? await this.options.client.probe(member.broker, this.topic) : null;
      const disk = await readDisk(member.logFolder, `${this.topic.name}-0`);
      if (probe === null || probe.hw === null || probe.hw === disk.checkpoint) return { disk, probe };
      if (performance.now() > deadline) {
        const shown = `checkpoint ${disk.checkpoint}, high watermark ${probe.hw}`;
        throw new BrokerError('timeout', `broker ${member.name} does not write its high watermark to disk: ${shown}`);
      }
    }
  }

  /** Waits for the answers that Kafka owes: of records that the high watermark has passed, and of one that leads no more. */
  async #answered(member: Member): Promise<void> {
    const sight = this.sights.get(member);
    if (!sight?.probe) return;
    const { disk, probe } = sight;
    const owed = member.waiting.filter(({ id }) => {
      const offset = disk.log.findIndex((record) => record.id === id);
      return probe.role !== 'leader' || (offset !== -1 && offset < (probe.hw ?? 0));
    });
    await Promise.race([
      Promise.all(owed.map(({ answered }) => answered)),
      delay(ANSWER_MS, undefined, { ref: false }),
    ]);
  }

  async #stopMembers(): Promise<void> {
    await Promise.all(
      this.members.map(async (member) => {
        await member.broker?.process.kill();
        await Promise.all([...member.gates.values()].map((gate) => gate.close()));
      }),
    );
    this.members = [];
  }

  async close(): Promise<void> {
    await this.options.client.close();
    await this.#stopMembers();
    await this.options.controller.close();
  }
}

export function roleOf(set: BrokerSet, member: Member): string {
  return set.sights.get(member)?.probe?.role ?? 'down';
}

export function logEndOf(set: BrokerSet, member: Member): number {
  return set.sights.get(member)?.disk.log.length ?? 0;
}

async function isListening(port: number): Promise<boolean> {
  return Connection.open(port).then(
    (connection) => {
      connection.close();
      return true;
    },
    () => false,
  );
}

/** What a member of a new cluster begins with. */
function fresh() {
  return {
    broker: null,
    halted: false,
    incarnation: 0,
    flushed: 0,
    heard: null,
    isr: [],
    checkpointed: null,
    underWay: null,
    handled: null,
    waiting: [],
  };
}

function ownSettings({ number, port, logFolder }: Member): Record<string, string> {
  return { 'broker.id': `${number}`, listeners: `PLAINTEXT://127.0.0.1:${port}`, 'log.dirs': logFolder };
}
