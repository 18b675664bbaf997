/** Fetches: a follower's is a step of the protocol, a consumer's is a look below the high watermark. */
import type { FetchRequest, ReplicaId } from '../replica/index.ts';
import { errors, type RequestOf, type ResponseOf } from '../wire/index.ts';
import type { Link } from './host.ts';
import { addresses, askerOf, type BrokerOptions, errorFor, isOurs } from './options.ts';
import { type FetchPartition, fetchAnswer } from './translate.ts';
import type { WaitingRoom } from './waitingRoom.ts';

export interface FetchesOptions {
  readonly broker: BrokerOptions;
  readonly room: WaitingRoom;
  /** Calls when the broker waits for nobody, if the connection is still there then. */
  whenFree(link: Link, call: () => void): void;
  /** A follower was answered, or is about to be: who has caught up joins the ISR first. */
  answering(follower: ReplicaId, isCounted: boolean, then: () => void): void;
}

/** Whatever is asked for. */
const MAX_ANSWER_BYTES = 8 << 20;

type Question = RequestOf<'Fetch'>['topics'][number]['partitions'][number];
type Done = (body: ResponseOf<'Fetch'>) => void;

export class Fetches {
  readonly #options: FetchesOptions;
  /** What a follower was told last: it is answered at once if there is more to tell. */
  readonly #told = new Map<ReplicaId, string>();

  constructor(options: FetchesOptions) {
    this.#options = options;
  }

  fetch(body: RequestOf<'Fetch'>, follower: ReplicaId | null, link: Link, done: Done): void {
    const { broker } = this.#options;
    const respond = (partition: FetchPartition | null): void => done(response(broker, body, partition));
    const asked = body.topics.flatMap(({ name, partitions }) =>
      partitions.filter(({ index }) => isOurs(broker, name, index)),
    )[0];
    if (asked === undefined) respond(null);
    else if (asked.fetchOffset < 0n) respond({ ...empty, errorCode: errors.OFFSET_OUT_OF_RANGE });
    else if (follower === null) this.#consume(body, asked, link, respond);
    else this.#replicate(body, asked, follower, link, respond);
  }

  /** A follower's fetch is handled at once if it tells the leader something new, or brings something; else it waits. */
  #replicate(
    body: RequestOf<'Fetch'>,
    asked: Question,
    follower: ReplicaId,
    link: Link,
    respond: (partition: FetchPartition) => void,
  ): void {
    const { answering, broker, room, whenFree } = this.#options;
    const { member } = broker;
    const { maxWaitMs } = body;
    const { incarnation } = askerOf(body);
    const offset = Number(asked.fetchOffset);
    const handle = (): void => {
      const question: FetchRequest = {
        ...addresses(broker, follower, asked.currentLeaderEpoch, incarnation),
        ...{ type: 'FetchRequest', offset, lastFetchedEpoch: asked.lastFetchedEpoch, knownHw: -1 },
      };
      const answer = member.answer(question);
      if (answer.type !== 'FetchResponse') throw new TypeError('Another question was answered');
      const { log } = member.store;
      const brings = answer.error === 'none' && answer.records.length > 0;
      const partition = fetchAnswer(
        answer,
        brings ? log.read(offset, log.endOffset, Math.min(asked.maxBytes, MAX_ANSWER_BYTES)) : [],
      );
      this.#told.set(follower, this.#tellable(offset));
      answering(follower, answer.error === 'none', () => respond(partition));
    };
    const isNews = (): boolean => {
      const { disk, memory } = member.replica;
      return (
        memory.role !== 'leader' ||
        memory.remoteLeo[follower] !== offset ||
        disk.log.length !== offset ||
        !memory.isr.includes(follower) ||
        this.#told.get(follower) !== this.#tellable(offset)
      );
    };
    if (maxWaitMs === 0 || isNews()) handle();
    else room.wait(link, maxWaitMs, isNews, () => whenFree(link, handle));
  }

  #tellable(offset: number): string {
    const { disk, memory } = this.#options.broker.member.replica;
    return `${memory.leaderEpoch} ${memory.hw} ${disk.log.length} ${offset}`;
  }

  #consume(
    { maxBytes, maxWaitMs, minBytes }: RequestOf<'Fetch'>,
    asked: Question,
    link: Link,
    respond: (partition: FetchPartition) => void,
  ): void {
    const { broker, room } = this.#options;
    const { member, topic } = broker;
    const offset = Number(asked.fetchOffset);
    const most = Math.min(asked.maxBytes, maxBytes, MAX_ANSWER_BYTES);
    const fetch = (): FetchPartition => {
      const { hw } = member.replica.memory;
      const errorCode = errorFor(broker, topic, 0, asked.currentLeaderEpoch);
      const isOutOfRange = member.read(offset).error === 'OFFSET_OUT_OF_RANGE';
      const code = errorCode || (isOutOfRange ? errors.OFFSET_OUT_OF_RANGE : errors.NONE);
      const batches = code === errors.NONE ? member.store.log.read(offset, hw, most) : [];
      return {
        ...{ ...empty, errorCode: code, records: Buffer.concat(batches) },
        ...{ highWatermark: BigInt(hw), lastStableOffset: BigInt(hw) },
      };
    };
    const isEnough = (): boolean => {
      const { errorCode, records } = fetch();
      return errorCode !== errors.NONE || (records?.length ?? 0) >= Math.min(minBytes, most);
    };
    if (maxWaitMs <= 0 || isEnough()) respond(fetch());
    else room.wait(link, maxWaitMs, isEnough, () => respond(fetch()));
  }
}

const empty: FetchPartition = {
  ...{ index: 0, errorCode: errors.NONE, divergingEpoch: null, abortedTransactions: null, preferredReadReplica: -1 },
  ...{ highWatermark: -1n, lastStableOffset: -1n, logStartOffset: 0n, records: Buffer.alloc(0) },
};

function response(
  options: BrokerOptions,
  { topics }: RequestOf<'Fetch'>,
  ours: FetchPartition | null,
): ResponseOf<'Fetch'> {
  return {
    ...{ throttleTimeMs: 0, errorCode: 0, sessionId: 0 },
    topics: topics.map(({ name, partitions }) => ({
      name,
      partitions: partitions.map(({ index }) =>
        ours !== null && isOurs(options, name, index)
          ? ours
          : { ...empty, index, errorCode: errors.UNKNOWN_TOPIC_OR_PARTITION },
      ),
    })),
  };
}
