import { z } from 'zod';
import type { Broker, Client, Probe } from '../broker.ts';
import type { BrokerLogs } from '../brokerLog.ts';
import type { Election, Topic } from '../controller.ts';
import { errorName } from '../errors.ts';
import { Connection } from '../wire/connection.ts';
import { batchesOf, encodeRecord, type StoredRecord } from '../wire/records.ts';
import type { Message } from './codec.ts';
import { readReply, requestFrame } from './frames.ts';
import { topicId } from './records.ts';
import type { Schemas } from './schemas.ts';

/** What a replica says of itself. */
interface Seen {
  /** -1: it knows of none. */
  readonly leader: number;
  /** 0: it has not heard of any. */
  readonly leaderEpoch: number;
  readonly hw: number;
  /** What a consumer reads. */
  readonly ids: readonly number[];
}

/** From 16 on a refusal names the leader and its epoch (KIP-951). */
const FETCH_VERSION = 17;
/** The last one that names the topic. */
const PRODUCE_VERSION = 12;
const FENCED_LEADER_EPOCH = 74;
const MAX_BYTES = 2 ** 20;
const FOR_EVER_MS = 2 ** 31 - 1;

const fetchResponse = z.object({
  errorCode: z.number(),
  responses: z.array(
    z.object({
      partitions: z.array(
        z.object({
          errorCode: z.number(),
          highWatermark: z.number(),
          currentLeader: z.object({ leaderId: z.number(), leaderEpoch: z.number() }),
          records: z.instanceof(Buffer).nullable(),
        }),
      ),
    }),
  ),
});
const produceResponse = z.object({
  responses: z.array(z.object({ partitionResponses: z.array(z.object({ errorCode: z.number() })) })),
});

/** A consumer that reads followers too (KIP-392), and a producer, straight to the broker; and a reader of its log. */
export class KraftClient implements Client {
  readonly #schemas: Schemas;
  readonly #connections = new Map<Broker, Connection>();
  readonly #logs: BrokerLogs;
  #correlationId = 0;

  constructor(schemas: Schemas, logs: BrokerLogs) {
    this.#schemas = schemas;
    this.#logs = logs;
  }

  async probe(broker: Broker, topic: Topic): Promise<Probe> {
    const partition = `${topic.name}-0`;
    await this.#logs.settled(broker, partition);
    const seen = await this.#see(broker, topic);
    if (seen === null || seen.leaderEpoch === 0) return { role: 'starting', hw: seen?.hw ?? null, read: null };
    const { isr, epochStart, remoteLeo, fetchState } = await this.#logs.said(broker, partition);
    const { hw, leader, leaderEpoch } = seen;
    const role = leader === broker.number ? 'leader' : 'follower';
    const read = role === 'leader' ? seen.ids : null;
    return { role, hw, read, shown: { leader, leaderEpoch, isr, epochStart, remoteLeo, fetchState } };
  }

  /**
   * Before it answers anybody in an election's epoch it has cut its cache, or noted its epoch. Its fetcher comes last
   * (ReplicaManager.applyLocalFollowersDelta), and only its log tells.
   */
  async hasHeard(broker: Broker, topic: Topic, { epoch, leader }: Election): Promise<boolean> {
    if ((await this.#see(broker, topic))?.leaderEpoch !== epoch) return false;
    const hasFetcher = leader >= 0 && leader !== broker.number;
    return !hasFetcher || !(await this.#logs.said(broker, `${topic.name}-0`)).isTurning;
  }

  /**
   * A consumer that still believes in epoch 0 is refused, and told what the partition's leader and epoch are; one in the right
   * epoch is told the high watermark. Null if the broker does not host the partition.
   */
  async #see(broker: Broker, topic: Topic): Promise<Seen | null> {
    const refused = await this.#fetch(broker, topic, 0);
    if (refused === null) return null;
    if (refused.errorCode === 0) return { leader: -1, leaderEpoch: 0, hw: refused.highWatermark, ids: [] };
    if (refused.errorCode !== FENCED_LEADER_EPOCH) return null;
    const { leaderId: leader, leaderEpoch } = refused.currentLeader;
    const read = await this.#fetch(broker, topic, leaderEpoch);
    if (read?.errorCode !== 0) return null;
    const batches = batchesOf(read.records ?? Buffer.alloc(0));
    return {
      leader,
      leaderEpoch,
      hw: read.highWatermark,
      ids: batches.flatMap(({ records }) => records.map(({ id }) => id)),
    };
  }

  /** On a connection of its own: the broker reads no further from it until it has answered. */
  async produce(broker: Broker, topic: Topic, record: StoredRecord, acks: '1' | 'all'): Promise<string> {
    const connection = await Connection.open(broker.port);
    try {
      const records = encodeRecord(2, record);
      const reply = await this.#call(connection, 'Produce', PRODUCE_VERSION, {
        acks: acks === 'all' ? -1 : 1,
        timeoutMs: FOR_EVER_MS,
        topicData: [{ name: topic.name, partitionData: [{ index: 0, records }] }],
      });
      return errorName(produceResponse.parse(reply).responses[0]?.partitionResponses[0]?.errorCode ?? -1);
    } finally {
      connection.close();
    }
  }

  async repeat(broker: Broker, request: Buffer): Promise<void> {
    const connection = await Connection.open(broker.port);
    await connection.callRaw(request).finally(() => connection.close());
  }

  async gaveUp(broker: Broker, { name }: Topic): Promise<boolean> {
    return (await this.#logs.said(broker, `${name}-0`)).fetchState === 'failed';
  }

  async close(): Promise<void> {
    for (const connection of this.#connections.values()) connection.close();
    this.#connections.clear();
  }

  async #fetch(broker: Broker, topic: Topic, currentLeaderEpoch: number) {
    const partition = { partition: 0, currentLeaderEpoch, fetchOffset: 0, partitionMaxBytes: MAX_BYTES };
    const request = { maxWaitMs: 0, minBytes: 0, topics: [{ topicId: topicId(topic), partitions: [partition] }] };
    const connection = await this.#connection(broker);
    const reply = await this.#call(connection, 'Fetch', FETCH_VERSION, request).catch((error) => {
      connection.close();
      this.#connections.delete(broker);
      throw error;
    });
    return fetchResponse.parse(reply).responses[0]?.partitions[0] ?? null;
  }

  async #connection(broker: Broker): Promise<Connection> {
    const open = this.#connections.get(broker);
    if (open !== undefined) return open;
    const connection = await Connection.open(broker.port);
    this.#connections.set(broker, connection);
    return connection;
  }

  async #call(connection: Connection, api: string, version: number, message: Message): Promise<Message> {
    const request = this.#schemas.of(`${api}Request`);
    const reply = await connection.callRaw(requestFrame(request, version, ++this.#correlationId, message));
    return readReply(this.#schemas.of(`${api}Response`), version, reply);
  }
}
