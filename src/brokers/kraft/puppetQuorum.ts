import { z } from 'zod';
import { ApiServer, type Call } from './apiServer.ts';
import type { Message } from './codec.ts';
import { MetadataLog, type MetadataRecord, QUORUM_EPOCH } from './metadata.ts';
import type { Schemas } from './schemas.ts';

/** What a broker says of itself when it starts. Each start is a registration of its own, with the next broker epoch. */
export interface Registration {
  readonly broker: number;
  readonly brokerEpoch: number;
  readonly incarnationId: string;
  readonly logDirs: readonly string[];
  readonly message: Message;
}

/** A leader's wish to change the ISR, unanswered. */
export interface IsrChange {
  readonly leader: number;
  readonly leaderEpoch: number;
  readonly partitionEpoch: number;
  readonly isr: readonly number[];
  /** The partition's new state, as the controller has decided. */
  grant(partitionEpoch: number): void;
  /** "Not attempted": the leader goes back to the ISR that it had. */
  turnDown(): void;
}

export interface QuorumOptions {
  readonly schemas: Schemas;
  /** What a broker is to know before it may begin to work. */
  readonly onRegistered: (registration: Registration) => readonly MetadataRecord[];
  /** Whatever happened: a registration, a heartbeat, a wish for another ISR. */
  readonly onChange: () => void;
}

/** Of a broker's present life. */
interface Joined {
  readonly registration: Registration;
  /** It must have heard of all up to here before it takes part. */
  registeredAt: number;
  fenced: boolean;
  /** The last offset that it has acted upon, as its heartbeats say. */
  appliedOffset: number;
  isrChange: IsrChange | null;
}

interface Waiting {
  readonly call: Call;
  readonly broker: number;
  readonly offset: number;
  readonly timer: NodeJS.Timeout;
}

export const CONTROLLER_ID = 1000;
export const METADATA_TOPIC = '__cluster_metadata';
/** Uuid.METADATA_TOPIC_ID */
const METADATA_TOPIC_ID = 'AAAAAAAAAAAAAAAAAAAAAQ';
const LONG_POLL_MS = 400;

/** Kafka's error codes, by source: Errors.java. */
const FENCED_LEADER_EPOCH = 74;
const STALE_BROKER_EPOCH = 77;
const OPERATION_NOT_ATTEMPTED = 55;

const registrationRequest = z.object({
  brokerId: z.number(),
  incarnationId: z.string(),
  logDirs: z.array(z.string()),
});
const heartbeatRequest = z.object({
  brokerId: z.number(),
  brokerEpoch: z.number(),
  currentMetadataOffset: z.number(),
  wantFence: z.boolean(),
});
const fetchRequest = z.object({
  replicaState: z.object({ replicaId: z.number() }),
  maxWaitMs: z.number(),
  topics: z.array(
    z.object({ partitions: z.array(z.object({ currentLeaderEpoch: z.number(), fetchOffset: z.number() })) }),
  ),
});
const alterPartitionRequest = z.object({
  brokerId: z.number(),
  topics: z.array(
    z.object({
      topicId: z.string(),
      partitions: z.array(
        z.object({
          partitionIndex: z.number(),
          leaderEpoch: z.number(),
          partitionEpoch: z.number(),
          newIsrWithEpochs: z.array(z.object({ brokerId: z.number() })),
        }),
      ),
    }),
  ),
});

/**
 * A KRaft controller quorum of one, as far as brokers can tell: it registers them, answers their heartbeats, and lets each
 * read its metadata log. It decides nothing: what is in the logs, and what becomes of a wish to change the ISR, others say.
 */
export class PuppetQuorum {
  readonly #options: QuorumOptions;
  readonly #logs = new Map<number, MetadataLog>();
  readonly #joined = new Map<number, Joined>();
  #waiting: Waiting[] = [];
  #registrations = 0;
  #server!: ApiServer;
  #problem: string | null = null;

  private constructor(options: QuorumOptions) {
    this.#options = options;
  }

  static async open(options: QuorumOptions): Promise<PuppetQuorum> {
    const quorum = new PuppetQuorum(options);
    const apis = [
      // Later versions speak of what a broker must not need.
      { name: 'Fetch', maxVersion: 17, handle: (call: Call) => quorum.#fetch(call) },
      { name: 'BrokerRegistration', handle: (call: Call) => quorum.#register(call) },
      { name: 'BrokerHeartbeat', handle: (call: Call) => quorum.#heartbeat(call) },
      { name: 'AlterPartition', handle: (call: Call) => quorum.#alterPartition(call) },
    ];
    quorum.#server = await ApiServer.open(options.schemas, apis, (problem) => {
      quorum.#problem ??= problem;
      options.onChange();
    });
    return quorum;
  }

  get port(): number {
    return this.#server.port;
  }

  /** What a broker asked for that could not be understood. */
  get problem(): string | null {
    return this.#problem;
  }

  /** Null while it has not registered in its present life. */
  registration(broker: number): Registration | null {
    return this.#joined.get(broker)?.registration ?? null;
  }

  isUnfenced(broker: number): boolean {
    return this.#joined.get(broker)?.fenced === false;
  }

  /** How many lives of brokers have been registered. */
  get registrations(): number {
    return this.#registrations;
  }

  /** Shows these to a broker. `hasApplied` tells when it has acted upon what is at the offset that this returns. */
  append(broker: number, records: readonly MetadataRecord[]): number {
    const offset = this.#log(broker).append(records);
    const mine = this.#waiting.filter((waiting) => waiting.broker === broker);
    for (const waiting of mine) this.#answer(waiting);
    return offset;
  }

  hasApplied(broker: number, offset: number): boolean {
    return (this.#joined.get(broker)?.appliedOffset ?? -1) >= offset;
  }

  isrChange(leader: number): IsrChange | null {
    return this.#joined.get(leader)?.isrChange ?? null;
  }

  /** The broker has died: it has to register anew. */
  left(broker: number): void {
    this.#joined.delete(broker);
  }

  async close(): Promise<void> {
    for (const { timer } of this.#waiting) clearTimeout(timer);
    this.#waiting = [];
    await this.#server.close();
  }

  #log(broker: number): MetadataLog {
    const log = this.#logs.get(broker) ?? new MetadataLog(this.#options.schemas);
    this.#logs.set(broker, log);
    return log;
  }

  #register(call: Call): void {
    const { brokerId, incarnationId, logDirs } = registrationRequest.parse(call.request);
    const known = this.#joined.get(brokerId);
    // It asks again if it has not heard the answer.
    if (known?.registration.incarnationId !== incarnationId) {
      const brokerEpoch = ++this.#registrations;
      const registration = { broker: brokerId, brokerEpoch, incarnationId, logDirs, message: call.request };
      const fresh = { registration, registeredAt: Number.POSITIVE_INFINITY, fenced: true, appliedOffset: -1 };
      const joined: Joined = { ...fresh, isrChange: null };
      this.#joined.set(brokerId, joined);
      joined.registeredAt = this.append(brokerId, this.#options.onRegistered(registration));
    }
    call.reply({ brokerEpoch: this.#joined.get(brokerId)?.registration.brokerEpoch ?? -1 });
    this.#options.onChange();
  }

  #heartbeat(call: Call): void {
    const { brokerId, brokerEpoch, currentMetadataOffset, wantFence } = heartbeatRequest.parse(call.request);
    const joined = this.#joined.get(brokerId);
    if (joined?.registration.brokerEpoch !== brokerEpoch) {
      call.reply({ errorCode: STALE_BROKER_EPOCH });
      return;
    }
    joined.appliedOffset = currentMetadataOffset;
    const isCaughtUp = currentMetadataOffset >= joined.registeredAt;
    if (joined.fenced && isCaughtUp && !wantFence) {
      joined.fenced = false;
      const message = { brokerId, brokerEpoch, fenced: -1 };
      this.append(brokerId, [{ type: 'BrokerRegistrationChangeRecord', message }]);
    }
    call.reply({ isCaughtUp, isFenced: joined.fenced });
    this.#options.onChange();
  }

  /**
   * A read of the metadata log. Who does not know the leader is told; who has read all waits a while. Who has not registered
   * is not told how far the log is committed: it would act upon what it kept from its life before.
   */
  #fetch(call: Call): void {
    const { replicaState, maxWaitMs, topics } = fetchRequest.parse(call.request);
    const partition = topics[0]?.partitions[0];
    if (partition === undefined) throw new RangeError('a Fetch of no partition');
    if (partition.currentLeaderEpoch < QUORUM_EPOCH) {
      call.reply(fetched({ errorCode: FENCED_LEADER_EPOCH, highWatermark: -1 }));
      return;
    }
    const timer = setTimeout(() => this.#answer(waiting), Math.min(maxWaitMs, LONG_POLL_MS));
    const waiting: Waiting = { call, broker: replicaState.replicaId, offset: partition.fetchOffset, timer };
    this.#waiting.push(waiting);
    const isNew = partition.fetchOffset < this.#log(waiting.broker).endOffset;
    if (isNew && this.#joined.has(waiting.broker)) this.#answer(waiting);
  }

  #answer(waiting: Waiting): void {
    clearTimeout(waiting.timer);
    this.#waiting = this.#waiting.filter((other) => other !== waiting);
    const log = this.#log(waiting.broker);
    if (!this.#joined.has(waiting.broker)) {
      waiting.call.reply(fetched({ highWatermark: -1 }));
      return;
    }
    waiting.call.reply(fetched({ highWatermark: log.endOffset, records: log.from(waiting.offset) }));
  }

  #alterPartition(call: Call): void {
    const { brokerId, topics } = alterPartitionRequest.parse(call.request);
    const [topic] = topics;
    const [partition] = topic?.partitions ?? [];
    const joined = this.#joined.get(brokerId);
    if (topic === undefined || partition === undefined || joined === undefined) {
      call.reply({ errorCode: STALE_BROKER_EPOCH });
      return;
    }
    const { leaderEpoch, partitionEpoch, partitionIndex } = partition;
    const isr = partition.newIsrWithEpochs.map((member) => member.brokerId).sort((a, b) => a - b);
    const reply = (answer: Message): void => {
      joined.isrChange = null;
      const partitions = [{ partitionIndex, leaderId: brokerId, leaderEpoch, isr, ...answer }];
      call.reply({ topics: [{ topicId: topic.topicId, partitions }] });
    };
    joined.isrChange = {
      leader: brokerId,
      leaderEpoch,
      partitionEpoch,
      isr,
      grant: (next) => reply({ partitionEpoch: next }),
      turnDown: () => reply({ errorCode: OPERATION_NOT_ATTEMPTED, partitionEpoch }),
    };
    this.#options.onChange();
  }
}

function fetched(partition: Message): Message {
  const currentLeader = { leaderId: CONTROLLER_ID, leaderEpoch: QUORUM_EPOCH };
  const whole = { logStartOffset: 0, currentLeader, ...partition };
  return { responses: [{ topicId: METADATA_TOPIC_ID, topic: METADATA_TOPIC, partitions: [whole] }] };
}
