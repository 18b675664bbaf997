import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { IsrRequests } from './alterPartition.ts';
import type { Broker } from './broker.ts';
import {
  type Controller,
  type Election,
  type IsrChange,
  partitionEpochOf,
  sameMembers,
  type Topic,
} from './controller.ts';
import { BrokerError } from './error.ts';
import { type IsrWish, IsrWrites } from './isrWrites.ts';
import { freePort, type JavaProcess, startJava } from './process.ts';
import type { IsrProtocol } from './releases.ts';
import { TIMER_MS } from './settings.ts';
import { Writer } from './wire/bytes.ts';
import { Connection } from './wire/connection.ts';
import { ZooKeeper } from './wire/zooKeeper.ts';

/** Version 0 of each is understood from 0.10.2 to 3.9. Source: Protocol.java (0.10.2). */
const LEADER_AND_ISR = 4;
const STOP_REPLICA = 5;
const UPDATE_METADATA = 6;
/** We are the controller, by the node that says so; there is no such broker. */
const CONTROLLER_ID = 0;
const CONTROLLER_EPOCH = 1;
const PARTITION = 0;

const NONE = 0;
const STALE = 11;

/**
 * The controller of a cluster with ZooKeeper: a real ZooKeeper, in which a node says that we are the controller, so that
 * no broker becomes it; brokers are told of elections by UpdateMetadata and LeaderAndIsr requests.
 *
 * Before 2.7 a leader changes the ISR itself, by a write to the partition's node, and later it asks the controller. Both come by
 * here, and only what is wanted goes through.
 */
export class ZkController implements Controller {
  readonly #options: ZkControllerOptions;
  #process: JavaProcess | null = null;
  #client: ZooKeeper | null = null;
  #requests: IsrRequests | null = null;
  #isrWrites: IsrWrites | null = null;
  #port = 0;
  /** By leader epoch: how often the ISR has been changed in it, by leave of the controller. */
  #isrChanges = new Map<number, number>();

  constructor(options: ZkControllerOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    this.#port = await freePort();
    const { folder, java, javaArgs, isr } = this.#options;
    if (isr !== 'written') this.#requests = await IsrRequests.open(isr === 'askedAgain' ? 'again' : 'never mind');
    this.#isrWrites = await IsrWrites.open(this.#port);
    const config = join(folder, 'zookeeper.properties');
    const process = await startJava({
      name: 'ZooKeeper',
      java,
      args: [...javaArgs, 'org.apache.zookeeper.server.ZooKeeperServerMain', config],
      folder,
      before: () => writeFile(config, zooKeeperProperties(join(folder, 'data'), this.#port)),
    });
    this.#process = process;
    this.#client = await process.until('takes a session', () => ZooKeeper.open(this.#port));
    const me = JSON.stringify({ version: 1, brokerid: CONTROLLER_ID, timestamp: '1' });
    await this.#client.create('/controller', me);
    await this.#client.create('/controller_epoch', String(CONTROLLER_EPOCH));
  }

  settings(): Readonly<Record<string, string>> {
    return {
      'zookeeper.connect': `127.0.0.1:${this.#writes.port}`,
      'zookeeper.session.timeout.ms': '30000',
      'zookeeper.connection.timeout.ms': '60000',
    };
  }

  async joined(broker: Broker): Promise<void> {
    const path = `/brokers/ids/${broker.number}`;
    await broker.process.until('is registered in ZooKeeper', () => this.#zooKeeper.get(path));
  }

  /** The dead broker's session would hold its registration for half a minute. */
  async left(broker: Pick<Broker, 'number'>): Promise<void> {
    await this.#zooKeeper.delete(`/brokers/ids/${broker.number}`);
  }

  async create(topic: Topic, first: Election): Promise<void> {
    this.#isrChanges = new Map();
    const config = { version: 1, config: { 'min.insync.replicas': String(topic.minIsr) } };
    await this.#zooKeeper.create(`/config/topics/${topic.name}`, JSON.stringify(config));
    const partitions = { [PARTITION]: topic.replicas };
    await this.#zooKeeper.create(`/brokers/topics/${topic.name}`, JSON.stringify({ version: 1, partitions }));
    await this.#zooKeeper.create(statePath(topic), state(first));
  }

  async decide(topic: Topic, election: Election): Promise<void> {
    await this.#zooKeeper.set(statePath(topic), state(election));
  }

  async remove(topic: Topic, brokers: readonly Broker[]): Promise<void> {
    const body = new Writer().int32(CONTROLLER_ID).int32(CONTROLLER_EPOCH).int8(1);
    body.array([topic.name], (writer, name) => writer.string(name).int32(PARTITION));
    await Promise.all(brokers.map((broker) => request(broker, STOP_REPLICA, body, (reply) => void reply.int16())));
  }

  async tell(
    broker: Broker,
    topic: Topic,
    election: Election,
    portOf: (other: number) => number,
  ): Promise<string | null> {
    const body = new Writer().int32(CONTROLLER_ID).int32(CONTROLLER_EPOCH);
    body.array([election], (writer, { leader, epoch, isr }) => {
      writer.string(topic.name).int32(PARTITION).int32(CONTROLLER_EPOCH).int32(leader).int32(epoch);
      writer.array(isr, (w, member) => w.int32(member)).int32(this.#partitionEpoch(epoch));
      writer.array(topic.replicas, (w, replica) => w.int32(replica));
    });
    const live = topic.replicas.map((id) => [id, portOf(id)] as const);
    if (this.#requests !== null) live.push([CONTROLLER_ID, this.#requests.port]);
    // Version 0 has the same brokers here (all that live) and there (those that lead).
    body.array(live, (writer, [id, port]) => writer.int32(id).string('127.0.0.1').int32(port));
    await request(broker, UPDATE_METADATA, body, (reply) => expectNone(broker, 'UpdateMetadata', reply.int16()));
    return request(broker, LEADER_AND_ISR, body, (reply) => {
      expectNone(broker, 'LeaderAndIsr', reply.int16());
      const errors = reply.array((reader) => {
        reader.string();
        reader.int32();
        return reader.int16();
      });
      const error = errors.find((code) => code !== NONE);
      if (error === undefined) return null;
      return error === STALE ? 'it has heard of that epoch, or a newer one' : `Kafka answers with error ${error}`;
    });
  }

  async changeIsr(change: IsrChange, attempt: () => Promise<void>): Promise<readonly number[]> {
    const { topic, election, leader, isr } = change;
    const begin = await leader.process.size();
    const isWanted = (wish: IsrWish): boolean =>
      wish.topic === topic.name && wish.leaderEpoch === election.epoch && sameMembers(wish.isr, isr);
    if (this.#requests !== null) {
      this.#isrChanges.set(election.epoch, (this.#isrChanges.get(election.epoch) ?? 0) + 1);
      const asked = this.#requests.allow(election, isWanted, this.#partitionEpoch(election.epoch));
      await attempt();
      if ((await asked) === null) return election.isr;
      await leader.process.until(
        'changes its ISR',
        async () => ASKED_AND_CHANGED.test(await leader.process.output(begin)) || null,
      );
      return isr;
    }
    this.#writes.isWanted = isWanted;
    try {
      await attempt();
      if (change.byTimer) await hasWritten(leader, begin);
    } finally {
      this.#writes.isWanted = () => false;
    }
    const node = await this.#zooKeeper.get(statePath(topic));
    if (node === null) throw new BrokerError('protocol', `ZooKeeper has lost ${statePath(topic)}`);
    return (JSON.parse(node.data) as { isr: number[] }).isr;
  }

  async close(): Promise<void> {
    this.#requests?.close();
    this.#isrWrites?.close();
    this.#client?.close();
    await this.#process?.kill();
  }

  /** Who asks for an ISR takes it for the version of the partition's node. */
  #partitionEpoch(leaderEpoch: number): number {
    return partitionEpochOf(leaderEpoch, this.#isrChanges.get(leaderEpoch) ?? 0);
  }

  get #writes(): IsrWrites {
    if (this.#isrWrites === null) throw new TypeError('start comes first');
    return this.#isrWrites;
  }

  get #zooKeeper(): ZooKeeper {
    if (this.#client === null) throw new TypeError('start comes first');
    return this.#client;
  }
}

export interface ZkControllerOptions {
  readonly java: string;
  /** Up to the main class. */
  readonly javaArgs: readonly string[];
  readonly folder: string;
  readonly isr: IsrProtocol;
}

/** What a leader logs when its new ISR has been confirmed; before 2.7, once it has looked at its high watermark, too. */
const ASKED_AND_CHANGED = /ISR updated to /;
const WRITTEN_AND_CHANGED = /ISR updated to .*[Hh]igh watermark/s;

/** It has, or has had the time for it. */
async function hasWritten({ process }: Broker, begin: number): Promise<void> {
  const deadline = performance.now() + TIMER_MS;
  await process.until('changes its ISR', async () =>
    WRITTEN_AND_CHANGED.test(await process.output(begin)) || performance.now() > deadline ? true : null,
  );
}

function statePath(topic: Topic): string {
  return `/brokers/topics/${topic.name}/partitions/${PARTITION}/state`;
}

function state({ leader, epoch, isr }: Election): string {
  return JSON.stringify({ controller_epoch: CONTROLLER_EPOCH, leader, version: 1, leader_epoch: epoch, isr });
}

function zooKeeperProperties(dataDir: string, clientPort: number): string {
  const properties = { tickTime: 2000, dataDir, clientPort, clientPortAddress: '127.0.0.1', maxClientCnxns: 0 };
  return Object.entries({ ...properties, 'admin.enableServer': false })
    .map(([key, value]) => `${key}=${value}\n`)
    .join('');
}

async function request<T>(
  broker: Broker,
  key: number,
  body: Writer,
  read: (reply: import('./wire/bytes.ts').Reader) => T,
) {
  const connection = await Connection.open(broker.port);
  try {
    return read(await connection.call(key, 0, body));
  } finally {
    connection.close();
  }
}

function expectNone(broker: Broker, what: string, error: number): void {
  if (error !== NONE) throw new BrokerError('protocol', `broker ${broker.name} answers ${what} with error ${error}`);
}
