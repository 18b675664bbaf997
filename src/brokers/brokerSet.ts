import { rm } from 'node:fs/promises';
import type { Broker, BrokerKind, Client } from './broker.ts';
import type { Controller, Dialect, Election, Topic } from './controller.ts';
import { readDisk, writeCheckpoint } from './disk.ts';
import type { Gate } from './gate.ts';
import { isAlive, type Member, type Waiting } from './member.ts';
import { fresh, newMembers, startMember, stopMember } from './members.ts';
import { type Sights, sightsOf, untilAnswered } from './settling.ts';

/** What a run of brokers is made of. */
export interface BrokerSetOptions {
  readonly kind: BrokerKind;
  readonly java: string;
  readonly folder: string;
  readonly controller: Controller;
  readonly client: Client;
  readonly dialect: Dialect;
}

/** Real brokers, started, killed and looked at; all that they ask each other stands at the gates. */
export class BrokerSet {
  readonly options: BrokerSetOptions;
  members: readonly Member[] = [];
  topic: Topic = { name: '', replicas: [], minIsr: 1 };
  sights: Sights = new Map();
  #topics = 0;

  constructor(options: BrokerSetOptions) {
    this.options = options;
  }

  /** A fresh partition on brokers that are all up; those that are may stay so. */
  async reset(names: readonly string[], minIsr: number, firstLeader: number): Promise<Election> {
    if (names.join() !== this.members.map(({ name }) => name).join()) {
      await Promise.all(this.members.map((member) => this.kill(member)));
      await this.#stopMembers();
      this.members = await newMembers(names, this.options.folder);
    }
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

  /** Waits until nothing moves any more, and looks at everything. */
  async settle(): Promise<void> {
    this.sights = await sightsOf(this);
    for (const member of this.members) await untilAnswered(member, this.sights.get(member));
  }

  #refuse(member: Member, refusing: boolean): void {
    for (const gate of member.gates.values()) gate.refuse(refusing);
  }

  /** The gate at which a follower's fetcher must come by, for its leader is up; null if there is none. */
  gateOf(member: Member): Gate | null {
    if (!isAlive(member) || member.heard === null || member.heard.leader === member.number) return null;
    const leader = this.members.find(({ number }) => number === member.heard?.leader);
    return leader !== undefined && isAlive(leader) ? (member.gates.get(leader.number) ?? null) : null;
  }

  /**
   * It ends of its own accord. In 0.10.2 that takes for ever: the fetcher thread waits for the exit, which waits for the
   * fetcher thread. So it is helped as soon as it has closed its port.
   */
  async halt(member: Member): Promise<void> {
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

  /** Starts the process, and waits until it answers. */
  async start(member: Member): Promise<void> {
    await startMember(member, this.topic, this.options);
  }

  async #stopMembers(): Promise<void> {
    await Promise.all(this.members.map(stopMember));
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
