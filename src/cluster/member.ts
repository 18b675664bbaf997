/**
 * One replica, as the broker that has it sees the world: its own state is real and on disk, of the others it knows what they
 * send. Every step is one of src/replica, taken in a world that has only what this replica may know; so the protocol stands
 * there alone.
 */
import type { BatchSource, Store } from '../disk/index.ts';
import {
  Cluster,
  type ClusterState,
  type Config,
  type EpochEndOffset,
  endOffsetFor,
  type FetchRequest,
  type FetchResponse,
  type LeaderAndIsr,
  type Message,
  NO_ONE,
  NO_PROPOSAL,
  type OffsetsForLeaderEpochRequest,
  type OffsetsForLeaderEpochResponse,
  type ReadResult,
  type ReplicaId,
  type ReplicaState,
  type Role,
  type Step,
  type StepResult,
} from '../replica/index.ts';

export interface Stored {
  readonly store: Store;
  readonly disk: ReplicaState['disk'];
}

/** `role`: in which the step left the replica. */
export type OnStep = (step: Step, result: StepResult, role: Role) => void;

const NO_BATCHES: BatchSource = () => {
  throw new TypeError('This step brings no batches');
};

export class Member {
  readonly id: ReplicaId;
  readonly store: Store;
  readonly #cluster: Cluster;
  readonly #onStep: OnStep;

  /** `incarnation`: which life of this replica it is; 0 only in a cluster that has never run, where nothing is on disk. */
  constructor(config: Config, id: ReplicaId, { disk, store }: Stored, incarnation: number, onStep: OnStep) {
    this.id = id;
    this.store = store;
    this.#cluster = new Cluster(config);
    this.#onStep = onStep;
    if (incarnation === 0) {
      store.write(this.replica.disk, NO_BATCHES);
      return;
    }
    const state = this.#cluster.observe();
    const memory = { ...state.replicas[id]!.memory, role: 'down' } as const;
    state.controller = { epoch: 0, leader: NO_ONE, isr: [] };
    this.#cluster.reset(state);
    this.#enter((now) => {
      now.replicas[id] = { incarnation: incarnation - 1, disk, memory: { ...memory, ...FORGOTTEN } };
    });
    this.#take({ action: 'Restart', args: [id] });
  }

  get replica(): ReplicaState {
    return this.#cluster.observe().replicas[this.id]!;
  }

  get isRunning(): boolean {
    const { role } = this.replica.memory;
    return role !== 'down' && role !== 'halted';
  }

  /** What the controller has decided. News that this replica has heard already, or that makes nobody leader, changes nothing. */
  hear(news: LeaderAndIsr): boolean {
    this.#enter((state) => {
      state.controller = news;
    });
    const action = news.leader === this.id ? 'BecomeLeader' : 'BecomeFollower';
    return this.tryStep({ action, args: [this.id, news.epoch] }) === null;
  }

  /** The records of one batch, which `place` puts where the log ends. Null: not now; a sentence would not help a producer. */
  write(ids: readonly number[], acks: '1' | 'all', batch: Uint8Array): { readonly endOffset: number } | null {
    const steps = ids.map((id) => ({ action: 'Write', args: [this.id, acks], id }) as const);
    const [first, last] = [steps[0], steps.at(-1)];
    if (first === undefined || last === undefined || this.#cluster.whyNot(first) !== null) return null;
    const results = [this.#cluster.step(first)];
    if (last !== first) results.push(...this.#writeBetween(ids.slice(1, -1), acks), this.#cluster.step(last));
    const { disk, memory } = this.replica;
    this.store.write(disk, () => [batch]);
    for (const [index, step] of steps.entries()) this.#onStep(step, results[index]!, memory.role);
    return { endOffset: disk.log.length };
  }

  /**
   * What steps would come to between the first one, which begins the epoch, and the last, which looks at the high watermark:
   * each of them would copy the whole log.
   */
  #writeBetween(ids: readonly number[], acks: '1' | 'all'): StepResult[] {
    const begin = this.replica.disk.log.length;
    this.#enter(({ replicas }) => {
      const { disk, memory } = replicas[this.id]!;
      disk.log = disk.log.concat(ids.map((id) => ({ id, epoch: memory.leaderEpoch })));
      if (acks === 'all') memory.pending = memory.pending.concat(ids.map((_, index) => begin + index));
    });
    return ids.map((id, index) => {
      const acknowledged = acks === '1' ? [{ offset: begin + index, id, acks }] : [];
      return { acknowledged, refused: [] };
    });
  }

  /** The next question to the leader; null while one is under way, or there is nothing to ask. */
  ask(): FetchRequest | OffsetsForLeaderEpochRequest | null {
    const { fetchState, role } = this.replica.memory;
    if (role !== 'follower' || (fetchState !== 'fetching' && fetchState !== 'truncating')) return null;
    const action = fetchState === 'fetching' ? 'SendFetch' : 'SendOffsetsForLeaderEpoch';
    if (this.tryStep({ action, args: [this.id] }) !== null) return null;
    return this.#underWay(this.id) as FetchRequest | OffsetsForLeaderEpochRequest;
  }

  /** Whether the question is still waited for. */
  isAsking(question: Message): boolean {
    return this.#underWay(this.id) === question;
  }

  get isAskingAnything(): boolean {
    return this.#underWay(this.id) !== undefined;
  }

  /** The answer to what is under way; `batches` hold the records of a fetch. */
  receive(answer: FetchResponse | OffsetsForLeaderEpochResponse, batches: readonly Uint8Array[]): void {
    this.#put(answer);
    const action = answer.type === 'FetchResponse' ? 'HandleFetchResponse' : 'HandleOffsetsForLeaderEpochResponse';
    this.#take({ action, args: [this.id] }, () => batches);
  }

  /** The connection is gone, and with it what was under way. */
  lose(): void {
    this.tryStep({ action: 'LoseMessage', args: [this.id] });
  }

  /** The answer to a follower's question. */
  answer(question: FetchRequest | OffsetsForLeaderEpochRequest): FetchResponse | OffsetsForLeaderEpochResponse {
    this.#put(question);
    const action = question.type === 'FetchRequest' ? 'HandleFetch' : 'HandleOffsetsForLeaderEpoch';
    this.#take({ action, args: [this.id, question.follower] });
    return this.#underWay(question.follower) as FetchResponse | OffsetsForLeaderEpochResponse;
  }

  /** The follower's connection is gone. */
  forget(follower: ReplicaId): void {
    this.#enter((state) => {
      state.network = state.network.filter((message) => message.follower !== follower);
    });
  }

  /** Why this step cannot be taken now, or null. */
  whyNot(step: Step): string | null {
    return this.#cluster.whyNot(step);
  }

  /** Takes a step that brings no records, if it is possible. Why not, or null. */
  tryStep(step: Step): string | null {
    const refusal = this.#cluster.whyNot(step);
    if (refusal === null) this.#take(step);
    return refusal;
  }

  /** The controller's answer to the ISR that was asked for is under way (KIP-497). */
  answerIsr(answer: 'confirmed' | 'refused'): void {
    this.#enter(({ replicas }) => {
      const { memory } = replicas[this.id]!;
      memory.isrProposal = { ...memory.isrProposal, answer };
    });
  }

  /** Where an epoch ends in this log, for a client that looks. */
  endOf(epoch: number): EpochEndOffset {
    const { disk } = this.replica;
    return endOffsetFor(this.#cluster.config.profileOf[this.id]!, disk.epochCache, disk.log.length, epoch);
  }

  /** The ISR: a leader's own, and for others what the controller has said last. */
  get isr(): readonly ReplicaId[] {
    const { controller, replicas } = this.#cluster.observe();
    const { isr, role } = replicas[this.id]!.memory;
    return role === 'leader' ? isr : controller.isr;
  }

  /** What a consumer is given. */
  read(offset: number): ReadResult {
    return this.#cluster.read(this.id, offset);
  }

  #underWay(follower: ReplicaId): Message | undefined {
    return this.#cluster.observe().network.find((message) => message.follower === follower);
  }

  #put(message: Message): void {
    this.#enter((state) => {
      state.network = [...state.network.filter(({ follower }) => follower !== message.follower), message];
    });
  }

  #enter(change: (state: ClusterState) => void): void {
    const state = this.#cluster.observe();
    change(state);
    this.#cluster.reset(state);
  }

  #take(step: Step, source: BatchSource = NO_BATCHES): StepResult {
    const result = this.#cluster.step(step);
    this.store.write(this.replica.disk, source);
    this.#onStep(step, result, this.replica.memory.role);
    return result;
  }
}

const FORGOTTEN = {
  leaderEpoch: 0,
  leader: NO_ONE,
  hw: 0,
  fetchState: 'idle',
  isr: [],
  epochStart: -1,
  isrProposal: NO_PROPOSAL,
  pending: [],
} as const;
