/**
 * What a counterexample can be replayed on: the implementation in memory, a process in any language, Kafka's own classes,
 * real brokers. Asynchronous, for most of them are far away.
 *
 * A system is told only what the world decides: faults, restarts, elections and who hears of them, client writes, ISR
 * changes, checkpoints and flushes, and which message is sent, handled or lost. Every truncation, high watermark, reply and
 * epoch entry it computes itself, and shows in what it lets be observed.
 */
export interface System {
  /** For people: `memory`, `kafka-classes@2.0.1`. */
  readonly name: string;
  /** Names of the observation's fields that this system can show; all others are reported as not observable. */
  readonly observable: ReadonlySet<string>;
  /** A fresh cluster: all replicas up, empty, following `firstLeader` in leader epoch 1. */
  reset(config: SystemConfig): Promise<void>;
  /** Takes one step; what went wrong in the world is data. */
  step(step: WorldStep): Promise<StepOutcome>;
  /** The fields it can show, as plain JSON, in the shape of `ClusterState` of src/replica. */
  observe(): Promise<Observation>;
  /**
   * Puts it into the state that shows these fields, all of the specification's. Absent: it can only be driven there.
   *
   * @throws CannotRestore
   */
  restore?(state: Observation): Promise<void>;
  /** Every step that it would take now, and perhaps more. Absent: it has to be tried. */
  enabled?(): Promise<readonly WorldStep[]>;
  /** Ends whatever was started; never throws, may be called twice. */
  close(): Promise<void>;
}

/** A system cannot be put into a state. It can be reset, and put into others. */
export class CannotRestore extends Error {
  override readonly name = 'CannotRestore';
}

export interface SystemConfig {
  readonly replicas: readonly string[];
  readonly firstLeader: string;
  /** Profile name per replica, as in spec/Profiles.tla. */
  readonly profileOf: Readonly<Record<string, string>>;
  /** min.insync.replicas */
  readonly minIsr: number;
  /** The high watermark reaches the disk only by CheckpointHighWatermark. */
  readonly lazyCheckpoint: boolean;
  readonly resumeSameEpoch: boolean;
  readonly oldNews: boolean;
  /** What a truncation leaves of the epoch cache reaches its file only by FlushEpochFile, or with the next entry; if not said, at once. */
  readonly lateEpochFile?: boolean;
  /** What a fetcher has under way outlives the news of another epoch; if not said, it does not. */
  readonly lateReplies?: boolean;
  /** The controller keeps eligible leader replicas (KIP-966); if not said, it does not. */
  readonly eligibleLeaders?: boolean;
}

/** An action of spec/LeaderEpoch.tla with its arguments, as in the tuples of MC.tla: `HandleFetch`, [leader, follower]. */
export interface WorldStep {
  readonly action: string;
  readonly args: readonly (string | number)[];
  /** For Write: the id that the client gives to its record. */
  readonly id?: number;
}

export type StepOutcome =
  | { readonly kind: 'taken'; readonly effects: readonly Effect[] }
  /** `never`: no fault of its rules; it can never be brought to take this step there when we want it. */
  | { readonly kind: 'refused'; readonly reason: string; readonly never?: boolean };

/** What a client was told in a step. */
export type Effect = { readonly kind: 'acknowledged'; readonly id: number; readonly acks: '1' | 'all' };

/**
 * Fields by the names of the spec's variables; per replica where the variable is, and null for a replica that does not show
 * it at this moment.
 */
export type Observation = Readonly<Record<string, unknown>>;
