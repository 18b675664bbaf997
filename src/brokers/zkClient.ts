import type { Broker, Client, Probe } from './broker.ts';
import { BrokerLogs } from './brokerLog.ts';
import type { Topic } from './controller.ts';
import { errorName } from './errors.ts';
import { type Reader, Writer } from './wire/bytes.ts';
import { Connection } from './wire/connection.ts';
import { encodeRecord, type MessageFormat, type StoredRecord } from './wire/records.ts';
import { readFetchReply } from './wire/replication.ts';

const PRODUCE = 0;
const FETCH = 1;
/** Replica ids of a Fetch that are no broker's. Source: Request.OrdinaryConsumerId, DebuggingConsumerId. */
const CONSUMER = -1;
const DEBUGGER = -2;
const MAX_BYTES = 2 ** 20;
const PRODUCE_TIMEOUT_MS = 2 ** 31 - 1;
const ACKS = { '1': 1, all: -1 } as const;

interface Read {
  readonly error: string;
  readonly hw: number;
  readonly ids: readonly number[];
}

/** In which version, and as which replica, a Fetch is sent. */
interface Reading {
  readonly replica: number;
  /** From 11 on it says where the consumer is, and so may be answered by a follower (KIP-392). */
  readonly version: number;
}

/** A client in the versions that brokers from 0.10.2 to 3.9 understand: those that came with the message format. */
export class ZkClient implements Client {
  readonly #format: MessageFormat;
  readonly #leaders: Reading;
  readonly #followers: Reading;
  readonly #connections = new Set<Connection>();
  readonly #goesOnLater: boolean;
  readonly #logs = new BrokerLogs();

  /**
   * `consumersReadFollowers`: since 2.4, where a debugger no longer does. `goesOnLater`: something goes on after a
   * request has been answered, and only what brokers log tells when it is over.
   */
  constructor(
    format: MessageFormat,
    { consumersReadFollowers, goesOnLater }: { consumersReadFollowers: boolean; goesOnLater: boolean },
  ) {
    this.#format = format;
    this.#goesOnLater = goesOnLater;
    const version = format === 2 ? 4 : 2;
    this.#leaders = { replica: CONSUMER, version };
    this.#followers = consumersReadFollowers ? { replica: CONSUMER, version: 11 } : { replica: DEBUGGER, version };
  }

  async probe(broker: Broker, topic: Topic): Promise<Probe> {
    if (this.#goesOnLater) await this.#logs.settled(broker, `${topic.name}-0`);
    return this.#with(broker, async (connection) => {
      const asConsumer = await this.#fetch(connection, topic, this.#leaders);
      if (asConsumer.error === 'none') return { role: 'leader', hw: asConsumer.hw, read: asConsumer.ids };
      if (asConsumer.error === 'UNKNOWN_TOPIC_OR_PARTITION') return { role: 'starting', hw: null, read: null };
      const fromFollower = await this.#fetch(connection, topic, this.#followers);
      return { role: 'follower', hw: fromFollower.error === 'none' ? fromFollower.hw : null, read: null };
    });
  }

  /** Each has a connection of its own: a broker answers the requests of one in their order. */
  async produce(broker: Broker, topic: Topic, record: StoredRecord, acks: '1' | 'all'): Promise<string> {
    const body = new Writer();
    if (this.#format === 2) body.string(null);
    body.int16(ACKS[acks]).int32(PRODUCE_TIMEOUT_MS);
    const batch = encodeRecord(this.#format, record);
    body.array([topic.name], (w, name) => w.string(name).array([0], (x, index) => x.int32(index).bytes(batch)));
    return this.#with(broker, async (connection) => {
      const reply = await connection.call(PRODUCE, this.#format === 2 ? 3 : 2, body);
      return onlyPartition(reply, () => {
        const error = errorName(reply.int16());
        reply.raw(8 + 8);
        return error;
      });
    });
  }

  async repeat(broker: Broker, request: Buffer): Promise<void> {
    await this.#with(broker, (connection) => connection.callRaw(request));
  }

  /** Since 2.3 (KIP-320); brokers before never say so. */
  async gaveUp(broker: Broker, { name }: Topic): Promise<boolean> {
    return (await this.#logs.said(broker, `${name}-0`)).fetchState === 'failed';
  }

  async close(): Promise<void> {
    for (const connection of this.#connections) connection.close();
  }

  /** From the start on, where every log has its first record, if it has any. */
  async #fetch(connection: Connection, topic: Topic, reader: Reading): Promise<Read> {
    const { replica, version } = reader;
    const body = new Writer().int32(replica).int32(0).int32(0);
    if (version >= 4) body.int32(MAX_BYTES).int8(0);
    if (version >= 11) body.int32(0).int32(-1);
    body.array([topic.name], (w, name) =>
      w.string(name).array([0], (x, index) => {
        x.int32(index);
        if (version >= 11) x.int32(-1);
        x.int64(0);
        if (version >= 11) x.int64(-1);
        x.int32(MAX_BYTES);
      }),
    );
    if (version >= 11) body.int32(0).string('');
    const reply = await connection.call(FETCH, version, body);
    const header = new Writer().int32(0).toBuffer();
    const whole = Buffer.concat([header, reply.raw(reply.remaining)]);
    const answer = readFetchReply(whole, version, { topic: topic.name, index: 0 });
    if (answer === null) throw new RangeError('the reply says nothing about the partition');
    return { error: errorName(answer.errorCode), hw: answer.hw, ids: answer.records.map(({ id }) => id) };
  }

  async #with<T>(broker: Broker, use: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = await Connection.open(broker.port);
    this.#connections.add(connection);
    try {
      return await use(connection);
    } finally {
      connection.close();
      this.#connections.delete(connection);
    }
  }
}

/** Topics with their partitions, of which there is one. */
function onlyPartition<T>(reply: Reader, read: () => T): T {
  const [found] = reply.array(() => {
    reply.string();
    return reply.array(() => {
      reply.int32();
      return read();
    });
  });
  const [value] = found ?? [];
  if (value === undefined) throw new RangeError('the reply says nothing about the partition');
  return value;
}
