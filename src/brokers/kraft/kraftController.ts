import type { Broker } from '../broker.ts';
import type { BrokerLogs } from '../brokerLog.ts';
import {
  type Controller,
  type Election,
  type IsrChange,
  partitionEpochOf,
  sameMembers,
  type Topic,
} from '../controller.ts';
import { BrokerError } from '../error.ts';
import { TIMER_MS } from '../settings.ts';
import type { Message } from './codec.ts';
import type { MetadataRecord } from './metadata.ts';
import { CONTROLLER_ID } from './metadataReads.ts';
import { PuppetQuorum, type Registration } from './puppetQuorum.ts';
import { created, featureLevel, LISTENER, noNews, partition, registered, removed } from './records.ts';
import type { Schemas } from './schemas.ts';

type HasHeard = (broker: Broker, topic: Topic, election: Election) => Promise<boolean>;

/** What a broker's metadata log says so far. */
interface Told {
  features: boolean;
  /** Of the other brokers: the registration, and the port that it was told. */
  readonly others: Map<number, { readonly brokerEpoch: number; readonly port: number }>;
  readonly topics: Set<string>;
}

/** Elections as metadata records; changes of the ISR by AlterPartition, which are turned down unless they are wanted. */
export class KraftController implements Controller {
  readonly #schemas: Schemas;
  readonly #logs: BrokerLogs;
  readonly #hasHeard: HasHeard;
  readonly #brokers = new Map<number, Broker>();
  readonly #told = new Map<number, Told>();
  /** Also of brokers that are down. */
  readonly #registrations = new Map<number, Registration>();
  /** By leader epoch: how often the ISR has been changed in it. */
  #isrChanges = new Map<number, number>();
  #topic: Topic | null = null;
  #quorum!: PuppetQuorum;
  /** What the leader may do to the ISR just now. */
  #allowed: IsrChange | null = null;
  #changed: readonly number[] | null = null;

  /** `hasHeard`: whether a broker acts upon an election. */
  constructor(schemas: Schemas, logs: BrokerLogs, hasHeard: HasHeard) {
    this.#schemas = schemas;
    this.#logs = logs;
    this.#hasHeard = hasHeard;
  }

  async start(): Promise<void> {
    this.#quorum = await PuppetQuorum.open({
      schemas: this.#schemas,
      onRegistered: (registration) => this.#onRegistered(registration),
      onChange: () => this.#answerIsrChanges(),
    });
  }

  settings(broker: number): Readonly<Record<string, string>> {
    return {
      'process.roles': 'broker',
      'node.id': String(broker),
      'controller.quorum.voters': `${CONTROLLER_ID}@127.0.0.1:${this.#quorum.port}`,
      'controller.listener.names': 'CONTROLLER',
      'listener.security.protocol.map': `CONTROLLER:PLAINTEXT,${LISTENER}:PLAINTEXT`,
      'inter.broker.listener.name': LISTENER,
    };
  }

  async joined(broker: Broker): Promise<void> {
    const { number } = broker;
    this.#brokers.set(number, broker);
    await this.#until(broker, 'took part in the cluster', async () => this.#quorum.isUnfenced(number));
    // A leader lets a follower into the ISR only in the life that it knows of (KIP-903).
    for (const [other, told] of this.#told) {
      const port = told.others.get(number)?.port;
      const listener = this.#brokers.get(other);
      if (port !== undefined && listener !== undefined) await this.#show(listener, this.#newsOf(number, told, port));
    }
  }

  async left({ number }: Broker): Promise<void> {
    this.#brokers.delete(number);
    this.#quorum.left(number);
  }

  async create(topic: Topic): Promise<void> {
    this.#topic = topic;
    this.#isrChanges = new Map();
  }

  /** Brokers hear of it by `tell` alone. */
  async decide(): Promise<void> {}

  async remove({ name }: Topic, brokers: readonly Broker[]): Promise<void> {
    if (this.#topic?.name === name) this.#topic = null;
    for (const broker of brokers) {
      // What it is told after this, it acts upon after this.
      if (this.#of(broker.number).topics.delete(name)) this.#quorum.append(broker.number, [removed(name)]);
    }
  }

  async tell(broker: Broker, topic: Topic, election: Election, portOf: (other: number) => number): Promise<null> {
    const told = this.#of(broker.number);
    const others = topic.replicas.filter((other) => other !== broker.number && this.#registrations.has(other));
    this.#quorum.append(broker.number, [
      ...others.flatMap((other) => this.#newsOf(other, told, portOf(other))),
      ...this.#state(told, topic, election),
    ]);
    await this.#until(broker, 'acted upon an election', () => this.#hasHeard(broker, topic, election));
    return null;
  }

  async changeIsr(change: IsrChange, attempt: () => Promise<void>): Promise<readonly number[]> {
    const { topic, election, leader, byTimer } = change;
    this.#allowed = change;
    this.#changed = null;
    try {
      await attempt();
      if (byTimer) await this.#hasTried(leader);
      await this.#answered(leader, topic);
      return this.#changed ?? election.isr;
    } finally {
      this.#allowed = null;
    }
  }

  /** The leader has asked for it, if it has asked, before it answered the fetch; its wish and the answer take their time. */
  async #answered(leader: Broker, { name }: Topic): Promise<void> {
    await leader.process.until('has its ISR', async () =>
      (await this.#logs.said(leader, `${name}-0`)).openIsrChanges === 0 ? true : null,
    );
  }

  async #hasTried(leader: Broker): Promise<void> {
    const deadline = performance.now() + TIMER_MS;
    await leader.process.until('changes its ISR', async () =>
      this.#changed !== null || performance.now() > deadline ? true : null,
    );
  }

  async close(): Promise<void> {
    await this.#quorum.close();
  }

  /** A broker's first metadata. That it hosts the partition it must know at once, or it would delete it as a stray. */
  #onRegistered(registration: Registration): MetadataRecord[] {
    const { broker } = registration;
    const told = this.#of(broker);
    this.#registrations.set(broker, registration);
    const gone = [...told.topics].filter((name) => name !== this.#topic?.name);
    for (const name of gone) told.topics.delete(name);
    const features = told.features ? [] : [featureLevel(registration)];
    told.features = true;
    return [
      ...features,
      registered(registration, ownPort(registration), true),
      ...gone.map(removed),
      ...(this.#topic === null ? [] : this.#state(told, this.#topic, noNews(this.#topic))),
    ];
  }

  #state(told: Told, topic: Topic, election: Election): MetadataRecord[] {
    const known = told.topics.has(topic.name);
    told.topics.add(topic.name);
    const directories = topic.replicas.map((id) => this.#registrations.get(id)?.logDirs[0] ?? UNASSIGNED_DIRECTORY);
    const partitionEpoch = partitionEpochOf(election.epoch, this.#isrChanges.get(election.epoch) ?? 0);
    return [...(known ? [] : created(topic)), partition(topic, election, partitionEpoch, directories)];
  }

  #newsOf(other: number, told: Told, port: number): MetadataRecord[] {
    const registration = this.#registrations.get(other);
    const before = told.others.get(other);
    if (registration === undefined) return [];
    const { brokerEpoch } = registration;
    if (before?.brokerEpoch === brokerEpoch && before.port === port) return [];
    told.others.set(other, { brokerEpoch, port });
    return [registered(registration, port, false)];
  }

  #of(broker: number): Told {
    const told = this.#told.get(broker) ?? { features: false, others: new Map(), topics: new Set() };
    this.#told.set(broker, told);
    return told;
  }

  async #show(broker: Broker, records: readonly MetadataRecord[]): Promise<void> {
    if (records.length === 0) return;
    const offset = this.#quorum.append(broker.number, records);
    await this.#until(broker, 'acted upon new metadata', async () => this.#quorum.hasApplied(broker.number, offset));
  }

  async #until(broker: Broker, what: string, condition: () => Promise<boolean>): Promise<void> {
    await broker.process.until(what, async () => {
      const { problem } = this.#quorum;
      if (problem !== null) throw new BrokerError('protocol', `${broker.name}: ${problem}`);
      return (await condition()) ? true : null;
    });
  }

  /** Leaders ask whenever they think that the time has come. */
  #answerIsrChanges(): void {
    for (const leader of this.#registrations.keys()) {
      const change = this.#quorum.isrChange(leader);
      if (change === null) continue;
      const allowed = this.#allowed;
      if (
        allowed === null ||
        allowed.leader.number !== leader ||
        allowed.election.epoch !== change.leaderEpoch ||
        !sameMembers(allowed.isr, change.isr) ||
        this.#changed !== null
      ) {
        change.turnDown();
        continue;
      }
      const { epoch } = allowed.election;
      const changes = (this.#isrChanges.get(epoch) ?? 0) + 1;
      this.#isrChanges.set(epoch, changes);
      this.#changed = change.isr;
      change.grant(partitionEpochOf(epoch, changes));
    }
  }
}

function ownPort({ message }: Registration): number {
  const [listener] = (message.listeners ?? []) as readonly Message[];
  return Number(listener?.port ?? 0);
}

/** DirectoryId.UNASSIGNED */
const UNASSIGNED_DIRECTORY = 'AAAAAAAAAAAAAAAAAAAAAA';
