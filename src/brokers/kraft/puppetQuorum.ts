import { ApiServer, type Call } from './apiServer.ts';
import type { Message } from './codec.ts';
import {
  alterPartitionRequest,
  heartbeatRequest,
  OPERATION_NOT_ATTEMPTED,
  registrationRequest,
  STALE_BROKER_EPOCH,
} from './controllerRequests.ts';
import type { MetadataRecord } from './metadata.ts';
import { MetadataReads } from './metadataReads.ts';
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

/**
 * A KRaft controller quorum of one, as far as brokers can tell: it registers them, answers their heartbeats, and lets each
 * read its metadata log. It decides nothing: what is in the logs, and what becomes of a wish to change the ISR, others say.
 */
export class PuppetQuorum {
  readonly #options: QuorumOptions;
  readonly #reads: MetadataReads;
  readonly #joined = new Map<number, Joined>();
  #registrations = 0;
  #server!: ApiServer;
  #problem: string | null = null;

  private constructor(options: QuorumOptions) {
    this.#options = options;
    this.#reads = new MetadataReads(options.schemas, (broker) => this.#joined.has(broker));
  }

  static async open(options: QuorumOptions): Promise<PuppetQuorum> {
    const quorum = new PuppetQuorum(options);
    const apis = [
      // Later versions speak of what a broker must not need.
      { name: 'Fetch', maxVersion: 17, handle: (call: Call) => quorum.#reads.fetch(call) },
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
    return this.#reads.append(broker, records);
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
    this.#reads.close();
    await this.#server.close();
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
    if (joined.fenced && !wantFence && currentMetadataOffset >= joined.registeredAt) {
      joined.fenced = false;
      const message = { brokerId, brokerEpoch, fenced: -1 };
      this.append(brokerId, [{ type: 'BrokerRegistrationChangeRecord', message }]);
    }
    // It acts upon nothing before it has read all that it was told is committed; so there is nothing to wait for.
    call.reply({ isCaughtUp: true, isFenced: joined.fenced });
    this.#options.onChange();
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
