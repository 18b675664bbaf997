/** What a broker has around it: a clock, others to talk to, a controller. Real ones, or simulated ones. */
import type { ReplicaId } from '../replica/index.ts';
import type { Proposal } from './controller.ts';

/** One end of a connection. Frames arrive in order, until it is closed by either end; then nothing that was under way arrives. */
export interface Link {
  send(frame: Uint8Array): void;
  /** `why`: for the log, where the other end has done what it should not. */
  close(why?: string): void;
  /** All that has arrived is answered: more may come. */
  ready?(): void;
  /** Somebody is there at the other end; `opened` tells when. Absent: from the beginning. */
  readonly isOpen?: boolean;
}

export interface LinkEvents {
  /** Without its length. */
  frame(frame: Uint8Array): void;
  closed(): void;
  opened?(): void;
}

export interface Host {
  /** Calls once, after so long; the result cancels. */
  after(ms: number, call: () => void): () => void;
  /** Null: there is nobody. A link may still turn out to be closed. */
  connect(peer: ReplicaId, events: LinkEvents): Link | null;
  /** Asks the controller, which compares and sets. */
  alterIsr(proposal: Proposal, done: (accepted: boolean) => void): void;
  /** Where clients find the brokers. */
  brokers(): readonly { readonly nodeId: number; readonly host: string; readonly port: number }[];
}

export interface Timing {
  /** replica.fetch.wait.max.ms */
  readonly fetchWaitMs: number;
  /** replica.fetch.backoff.ms */
  readonly backoffMs: number;
  /** replica.lag.time.max.ms */
  readonly lagMs: number;
  /** replica.high.watermark.checkpoint.interval.ms */
  readonly checkpointMs: number;
  /** log.flush.interval.ms */
  readonly flushMs: number;
  /** How long a follower waits for an answer. */
  readonly requestMs: number;
}

export const usualTiming: Timing = {
  fetchWaitMs: 500,
  backoffMs: 200,
  lagMs: 10_000,
  checkpointMs: 5_000,
  flushMs: 1_000,
  requestMs: 5_000,
};
