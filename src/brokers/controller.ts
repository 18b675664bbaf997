import type { Broker } from './broker.ts';
import type { ParkedRequest } from './gate.ts';

/** What the controller decided; brokers go by their numbers, -1 is nobody. Equal to the specification's. */
export interface Election {
  readonly epoch: number;
  readonly leader: number;
  readonly isr: readonly number[];
}

/** The one partition: number 0 of a topic, with a replica on every broker. */
export interface Topic {
  readonly name: string;
  readonly replicas: readonly number[];
  readonly minIsr: number;
}

/**
 * Who plays the controller for real brokers: through ZooKeeper and LeaderAndIsr, or as a puppet KRaft quorum. It carries
 * decisions out; which ones, `brokerSystem` says, as the world of the specification.
 */
export interface Controller {
  /** Whatever must run before a broker can start. */
  start(): Promise<void>;
  /** Settings that a broker needs to find it. */
  settings(broker: number): Readonly<Record<string, string>>;
  /** The process is up, or up again: resolves when it can be told of elections. */
  joined(broker: Broker): Promise<void>;
  /** The process has been killed. */
  left(broker: Pick<Broker, 'number'>): Promise<void>;
  /** A new partition. Nobody is told of a leader yet. */
  create(topic: Topic, first: Election): Promise<void>;
  /** The controller has decided, and nobody has heard yet. */
  decide(topic: Topic, election: Election): Promise<void>;
  /** Takes a partition from the brokers that have it. */
  remove(topic: Topic, brokers: readonly Broker[]): Promise<void>;
  /**
   * Tells one broker of an election. Resolves, once the broker has acted upon it, to null, or to why it did not want it.
   * `portOf`: where it should take each of the others to listen, for the gate to stand between.
   */
  tell(broker: Broker, topic: Topic, election: Election, portOf: (other: number) => number): Promise<string | null>;
  /**
   * Lets this one change of the ISR through while `attempt` runs, and until the leader has acted upon it; never else.
   * @returns the ISR afterwards
   */
  changeIsr(change: IsrChange, attempt: () => Promise<void>): Promise<readonly number[]>;
  close(): Promise<void>;
}

export interface IsrChange {
  readonly topic: Topic;
  /** The newest, with the ISR as it is. */
  readonly election: Election;
  readonly leader: Broker;
  /** As it shall be. */
  readonly isr: readonly number[];
  /** The leader tries it by a timer of its own, and is waited for, as long as it can take. */
  readonly byTimer: boolean;
}

/** Room for so many changes of the ISR between two elections. */
const CHANGES_IN_AN_EPOCH = 1000;

/** It must grow with each election and each change of the ISR, in whatever order brokers hear of them. */
export function partitionEpochOf(leaderEpoch: number, isrChanges: number): number {
  return leaderEpoch * CHANGES_IN_AN_EPOCH + isrChanges;
}

export function sameMembers(some: readonly number[], others: readonly number[]): boolean {
  return some.length === others.length && some.every((member) => others.includes(member));
}

/** What the wire says, release by release: the codec of gated messages, and what a client asks a broker. */
export interface Dialect {
  /** Null: not a message that the specification knows. */
  request(parked: ParkedRequest, partition: Topic): GatedRequest | null;
  reply(parked: ParkedRequest, partition: Topic): GatedReply;
}

export interface GatedRequest {
  readonly type: 'FetchRequest' | 'OffsetsForLeaderEpochRequest';
  /** Fetch offset, or the epoch asked for. */
  readonly number: number;
  /** Null where this version does not carry it. */
  readonly leaderEpoch: number | null;
  /** -1 where this version does not carry it. */
  readonly lastFetchedEpoch: number;
}

export interface GatedReply {
  /** `none`, `NOT_LEADER`, or Kafka's name. */
  readonly error: string;
  /** Where an epoch ends, or where a Fetch diverges; -1 and -1 if nowhere. */
  readonly epochEnd: { readonly epoch: number; readonly endOffset: number };
  readonly hw: number;
  readonly records: readonly { readonly id: number; readonly epoch: number }[];
}
