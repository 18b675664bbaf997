/** What a broker's process is told, and what it tells: plain JSON over the channel that Node gives a child. */
import type { Config, LeaderAndIsr, ReplicaId, ReplicaState, Role, Step, StepResult } from '../../replica/index.ts';
import type { Proposal } from '../controller.ts';
import type { Timing } from '../host.ts';
import type { Address } from '../tcp.ts';

export interface Birth {
  readonly config: Config;
  readonly id: ReplicaId;
  readonly topic: string;
  /** Its `log.dir`. */
  readonly folder: string;
  readonly segmentBytes: number;
  readonly sync: boolean;
  readonly address: Address;
  readonly timing: Timing;
  readonly isDriven: boolean;
  /** What names a record: the number that is its value, or a hash of its batch. */
  readonly identify: 'value' | 'content';
  /** 0 in a cluster that has never run. */
  readonly incarnation: number;
  /** So much is durable, whatever the recovery point says: a loss of power was played. */
  readonly survived: number;
}

export type Peers = readonly {
  readonly id: ReplicaId;
  readonly nodeId: number;
  readonly host: string;
  readonly port: number;
}[];

export type Order =
  | { readonly kind: 'begin'; readonly birth: Birth }
  /** Where the others are: for itself, and for clients. */
  | { readonly kind: 'meet'; readonly peers: Peers }
  | { readonly kind: 'hear'; readonly news: LeaderAndIsr }
  | { readonly kind: 'take'; readonly step: Step }
  | { readonly kind: 'changeIsr'; readonly action: 'ExpandIsr' | 'ShrinkIsr'; readonly follower: ReplicaId }
  | { readonly kind: 'answerIsr'; readonly answer: 'confirmed' | 'refused' }
  /** Asks its leader the next question. */
  | { readonly kind: 'ask' }
  | { readonly kind: 'observe' }
  /** All is flushed, and the process ends. */
  | { readonly kind: 'shutDown' };

export type Outcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'listening'; readonly port: number }
  /** `isAsking`: its fetcher waits for an answer. */
  | { readonly kind: 'seen'; readonly replica: ReplicaState; readonly isAsking: boolean }
  /** It cannot do that: in words. */
  | { readonly kind: 'refused'; readonly reason: string };

/** To the child. */
export type Down =
  | { readonly kind: 'order'; readonly number: number; readonly order: Order }
  | { readonly kind: 'isrAnswer'; readonly number: number; readonly accepted: boolean };

/** From the child. What it has done comes before the outcome of the order that made it do so. */
export type Up =
  | { readonly kind: 'outcome'; readonly number: number; readonly outcome: Outcome }
  /** `atNs`: by a clock that all processes of this machine share. */
  | {
      readonly kind: 'step';
      readonly step: Step;
      readonly result: StepResult;
      readonly role: Role;
      readonly atNs: string;
    }
  | { readonly kind: 'alterIsr'; readonly number: number; readonly proposal: Proposal }
  /** A connection was closed, whose and why: for the log. */
  | { readonly kind: 'shownOut'; readonly what: string };
