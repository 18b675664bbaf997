import { join } from 'node:path';
import type { Broker } from '../../../src/brokers/broker.ts';
import type { Message } from '../../../src/brokers/kraft/codec.ts';
import { decode } from '../../../src/brokers/kraft/codec.ts';
import { readReply, requestFrame } from '../../../src/brokers/kraft/frames.ts';
import { RECORD_VERSIONS } from '../../../src/brokers/kraft/metadata.ts';
import { Reader } from '../../../src/brokers/wire/bytes.ts';
import { Connection } from '../../../src/brokers/wire/connection.ts';
import { schemas } from './support.ts';

const METADATA = 'AAAAAAAAAAAAAAAAAAAAAQ';
const FETCH_VERSION = 17;

/** What a broker says to its controller, by hand: each call is one request. */
export class FakeBroker implements Broker {
  readonly name: string;
  readonly port = 9092;
  readonly logFolder = join('/nowhere');
  brokerEpoch = -1;
  #connection: Connection;
  #correlationId = 0;
  #offset = 0;
  #output = '';
  #lives = 0;

  private constructor(
    readonly number: number,
    connection: Connection,
  ) {
    this.name = `broker ${number}`;
    this.#connection = connection;
  }

  static async connect(number: number, port: number): Promise<FakeBroker> {
    return new FakeBroker(number, await Connection.open(port));
  }

  readonly process = {
    name: 'fake',
    pid: 0,
    ended: null,
    output: async (from = 0): Promise<string> => this.#output.slice(from),
    size: async (): Promise<number> => this.#output.length,
    until: async <T>(_what: string, ready: () => Promise<T | null>): Promise<T> => {
      for (;;) {
        const value = await ready();
        if (value !== null) return value;
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    },
    kill: async (): Promise<void> => this.close(),
  };

  say(line: string): void {
    this.#output += `${line}\n`;
  }

  async call(api: string, version: number, message: Message): Promise<Message> {
    const frame = requestFrame(schemas.of(`${api}Request`), version, ++this.#correlationId, message);
    return readReply(schemas.of(`${api}Response`), version, await this.#connection.callRaw(frame));
  }

  /** A new life. */
  async register(): Promise<void> {
    const incarnationId = Buffer.alloc(16, ++this.#lives).toString('base64url');
    const features = [{ name: 'metadata.version', minSupportedVersion: 7, maxSupportedVersion: 33 }];
    const logDirs = [Buffer.alloc(16, 64 + this.number).toString('base64url')];
    const message = { brokerId: this.number, clusterId: 'c', incarnationId, features, logDirs };
    this.brokerEpoch = Number((await this.call('BrokerRegistration', 4, message)).brokerEpoch);
  }

  async heartbeat(): Promise<Message> {
    const { number: brokerId, brokerEpoch } = this;
    return this.call('BrokerHeartbeat', 2, {
      brokerId,
      brokerEpoch,
      currentMetadataOffset: this.#offset - 1,
      wantFence: false,
    });
  }

  fetch(currentLeaderEpoch: number): Promise<Message> {
    const partition = { partition: 0, currentLeaderEpoch, fetchOffset: this.#offset };
    const topics = [{ topicId: METADATA, partitions: [partition] }];
    return this.call('Fetch', FETCH_VERSION, { replicaState: { replicaId: this.number }, maxWaitMs: 20, topics });
  }

  /** The records that it has not read yet, by `Type field=value …` of the fields that are asked for. */
  async learn(): Promise<{ type: string; message: Message }[]> {
    const reply = (await this.fetch(1)) as { responses: { partitions: { records: Buffer | null }[] }[] };
    const read = recordsIn(reply.responses[0]?.partitions[0]?.records ?? Buffer.alloc(0));
    this.#offset += read.length;
    return read;
  }

  /** Learns and tells that it has acted upon it, for as long as it is alive: what a broker does by itself. */
  async live(until: Promise<unknown>): Promise<{ type: string; message: Message }[]> {
    let done = false;
    void until.then(
      () => {
        done = true;
      },
      () => {
        done = true;
      },
    );
    const all: { type: string; message: Message }[] = [];
    while (!done) {
      await this.heartbeat();
      all.push(...(await this.learn()));
      await this.heartbeat();
    }
    all.push(...(await this.learn()));
    return all;
  }

  close(): void {
    this.#connection.close();
  }
}

/** Read by hand: a batch of format 2, each value with its frame. */
export function recordsIn(bytes: Buffer): { type: string; message: Message }[] {
  const all: { type: string; message: Message }[] = [];
  for (const reader = new Reader(bytes); reader.remaining > 0; ) {
    reader.int64();
    const end = reader.int32() + reader.position;
    reader.raw(4 + 1 + 4 + 2 + 4 + 8 + 8 + 8 + 2 + 4);
    for (let left = reader.int32(); left > 0; left--) {
      reader.varint();
      reader.int8();
      reader.varint();
      reader.varint();
      reader.varint();
      const value = new Reader(reader.raw(reader.varint()));
      reader.varint();
      const [frame, apiKey, version] = [value.uvarint(), value.uvarint(), value.uvarint()];
      const type = Object.keys(RECORD_VERSIONS).find((name) => schemas.of(name).apiKey === apiKey);
      if (frame !== 1 || type === undefined) throw new RangeError(`a record of API ${apiKey} in frame ${frame}`);
      all.push({ type, message: decode(schemas.of(type), version, value.raw(value.remaining)) });
    }
    if (reader.position !== end) throw new RangeError('a batch of another length');
  }
  return all;
}
