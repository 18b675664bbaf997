import type { Call } from './apiServer.ts';
import type { Message } from './codec.ts';
import { FENCED_LEADER_EPOCH, fetchRequest } from './controllerRequests.ts';
import { MetadataLog, type MetadataRecord, QUORUM_EPOCH } from './metadata.ts';
import type { Schemas } from './schemas.ts';

export const CONTROLLER_ID = 1000;
export const METADATA_TOPIC = '__cluster_metadata';
/** Uuid.METADATA_TOPIC_ID */
const METADATA_TOPIC_ID = 'AAAAAAAAAAAAAAAAAAAAAQ';
const LONG_POLL_MS = 400;

interface Waiting {
  readonly call: Call;
  readonly broker: number;
  readonly offset: number;
  readonly timer: NodeJS.Timeout;
}

/** Each broker's own metadata log, and its reads of it, which wait for what comes next. */
export class MetadataReads {
  readonly #schemas: Schemas;
  readonly #isRegistered: (broker: number) => boolean;
  readonly #logs = new Map<number, MetadataLog>();
  #waiting: Waiting[] = [];

  constructor(schemas: Schemas, isRegistered: (broker: number) => boolean) {
    this.#schemas = schemas;
    this.#isRegistered = isRegistered;
  }

  /** Returns the offset of the last record. */
  append(broker: number, records: readonly MetadataRecord[]): number {
    const offset = this.#log(broker).append(records);
    for (const waiting of this.#waiting.filter((one) => one.broker === broker)) this.#answer(waiting);
    return offset;
  }

  /**
   * A read of the metadata log. Who does not know the leader is told; who has read all waits a while. Who has not registered
   * is not told how far the log is committed: it would act upon what it kept from its life before.
   */
  fetch(call: Call): void {
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
    if (isNew && this.#isRegistered(waiting.broker)) this.#answer(waiting);
  }

  #answer(waiting: Waiting): void {
    clearTimeout(waiting.timer);
    this.#waiting = this.#waiting.filter((other) => other !== waiting);
    const log = this.#log(waiting.broker);
    if (!this.#isRegistered(waiting.broker)) {
      waiting.call.reply(fetched({ highWatermark: -1 }));
      return;
    }
    waiting.call.reply(fetched({ highWatermark: log.endOffset, records: log.from(waiting.offset) }));
  }

  close(): void {
    for (const { timer } of this.#waiting) clearTimeout(timer);
    this.#waiting = [];
  }

  #log(broker: number): MetadataLog {
    const log = this.#logs.get(broker) ?? new MetadataLog(this.#schemas);
    this.#logs.set(broker, log);
    return log;
  }
}

function fetched(partition: Message): Message {
  const currentLeader = { leaderId: CONTROLLER_ID, leaderEpoch: QUORUM_EPOCH };
  const whole = { logStartOffset: 0, currentLeader, ...partition };
  return { responses: [{ topicId: METADATA_TOPIC_ID, topic: METADATA_TOPIC, partitions: [whole] }] };
}
