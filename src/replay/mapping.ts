import type { Observation } from '../systems/system.ts';
import type { Value } from '../tla/index.ts';
import type { State } from '../trace/index.ts';
import {
  type Codec,
  integer,
  oneOf,
  optional,
  perReplica,
  recordOf,
  sequenceOf,
  setOf,
  text,
  within,
} from './codec.ts';

const logRecord = recordOf({ id: integer, epoch: integer });
const entries = sequenceOf(recordOf({ epoch: integer, start: integer }));
const proposal = recordOf({ isr: setOf(text), joining: text, inIncarnation: integer, answer: text });
const election = recordOf({ epoch: integer, leader: text, isr: setOf(text) });

/** What a request carries whoever sends it; its reply repeats it. */
const request = { type: text, follower: text, leader: text, incarnation: integer, leaderEpoch: integer };
/** `knownHw` is never on the wire: only a rule that was not released asks for it. */
const fetchRequest = { ...request, offset: integer, lastFetchedEpoch: integer, knownHw: optional(integer, -1) };
const epochRequest = { ...request, asked: integer };

const message = oneOf({
  FetchRequest: recordOf(fetchRequest),
  FetchResponse: recordOf({
    ...fetchRequest,
    error: text,
    diverging: recordOf({ epoch: integer, endOffset: integer }),
    endOffset: integer,
    hw: integer,
    records: sequenceOf(logRecord),
  }),
  OffsetsForLeaderEpochRequest: recordOf(epochRequest),
  OffsetsForLeaderEpochResponse: recordOf({ ...epochRequest, error: text, epoch: integer, endOffset: integer }),
});

/**
 * The one table between both sides: a variable of spec/LeaderEpoch.tla, and the shape of the field of the same name that a
 * system shows. All of them are read from what the system itself works with.
 */
export const mapping: Readonly<Record<string, Codec>> = {
  log: perReplica(sequenceOf(logRecord)),
  flushed: perReplica(integer),
  epochCache: perReplica(entries),
  epochFile: perReplica(entries),
  checkpoint: perReplica(integer),
  role: perReplica(text),
  leaderEpoch: perReplica(integer),
  leader: perReplica(text),
  hw: perReplica(integer),
  fetchState: perReplica(text),
  incarnation: perReplica(integer),
  isr: perReplica(setOf(text)),
  remoteLeo: perReplica(perReplica(integer)),
  remoteHw: perReplica(perReplica(integer)),
  isrProposal: perReplica(proposal),
  epochStart: perReplica(integer),
  pending: perReplica(setOf(integer)),
  controller: election,
  oldNews: setOf(election),
  elr: setOf(text),
  network: setOf(message),
};

/** Ghosts and budgets: no system works with them. src/replay/observer.ts computes them from what a system shows. */
export const ghosts: Readonly<Record<string, Codec>> = {
  written: integer,
  acked: setOf(recordOf({ id: integer, acks: text })),
  committed: setOf(recordOf({ offset: integer, id: integer })),
  destroyed: setOf(integer),
  faults: recordOf({
    crashes: integer,
    powerLosses: integer,
    unclean: integer,
    offline: integer,
    lostMessages: integer,
  }),
};

/** Ghosts that only some models have (spec/Readers.tla). */
export const histories: Readonly<Record<string, Codec>> = {
  readable: setOf(recordOf({ offset: integer, id: integer, epoch: integer })),
};

const all: Readonly<Record<string, Codec>> = { ...mapping, ...ghosts, ...histories };

/** The specification's variables that an observation (with ghosts) shows. */
export function toState(observation: Observation): Map<string, Value> {
  return new Map(
    Object.entries(all).flatMap(([name, codec]) =>
      observation[name] === undefined ? [] : [[name, within(name, () => codec.toValue(observation[name]))] as const],
    ),
  );
}

/** The other way: what a system would show in this state. */
export function toObservation(state: State): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, codec]) => {
      const value = state.get(name);
      return value === undefined ? [] : [[name, within(name, () => codec.toPlain(value))]];
    }),
  );
}
