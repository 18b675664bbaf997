import type { Broker, Client, Probe } from './broker.ts';
import type { Topic } from './controller.ts';
import { errorName } from './errors.ts';
import { type Reader, Writer } from './wire/bytes.ts';
import { Connection } from './wire/connection.ts';
import { encodeRecord, type MessageFormat, type StoredRecord } from './wire/records.ts';

const PRODUCE = 0;
const FETCH = 1;
/** Replica ids of a Fetch that are no broker's. Source: Request.OrdinaryConsumerId, DebuggingConsumerId. */
const CONSUMER = -1;
const DEBUGGER = -2;
const PRODUCE_TIMEOUT_MS = 2 ** 31 - 1;
const ACKS = { '1': 1, all: -1 } as const;

/** A client in the versions that brokers from 0.10.2 to 3.9 understand: those that came with the message format. */
export class ZkClient implements Client {
  readonly #format: MessageFormat;
  readonly #connections = new Set<Connection>();

  constructor(format: MessageFormat) {
    this.#format = format;
  }

  async probe(broker: Broker, topic: Topic): Promise<Probe> {
    return this.#with(broker, async (connection) => {
      const asConsumer = await this.#fetch(connection, topic, CONSUMER);
      if (asConsumer.error === 'none') return { role: 'leader', hw: asConsumer.hw };
      if (asConsumer.error === 'UNKNOWN_TOPIC_OR_PARTITION') return { role: 'starting', hw: null };
      const asDebugger = await this.#fetch(connection, topic, DEBUGGER);
      return { role: 'follower', hw: asDebugger.error === 'none' ? asDebugger.hw : null };
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

  async close(): Promise<void> {
    for (const connection of this.#connections) connection.close();
  }

  /** Asks for nothing, so that all that comes back is the error and the high watermark. */
  async #fetch(connection: Connection, topic: Topic, replica: number): Promise<{ error: string; hw: number }> {
    const version = this.#format === 2 ? 4 : 2;
    const body = new Writer().int32(replica).int32(0).int32(0);
    if (version === 4) body.int32(1).int8(0);
    body.array([topic.name], (w, name) => w.string(name).array([0], (x, index) => x.int32(index).int64(0).int32(1)));
    const reply = await connection.call(FETCH, version, body);
    reply.int32();
    return onlyPartition(reply, () => {
      const error = errorName(reply.int16());
      const hw = reply.int64();
      if (version === 4) {
        reply.int64();
        reply.array(() => reply.raw(16));
      }
      reply.bytes();
      return { error, hw };
    });
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
