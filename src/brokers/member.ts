import type { Broker } from './broker.ts';
import type { Election, GatedReply, GatedRequest } from './controller.ts';
import type { Gate, ParkedRequest } from './gate.ts';

/** A replica of the specification with its broker, up or down, and what the world knows of it. */
export interface Member {
  readonly name: string;
  readonly number: number;
  readonly port: number;
  readonly folder: string;
  readonly logFolder: string;
  /** By the number of the leader at the other end. */
  readonly gates: ReadonlyMap<number, Gate>;
  /** Null while it is down. */
  broker: Broker | null;
  /** It has ended of its own accord. */
  halted: boolean;
  incarnation: number;
  /** How many records are known to be safe with the disk. */
  flushed: number;
  /** What of the high watermark is on disk where it gets there by a step of its own; null: it follows at once. */
  checkpointed: number | null;
  /** The newest election that it has acknowledged; null: none since it was started. */
  heard: Election | null;
  /** As a leader was told it, and has changed it since. */
  isr: readonly number[];
  underWay: UnderWay | null;
  /** The last Fetch of it that its leader has handled, and when; null: none, or from another. */
  handled: Handled | null;
  waiting: Waiting[];
}

/** A message that the specification knows of. What its fetcher asks before SendFetch says so is only parked. */
export interface UnderWay {
  readonly parked: ParkedRequest;
  readonly leader: number;
  readonly leaderEpoch: number;
  readonly request: GatedRequest;
  reply: GatedReply | null;
  /** The leader's log end when it answered; no reply carries it. */
  endOffset: number;
}

export interface Handled {
  readonly leader: number;
  readonly leaderEpoch: number;
  readonly offset: number;
  readonly request: Buffer;
  atMs: number;
}

/** A producer that has not been answered. */
export interface Waiting {
  readonly id: number;
  readonly acks: '1' | 'all';
  /** Kafka's error name, `none`, or `lost` with the connection. */
  answer: string | null;
  readonly answered: Promise<unknown>;
}

export function isAlive(member: Member): member is Member & { broker: Broker } {
  return member.broker !== null && !member.halted;
}
