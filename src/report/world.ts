import { apply, entriesOf, print, str, type Value } from '../tla/index.ts';
import type { State } from '../trace/index.ts';

/** A state of spec/LeaderEpoch.tla as plain data, under the specification's own names. */
export interface World {
  readonly replicas: readonly Replica[];
  readonly controller: Election;
  readonly network: readonly Message[];
  readonly acked: readonly { readonly id: number; readonly acks: string }[];
  readonly committed: readonly { readonly offset: number; readonly id: number }[];
  readonly destroyed: readonly number[];
  readonly uncleanElections: number;
  readonly elr: readonly string[];
  /** What a consumer of a leader could ever have read, in a trace that remembers it. */
  readonly readable: readonly { readonly offset: number; readonly id: number }[];
}

/** An ISR that a leader has asked the controller for; empty if it has not. */
export interface IsrProposal {
  readonly isr: readonly string[];
  readonly joining: string;
  /** `none`, `confirmed` or `refused`. */
  readonly answer: string;
}

export interface Replica {
  readonly name: string;
  readonly log: readonly LogRecord[];
  readonly flushed: number;
  readonly epochCache: readonly CacheEntry[];
  readonly epochFile: readonly CacheEntry[];
  readonly checkpoint: number;
  /** `down`, `halted`, `starting`, `follower` or `leader`. */
  readonly role: string;
  readonly leaderEpoch: number;
  readonly leader: string;
  readonly hw: number;
  readonly fetchState: string;
  readonly isr: readonly string[];
  readonly remoteLeo: ReadonlyMap<string, number>;
  /** The high watermarks that followers told it; empty or -1 where the rule does not ask. */
  readonly remoteHw: ReadonlyMap<string, number>;
  readonly epochStart: number;
  readonly isrProposal: IsrProposal;
  readonly pending: readonly number[];
}

export interface LogRecord {
  readonly id: number;
  readonly epoch: number;
}

export interface CacheEntry {
  readonly epoch: number;
  readonly start: number;
}

export interface Election {
  readonly epoch: number;
  readonly leader: string;
  readonly isr: readonly string[];
}

/** Any message: a field that its kind does not have is -1, "" or empty. */
export interface Message {
  readonly type: string;
  readonly follower: string;
  readonly leader: string;
  readonly leaderEpoch: number;
  readonly offset: number;
  readonly asked: number;
  readonly error: string;
  /** The epoch that the follower's log ends with, where truncation is inside Fetch. */
  readonly lastFetchedEpoch: number;
  /** The follower's own high watermark, where the rule asks for it. */
  readonly knownHw: number;
  /** Where the leader's log parts from the follower's, if it does. */
  readonly diverging: { readonly epoch: number; readonly endOffset: number } | null;
  readonly epoch: number;
  readonly endOffset: number;
  readonly hw: number;
  readonly records: readonly LogRecord[];
}

/** In place of an epoch or an offset that there is not; in place of a leader. */
export const UNDEFINED = -1;
export const NO_ONE = 'none';

/** A trace that cannot be told: of another specification, or damaged. A message for people. */
export class StoryError extends Error {
  override readonly name = 'StoryError';
}

/** Throws a StoryError for a state of another specification. */
export function readWorld(state: State): World {
  const variable = (name: string): Value => state.get(name) ?? misfit(`the variable "${name}"`);
  const names = (entriesOf(variable('log')) ?? misfit('log by replica')).map(([replica]) => text(replica));
  const replica = (name: string): Replica => {
    const of = (what: string): Value => apply(variable(what), str(name)) ?? misfit(`${what}["${name}"]`);
    const proposal = state.has('isrProposal') ? of('isrProposal') : null;
    return {
      name,
      log: list(of('log')).map(readRecord),
      flushed: number(of('flushed')),
      epochCache: list(of('epochCache')).map(readEntry),
      epochFile: list(of(state.has('epochFile') ? 'epochFile' : 'epochCache')).map(readEntry),
      checkpoint: number(of('checkpoint')),
      role: text(of('role')),
      leaderEpoch: number(of('leaderEpoch')),
      leader: text(of('leader')),
      hw: number(of('hw')),
      fetchState: text(of('fetchState')),
      isr: list(of('isr')).map(text),
      remoteLeo: offsets(of('remoteLeo')),
      remoteHw: state.has('remoteHw') ? offsets(of('remoteHw')) : new Map(),
      epochStart: number(of('epochStart')),
      isrProposal: proposal === null ? NO_PROPOSAL : readProposal(proposal),
      pending: list(of('pending')).map(number),
    };
  };
  const controller = variable('controller');
  return {
    replicas: names.map(replica),
    controller: {
      epoch: number(field(controller, 'epoch')),
      leader: text(field(controller, 'leader')),
      isr: list(field(controller, 'isr')).map(text),
    },
    network: list(variable('network')).map(readMessage),
    acked: list(variable('acked')).map((a) => ({ id: number(field(a, 'id')), acks: text(field(a, 'acks')) })),
    committed: list(variable('committed')).map(readPlaced).sort(byOffset),
    destroyed: list(variable('destroyed')).map(number),
    uncleanElections: number(field(variable('faults'), 'unclean')),
    elr: list(state.get('elr') ?? NOTHING).map(text),
    readable: list(state.get('readable') ?? NOTHING)
      .map(readPlaced)
      .sort(byOffset),
  };
}

/** Traces from before these variables were there have none of them. */
const NO_PROPOSAL: IsrProposal = { isr: [], joining: NO_ONE, answer: 'none' };
const NOTHING: Value = { kind: 'set', elements: [] };

function readProposal(value: Value): IsrProposal {
  return {
    isr: list(field(value, 'isr')).map(text),
    joining: text(field(value, 'joining')),
    answer: text(field(value, 'answer')),
  };
}

function offsets(value: Value): ReadonlyMap<string, number> {
  return new Map((entriesOf(value) ?? []).map(([follower, offset]) => [text(follower), number(offset)]));
}

function readEntry(value: Value): CacheEntry {
  return { epoch: number(field(value, 'epoch')), start: number(field(value, 'start')) };
}

interface Placed {
  readonly offset: number;
  readonly id: number;
}

function readPlaced(value: Value): Placed {
  return { offset: number(field(value, 'offset')), id: number(field(value, 'id')) };
}

function byOffset(a: Placed, b: Placed): number {
  return a.offset - b.offset || a.id - b.id;
}

function readRecord(value: Value): LogRecord {
  return { id: number(field(value, 'id')), epoch: number(field(value, 'epoch')) };
}

function readMessage(value: Value): Message {
  const maybe = <T>(name: string, read: (value: Value) => T, absent: T): T => {
    const found = apply(value, str(name));
    return found === undefined ? absent : read(found);
  };
  return {
    type: text(field(value, 'type')),
    follower: text(field(value, 'follower')),
    leader: text(field(value, 'leader')),
    leaderEpoch: number(field(value, 'leaderEpoch')),
    offset: maybe('offset', number, UNDEFINED),
    asked: maybe('asked', number, UNDEFINED),
    error: maybe('error', text, ''),
    lastFetchedEpoch: maybe('lastFetchedEpoch', number, UNDEFINED),
    knownHw: maybe('knownHw', number, UNDEFINED),
    diverging: maybe('diverging', readDiverging, null),
    epoch: maybe('epoch', number, UNDEFINED),
    endOffset: maybe('endOffset', number, UNDEFINED),
    hw: maybe('hw', number, UNDEFINED),
    records: maybe('records', (records) => list(records).map(readRecord), []),
  };
}

function readDiverging(value: Value): Message['diverging'] {
  const [epoch, endOffset] = [number(field(value, 'epoch')), number(field(value, 'endOffset'))];
  return epoch === UNDEFINED && endOffset === UNDEFINED ? null : { epoch, endOffset };
}

function field(value: Value, name: string): Value {
  return apply(value, str(name)) ?? misfit(`a record with "${name}"`, value);
}

function number(value: Value): number {
  return value.kind === 'int' ? Number(value.value) : misfit('a number', value);
}

function text(value: Value): string {
  if (value.kind === 'model') return value.name;
  return value.kind === 'string' ? value.value : misfit('a string', value);
}

function list(value: Value): readonly Value[] {
  return value.kind === 'tuple' || value.kind === 'set' ? value.elements : misfit('a sequence or a set', value);
}

function misfit(expected: string, value?: Value): never {
  const found = value === undefined ? 'nothing' : print(value);
  throw new StoryError(`not a state of spec/LeaderEpoch.tla: expected ${expected}, found ${found}`);
}
