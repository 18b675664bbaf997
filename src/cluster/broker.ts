/**
 * A broker with one partition: it takes Kafka's requests, of clients and of followers, and fetches as a follower itself. It
 * waits for nothing by itself: everything that happens is a call, so that it runs on sockets and in a simulation.
 */
import { isProblem, placed, readHeader } from '../disk/index.ts';
import type {
  Config,
  FetchRequest,
  LeaderAndIsr,
  OffsetsForLeaderEpochRequest,
  ReplicaId,
  StepResult,
} from '../replica/index.ts';
import {
  type AnyRequest,
  answerUnsupported,
  apiVersions,
  decodeRequest,
  encodeResponse,
  errors,
  type RequestOf,
  type ResponseOf,
  WireError,
} from '../wire/index.ts';
import { Fetcher, replicaIdOf } from './fetching.ts';
import type { Host, Link, LinkEvents, Timing } from './host.ts';
import type { Member } from './member.ts';
import { codeOf, epochAnswer, type FetchPartition, fetchAnswer } from './translate.ts';

export interface BrokerOptions {
  readonly config: Config;
  readonly member: Member;
  readonly host: Host;
  readonly timing: Timing;
  readonly topic: string;
  /** The number of each replica's broker on the wire. */
  nodeIdOf(id: ReplicaId): number;
  identify(batch: Uint8Array): readonly number[];
}

type Answer = (frame: Uint8Array | null) => void;

/** Somebody whose answer waits for the state to change. */
interface Waiting {
  readonly link: Link;
  /** True once it has answered. */
  look(): boolean;
  giveUp(): void;
  cancelTimer: () => void;
}

export class Broker {
  readonly #options: BrokerOptions;
  readonly #fetcher: Fetcher;
  readonly #waiting = new Set<Waiting>();
  readonly #links = new Set<Link>();
  readonly #lastFetch = new Map<ReplicaId, number>();
  /** What a follower was told last: it is answered at once if there is more to tell. */
  readonly #told = new Map<ReplicaId, string>();
  /** While the controller has not answered, everything else waits here. */
  #postponed: (() => void)[] | null = null;
  #stopped = false;
  #clockMs = 0;

  constructor(options: BrokerOptions) {
    const { config, host, member, nodeIdOf, timing, topic } = options;
    this.#options = options;
    this.#fetcher = new Fetcher({
      ...{ host, member, timing },
      profile: config.profileOf[member.id]!,
      place: { topic, replicaId: nodeIdOf(member.id) },
      identify: options.identify,
      changed: () => this.#changed(),
    });
    this.#every(timing.checkpointMs, () => member.checkpoint());
    this.#every(timing.flushMs, () => {
      member.flush();
      member.store.writeEpochs();
    });
    this.#every(timing.lagMs / 2, () => {
      this.#clockMs += timing.lagMs / 2;
      this.#shrinkIsr();
    });
  }

  hear(news: LeaderAndIsr): void {
    this.#whenFree(() => {
      this.#options.member.hear(news);
      this.#changed();
    });
  }

  /** For a follower that was told who leads as it started. */
  wake(): void {
    this.#fetcher.wake();
  }

  /** The process ends; nobody is told. */
  stop(): void {
    this.#stopped = true;
    this.#fetcher.stop();
    for (const { cancelTimer } of this.#waiting) cancelTimer();
    for (const link of this.#links) link.close();
  }

  /** Someone has connected. Requests of a connection are answered in their order, one at a time, as Kafka does. */
  accept(link: Link): LinkEvents {
    const requests: Uint8Array[] = [];
    let busy = false;
    let follower: ReplicaId | null = null;
    this.#links.add(link);
    const close = () => {
      this.#forget(link);
      link.close();
    };
    const next = (): void => {
      const frame = requests[0];
      if (!busy && frame === undefined) link.ready?.();
      if (busy || frame === undefined || this.#stopped) return;
      requests.shift();
      busy = true;
      this.#whenFree(() => {
        if (!this.#links.has(link)) return;
        try {
          const request = decodeRequest(frame);
          if (request.api === null) {
            const answer = answerUnsupported(request);
            if (answer === null) {
              close();
              return;
            }
            link.send(answer);
            busy = false;
            next();
            return;
          }
          follower = this.#followerOf(request) ?? follower;
          this.#serve(request, link, (answer) => {
            busy = false;
            if (answer !== null && this.#links.has(link)) link.send(answer);
            next();
          });
        } catch (error) {
          if (!(error instanceof WireError)) throw error;
          close();
        }
      });
    };
    return {
      frame: (frame) => {
        requests.push(frame);
        next();
      },
      closed: () => {
        this.#forget(link);
        if (follower !== null) this.#options.member.forget(follower);
      },
    };
  }

  #forget(link: Link): void {
    this.#links.delete(link);
    for (const waiting of this.#waiting) {
      if (waiting.link !== link) continue;
      this.#waiting.delete(waiting);
      waiting.cancelTimer();
    }
  }

  #serve(request: AnyRequest, link: Link, answer: Answer): void {
    switch (request.api) {
      case 'ApiVersions':
        answer(encodeResponse(request, apiVersions(errors.NONE)));
        break;
      case 'Metadata':
        answer(encodeResponse(request, this.#metadata(request.body)));
        break;
      case 'Produce':
        this.#produce(request.body, (body) => answer(body && encodeResponse(request, body)));
        break;
      case 'ListOffsets':
        answer(encodeResponse(request, this.#listOffsets(request.body)));
        break;
      case 'OffsetForLeaderEpoch':
        answer(encodeResponse(request, this.#offsetForLeaderEpoch(request.body, this.#followerOf(request))));
        break;
      case 'Fetch': {
        const follower = this.#followerOf(request);
        const done: FetchDone = (partition) =>
          answer(encodeResponse(request, this.#fetchResponse(request.body, partition)));
        if (follower === null) this.#consume(request.body, link, done);
        else this.#replicate(request.body, follower, link, done);
      }
    }
  }

  #metadata({ topics }: RequestOf<'Metadata'>): ResponseOf<'Metadata'> {
    const { config, host, member, nodeIdOf, topic } = this.#options;
    const { isr, leader, leaderEpoch } = member.replica.memory;
    const known = config.replicas.includes(leader);
    const replicas = config.replicas.map(nodeIdOf);
    const partition = {
      ...{ errorCode: known ? errors.NONE : errors.LEADER_NOT_AVAILABLE, index: 0, leaderEpoch },
      ...{ leaderId: known ? nodeIdOf(leader) : -1, replicas, isr: isr.length > 0 ? isr.map(nodeIdOf) : replicas },
    };
    const asked = topics === null || topics.length === 0 ? [topic] : topics.map(({ name }) => name);
    return {
      ...{ throttleTimeMs: 0, clusterId: 'leader-epoch', controllerId: -1, authorizedOperations: -2147483648 },
      brokers: host.brokers().map((broker) => ({ ...broker, rack: null })),
      topics: asked.map((name) => ({
        ...{ name, isInternal: false, authorizedOperations: -2147483648 },
        errorCode: name === topic ? errors.NONE : errors.UNKNOWN_TOPIC_OR_PARTITION,
        partitions: name === topic ? [{ ...partition, offline: [] }] : [],
      })),
    };
  }

  #produce(
    { acks, timeoutMs, topics }: RequestOf<'Produce'>,
    answer: (body: ResponseOf<'Produce'> | null) => void,
  ): void {
    const codes = new Map<string, number>();
    let waits: number | null = null;
    let baseOffset = -1;
    for (const { name, partitions } of topics) {
      for (const { index, records } of partitions) {
        const result = this.#isOurs(name, index) ? this.#append(records, acks) : errors.UNKNOWN_TOPIC_OR_PARTITION;
        codes.set(`${name} ${index}`, typeof result === 'number' ? result : errors.NONE);
        if (typeof result === 'number') continue;
        baseOffset = result.baseOffset;
        if (acks === -1) waits = result.endOffset - 1;
      }
    }
    const done = (code: number | null): void => {
      if (acks === 0) {
        answer(null);
        return;
      }
      answer({
        throttleTimeMs: 0,
        topics: topics.map(({ name, partitions }) => ({
          name,
          partitions: partitions.map(({ index }) => {
            const errorCode = codes.get(`${name} ${index}`) || (code ?? errors.NONE);
            return {
              ...{ index, errorCode, baseOffset: BigInt(errorCode === errors.NONE ? baseOffset : -1) },
              ...{ logAppendTimeMs: -1n, logStartOffset: 0n, recordErrors: [], errorMessage: null },
            };
          }),
        })),
      });
    };
    if (waits === null) {
      done(null);
      this.#changed();
      return;
    }
    this.#producers.set(waits, done);
    this.#settleEarly(waits);
    const offset = waits;
    if (this.#producers.has(offset)) {
      const cancel = this.#options.host.after(timeoutMs, () => this.#finish(offset, errors.REQUEST_TIMED_OUT));
      this.#timers.set(offset, cancel);
    }
    this.#changed();
  }

  readonly #producers = new Map<number, (code: number | null) => void>();
  readonly #timers = new Map<number, () => void>();
  /** Offsets that were acknowledged before their producer could be noted down: with a leader that is the whole ISR. */
  readonly #early = new Map<number, number | null>();

  /** What a step told clients. */
  told({ acknowledged, refused }: StepResult): void {
    for (const { acks, offset } of acknowledged) if (acks === 'all') this.#finish(offset, null);
    for (const { acks, error, offset } of refused) {
      const code = error === 'NOT_LEADER' ? errors.NOT_LEADER_OR_FOLLOWER : errors.NOT_ENOUGH_REPLICAS_AFTER_APPEND;
      if (acks === 'all') this.#finish(offset, code);
    }
  }

  #finish(offset: number, code: number | null): void {
    const done = this.#producers.get(offset);
    if (done === undefined) {
      this.#early.set(offset, code);
      return;
    }
    this.#producers.delete(offset);
    this.#timers.get(offset)?.();
    this.#timers.delete(offset);
    done(code);
  }

  #settleEarly(offset: number): void {
    const code = this.#early.get(offset);
    this.#early.clear();
    if (code !== undefined) this.#finish(offset, code);
  }

  /** An error code, or where the batch now is. */
  #append(records: Uint8Array | null, acks: number): number | { baseOffset: number; endOffset: number } {
    const { config, identify, member } = this.#options;
    if (acks !== -1 && acks !== 0 && acks !== 1) return errors.INVALID_REQUIRED_ACKS;
    const { disk, memory } = member.replica;
    if (memory.role !== 'leader') return errors.NOT_LEADER_OR_FOLLOWER;
    const header = readHeader(records ?? new Uint8Array(), 0);
    if (isProblem(header)) {
      return header.kind === 'unsupported' ? errors.UNSUPPORTED_FOR_MESSAGE_FORMAT : errors.CORRUPT_MESSAGE;
    }
    if (header.size !== records?.length) return errors.CORRUPT_MESSAGE;
    if (header.magic !== 2) return errors.UNSUPPORTED_FOR_MESSAGE_FORMAT;
    if (acks === -1 && memory.isr.length < config.minIsr) return errors.NOT_ENOUGH_REPLICAS;
    const baseOffset = disk.log.length;
    const batch = placed(records, baseOffset, memory.leaderEpoch);
    this.#early.clear();
    const written = member.write(identify(batch), acks === -1 ? 'all' : '1', batch);
    return written === null ? errors.NOT_LEADER_OR_FOLLOWER : { baseOffset, endOffset: written.endOffset };
  }

  #listOffsets({ replicaId, topics }: RequestOf<'ListOffsets'>): ResponseOf<'ListOffsets'> {
    const { member } = this.#options;
    const { disk, memory } = member.replica;
    const found = (name: string, index: number, epoch: number, timestamp: bigint) => {
      const errorCode = this.#errorFor(name, index, epoch);
      const nothing = { index, errorCode, timestamp: -1n, offset: -1n, leaderEpoch: -1 };
      if (errorCode !== errors.NONE) return nothing;
      const end = replicaId >= 0 ? disk.log.length : memory.hw;
      if (timestamp === LATEST) return { ...nothing, offset: BigInt(end), leaderEpoch: memory.leaderEpoch };
      if (timestamp === EARLIEST) return { ...nothing, offset: 0n, leaderEpoch: disk.log[0]?.epoch ?? -1 };
      for (const batch of member.store.log.batches()) {
        if (batch.lastOffset >= end) break;
        if (batch.maxTimestamp < timestamp) continue;
        return {
          ...nothing,
          offset: BigInt(batch.baseOffset),
          timestamp: batch.maxTimestamp,
          leaderEpoch: batch.epoch,
        };
      }
      return nothing;
    };
    return {
      throttleTimeMs: 0,
      topics: topics.map(({ name, partitions }) => ({
        name,
        partitions: partitions.map((asked) => found(name, asked.index, asked.currentLeaderEpoch, asked.timestamp)),
      })),
    };
  }

  #offsetForLeaderEpoch(
    { topics }: RequestOf<'OffsetForLeaderEpoch'>,
    follower: ReplicaId | null,
  ): ResponseOf<'OffsetForLeaderEpoch'> {
    const { member } = this.#options;
    const answerFor = (name: string, { index, currentLeaderEpoch, leaderEpoch }: EpochQuestion) => {
      const none = { index, leaderEpoch: -1, endOffset: -1n };
      if (!this.#isOurs(name, index)) return { ...none, errorCode: errors.UNKNOWN_TOPIC_OR_PARTITION };
      if (follower === null) {
        const errorCode = this.#errorFor(name, index, currentLeaderEpoch);
        if (errorCode !== errors.NONE) return { ...none, errorCode };
        const { epoch, endOffset } = member.endOf(leaderEpoch);
        return { index, errorCode, leaderEpoch: epoch, endOffset: BigInt(endOffset) };
      }
      const question: OffsetsForLeaderEpochRequest = {
        ...this.#addresses(follower, currentLeaderEpoch),
        ...{ type: 'OffsetsForLeaderEpochRequest', asked: leaderEpoch },
      };
      const answer = member.answer(question);
      if (answer.type !== 'OffsetsForLeaderEpochResponse') throw new TypeError('Another question was answered');
      return epochAnswer(answer);
    };
    return {
      throttleTimeMs: 0,
      topics: topics.map(({ name, partitions }) => ({
        name,
        partitions: partitions.map((partition) => answerFor(name, partition)),
      })),
    };
  }

  /** A follower's fetch is handled at once if it tells the leader something new, or brings something; else it waits. */
  #replicate({ maxWaitMs, topics }: RequestOf<'Fetch'>, follower: ReplicaId, link: Link, done: FetchDone): void {
    const { member } = this.#options;
    const asked = ourPartition(topics, this.#options.topic);
    if (asked === null) {
      done(unknownPartition);
      return;
    }
    const handle = (): void => {
      if (!this.#links.has(link)) return;
      const question: FetchRequest = {
        ...this.#addresses(follower, asked.currentLeaderEpoch),
        ...{ type: 'FetchRequest', offset: Number(asked.fetchOffset), lastFetchedEpoch: asked.lastFetchedEpoch },
        knownHw: -1,
      };
      const answer = member.answer(question);
      if (answer.type !== 'FetchResponse') throw new TypeError('Another question was answered');
      const { log } = member.store;
      const brings = answer.error === 'none' && answer.records.length > 0;
      const batches = brings ? log.read(question.offset, log.endOffset, asked.maxBytes) : [];
      const partition = fetchAnswer(answer, batches);
      if (answer.error === 'none') this.#lastFetch.set(follower, this.#clockMs);
      this.#told.set(follower, this.#tellable(question.offset));
      this.#letJoin(follower, () => {
        done(() => partition);
        this.#changed();
      });
    };
    const isNews = (): boolean => {
      const { disk, memory } = member.replica;
      const offset = Number(asked.fetchOffset);
      return (
        memory.role !== 'leader' ||
        memory.remoteLeo[follower] !== offset ||
        disk.log.length !== offset ||
        !memory.isr.includes(follower) ||
        this.#told.get(follower) !== this.#tellable(offset)
      );
    };
    if (maxWaitMs === 0 || isNews()) handle();
    else this.#wait(link, maxWaitMs, isNews, () => this.#whenFree(handle));
  }

  #tellable(offset: number): string {
    const { disk, memory } = this.#options.member.replica;
    return `${memory.leaderEpoch} ${memory.hw} ${disk.log.length} ${offset}`;
  }

  /** A follower that has caught up joins the ISR, before it is answered: the protocol looks at the fetch, not at the reply. */
  #letJoin(follower: ReplicaId, then: () => void): void {
    if (this.#options.member.mayJoin(follower)) this.#propose('ExpandIsr', follower, then);
    else then();
  }

  #shrinkIsr(): void {
    const { member, timing } = this.#options;
    const since = (id: ReplicaId) => this.#clockMs - (this.#lastFetch.get(id) ?? Number.NEGATIVE_INFINITY);
    const lagging = member.replica.memory.isr.find((id) => since(id) > timing.lagMs && member.mayLeave(id));
    if (lagging !== undefined) this.#propose('ShrinkIsr', lagging, () => this.#changed());
  }

  #propose(action: 'ExpandIsr' | 'ShrinkIsr', follower: ReplicaId, then: () => void): void {
    const { host, member } = this.#options;
    const epoch = member.replica.memory.leaderEpoch;
    this.#postponed = [];
    host.alterIsr({ action, epoch, follower, leader: member.id }, (accepted) => {
      if (this.#stopped) return;
      if (accepted) member.changeIsr(action, follower);
      const postponed = this.#postponed ?? [];
      this.#postponed = null;
      then();
      for (const call of postponed) this.#whenFree(call);
    });
  }

  #consume(body: RequestOf<'Fetch'>, link: Link, done: FetchDone): void {
    const { member, topic } = this.#options;
    const asked = ourPartition(body.topics, topic);
    if (asked === null) {
      done(unknownPartition);
      return;
    }
    const offset = Number(asked.fetchOffset);
    const fetch = (): FetchPartition => {
      const { memory } = member.replica;
      const errorCode = this.#errorFor(topic, 0, asked.currentLeaderEpoch);
      const read = member.read(offset);
      const code = errorCode || (read.error === 'OFFSET_OUT_OF_RANGE' ? errors.OFFSET_OUT_OF_RANGE : errors.NONE);
      const batches =
        code === errors.NONE ? member.store.log.read(offset, memory.hw, Math.min(asked.maxBytes, body.maxBytes)) : [];
      return { ...emptyPartition, errorCode: code, ...offsetsAt(memory.hw), records: Buffer.concat(batches) };
    };
    const isNews = (): boolean => {
      const { errorCode, records } = fetch();
      return errorCode !== errors.NONE || (records?.length ?? 0) > 0;
    };
    const answer = () => done(() => fetch());
    if (body.maxWaitMs <= 0 || isNews()) answer();
    else this.#wait(link, body.maxWaitMs, isNews, answer);
  }

  #fetchResponse(
    { topics }: RequestOf<'Fetch'>,
    partition: (asked: FetchQuestion) => FetchPartition,
  ): ResponseOf<'Fetch'> {
    return {
      ...{ throttleTimeMs: 0, errorCode: 0, sessionId: 0 },
      topics: topics.map(({ name, partitions }) => ({
        name,
        partitions: partitions.map((asked) =>
          this.#isOurs(name, asked.index) ? partition(asked) : { ...unknownPartition(), index: asked.index },
        ),
      })),
    };
  }

  /** Who is not answered at once: looked at after each step, and answered in any case in the end. */
  #wait(link: Link, ms: number, isNews: () => boolean, answer: () => void): void {
    const waiting: Waiting = {
      link,
      look: () => {
        if (!isNews()) return false;
        waiting.giveUp();
        return true;
      },
      giveUp: () => {
        if (!this.#waiting.delete(waiting)) return;
        waiting.cancelTimer();
        answer();
      },
      cancelTimer: () => {},
    };
    this.#waiting.add(waiting);
    waiting.cancelTimer = this.#options.host.after(ms, () => waiting.giveUp());
  }

  #changed(): void {
    for (const waiting of [...this.#waiting]) if (this.#postponed === null) waiting.look();
    if (!this.#stopped) this.#fetcher.wake();
  }

  #whenFree(call: () => void): void {
    if (this.#stopped) return;
    if (this.#postponed !== null) this.#postponed.push(call);
    else call();
  }

  #every(ms: number, call: () => void): void {
    this.#options.host.after(ms, () => {
      if (this.#stopped) return;
      this.#whenFree(() => {
        if (this.#options.member.isRunning) call();
      });
      this.#every(ms, call);
    });
  }

  #errorFor(name: string, index: number, epoch: number): number {
    if (!this.#isOurs(name, index)) return errors.UNKNOWN_TOPIC_OR_PARTITION;
    const { leaderEpoch, role } = this.#options.member.replica.memory;
    if (epoch !== -1 && epoch < leaderEpoch) return errors.FENCED_LEADER_EPOCH;
    if (epoch > leaderEpoch) return errors.UNKNOWN_LEADER_EPOCH;
    return role === 'leader' ? errors.NONE : codeOf('NOT_LEADER');
  }

  #isOurs(name: string, index: number): boolean {
    return name === this.#options.topic && index === 0;
  }

  #addresses(follower: ReplicaId, leaderEpoch: number) {
    return { follower, leader: this.#options.member.id, incarnation: 0, leaderEpoch };
  }

  #followerOf(request: AnyRequest): ReplicaId | null {
    if (request.api !== 'Fetch' && request.api !== 'OffsetForLeaderEpoch') return null;
    const { config, member, nodeIdOf } = this.#options;
    const { replicaId } = request.body;
    const nodeId = replicaId >= 0 ? replicaId : replicaIdOf(request.clientId);
    return config.replicas.find((id) => id !== member.id && nodeIdOf(id) === nodeId) ?? null;
  }
}

const LATEST = -1n;
const EARLIEST = -2n;

type FetchQuestion = RequestOf<'Fetch'>['topics'][number]['partitions'][number];
type EpochQuestion = RequestOf<'OffsetForLeaderEpoch'>['topics'][number]['partitions'][number];
type FetchDone = (partition: (asked: FetchQuestion) => FetchPartition) => void;

function ourPartition(topics: RequestOf<'Fetch'>['topics'], topic: string): FetchQuestion | null {
  return topics.find(({ name }) => name === topic)?.partitions.find(({ index }) => index === 0) ?? null;
}

const emptyPartition: FetchPartition = {
  ...{ index: 0, errorCode: errors.NONE, divergingEpoch: null, abortedTransactions: null, preferredReadReplica: -1 },
  ...{ highWatermark: -1n, lastStableOffset: -1n, logStartOffset: 0n, records: Buffer.alloc(0) },
};

function unknownPartition(): FetchPartition {
  return { ...emptyPartition, errorCode: errors.UNKNOWN_TOPIC_OR_PARTITION };
}

function offsetsAt(hw: number) {
  return { highWatermark: BigInt(hw), lastStableOffset: BigInt(hw) };
}
