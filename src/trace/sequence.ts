import { diffStates, entriesOf, key, print, type Value } from '../tla/index.ts';
import { type ActionTaken, assertTrace, type State, type Trace } from './trace.ts';
import { TraceError } from './traceError.ts';
import { endText } from './words.ts';

/**
 * What a trace does not say of itself: which variable holds the messages on their way, and what their fields mean. Whatever is
 * left out is guessed from the usual names.
 */
export type SequenceMapping = {
  /** A variable that holds messages: a set, a sequence or a bag of records, or a function to such, as from `<<a, b>>`. */
  readonly messages?: string;
  /** The field that names who sends a message. */
  readonly sender?: string;
  readonly receiver?: string;
  /** The field that says what kind of message it is. */
  readonly label?: string;
  /** Messages whose label has this text go the other way, from `receiver` to `sender`: replies. */
  readonly reversed?: string;
};

export type SequenceMessage = {
  readonly from: string;
  readonly to: string;
  readonly label: string;
  /** States count from 1; the first one has what was under way at first. */
  readonly sentAt: number;
  /** The state in which it was not under way any more; null: it still was in the last one. */
  takenAt: number | null;
};

export type SequenceStep = {
  /** The state that it leads to, counted from 1. */
  readonly state: number;
  readonly action: string;
  /** Who takes the step; null when that cannot be told. */
  readonly by: string | null;
  readonly sent: readonly SequenceMessage[];
  readonly taken: readonly SequenceMessage[];
};

export type Sequence = {
  readonly participants: readonly string[];
  readonly steps: readonly SequenceStep[];
  readonly messages: readonly SequenceMessage[];
  /** No message ever leaves the variable: it is a record of what was sent, and tells of no arrival. */
  readonly keepsMessages: boolean;
  readonly end: string | null;
};

const SENDERS = ['from', 'src', 'source', 'sender', 'mfrom', 'msource', 'snd'];
const RECEIVERS = ['to', 'dst', 'dest', 'destination', 'receiver', 'mto', 'mdest', 'rcv'];
const LABELS = ['type', 'kind', 'tag', 'mtype', 'msg', 'name'];

/** Reads a trace as a sequence of messages and steps. Throws a TraceError when the mapping does not fit the trace. */
export function sequenceOf(trace: Trace, mapping: SequenceMapping = {}): Sequence {
  assertTrace(trace);
  const reader = new MessageReader(mapping);
  const variable = messageVariable(trace, mapping, reader);
  const messages: SequenceMessage[] = [];
  const underWay = new Map<string, SequenceMessage[]>();
  const moves = trace.states.map((state, index) => {
    const found = variable === null ? [] : reader.messages(state.get(variable)!);
    const counts = new Map<string, number>();
    const sent: SequenceMessage[] = [];
    for (const { id, ...message } of found) {
      const count = (counts.get(id) ?? 0) + 1;
      counts.set(id, count);
      const known = underWay.get(id) ?? [];
      if (count <= known.length) continue;
      const one = { ...message, sentAt: index + 1, takenAt: null };
      underWay.set(id, [...known, one]);
      sent.push(one);
    }
    for (const message of sent) messages.push(message);
    const taken: SequenceMessage[] = [];
    for (const [id, known] of underWay) {
      const gone = known.splice(0, known.length - (counts.get(id) ?? 0));
      for (const message of gone) message.takenAt = index + 1;
      for (const message of gone) taken.push(message);
      if (known.length === 0) underWay.delete(id);
    }
    return { sent, taken };
  });
  const participants = participantsOf(trace, messages);
  const steps = moves.slice(1).map((move, index): SequenceStep => {
    const action = trace.actions[index + 1]!;
    const by = whoSteps(trace, index + 1, new Set(participants), move);
    return { state: index + 2, action: stepText(action), by, ...move };
  });
  return {
    participants,
    steps,
    messages,
    keepsMessages: messages.every(({ takenAt }) => takenAt === null),
    end: endText(trace),
  };
}

type Found = Pick<SequenceMessage, 'from' | 'to' | 'label'> & { readonly id: string };

/** Finds messages inside a value. */
class MessageReader {
  readonly #mapping: SequenceMapping;

  constructor(mapping: SequenceMapping) {
    this.#mapping = mapping;
  }

  messages(value: Value): Found[] {
    const found: Found[] = [];
    this.#collect(found, value, [], 1);
    return found;
  }

  /** `ends`: the arguments on the way down, which name sender and receiver where the message does not. */
  #collect(found: Found[], value: Value, ends: readonly Value[], count: number): void {
    const message = value.kind === 'record' ? this.#message(value, ends) : null;
    if (message !== null) {
      for (let copy = 0; copy < count; copy++) found.push(message);
    } else if (value.kind === 'set' || value.kind === 'tuple') {
      for (const element of value.elements) this.#collect(found, element, ends, 1);
    } else {
      for (const [argument, result] of entriesOf(value) ?? []) {
        // A bag: how often each message is there.
        if (argument.kind === 'record' && result.kind === 'int')
          this.#collect(found, argument, ends, Math.min(Number(result.value), 1_000));
        else
          this.#collect(found, result, [...ends, ...(argument.kind === 'tuple' ? argument.elements : [argument])], 1);
      }
    }
  }

  #message(record: Extract<Value, { kind: 'record' }>, ends: readonly Value[]): Found | null {
    const { sender, receiver, label, reversed } = this.#mapping;
    const field = (given: string | undefined, usual: readonly string[]): Value | undefined =>
      (given === undefined ? usual : [given])
        .map((name) => record.fields.get(name))
        .find((value) => value !== undefined);
    const from = field(sender, SENDERS) ?? (ends.length === 2 ? ends[0] : undefined);
    const to = field(receiver, RECEIVERS) ?? (ends.length === 2 ? ends[1] : undefined);
    if (from === undefined || to === undefined) return null;
    const kind = field(label, LABELS);
    const text = kind === undefined ? 'message' : nameOf(kind);
    const turned = reversed !== undefined && reversed !== '' && text.includes(reversed);
    const [source, target] = turned ? [to, from] : [from, to];
    const id = `${ends.map(key).join('')}${key(record)}`;
    return { id, from: nameOf(source), to: nameOf(target), label: text };
  }
}

/** The one that is given, else the one that holds most messages; null when no variable holds any. */
function messageVariable({ vars, states }: Trace, { messages }: SequenceMapping, reader: MessageReader): string | null {
  const most = (name: string): number =>
    states.reduce((count, state) => Math.max(count, reader.messages(state.get(name)!).length), 0);
  if (messages === undefined) {
    const [best] = vars.map((name) => ({ name, count: most(name) })).sort((a, b) => b.count - a.count);
    return best !== undefined && best.count > 0 ? best.name : null;
  }
  if (!vars.includes(messages)) {
    const advice = 'Name the variable that holds the messages.';
    throw new TraceError({ expected: `one of the variables ${vars.join(', ')}`, found: messages, advice });
  }
  const isEmpty = states.every(
    (state) => (entriesOf(state.get(messages)!) ?? [0]).length === 0 || print(state.get(messages)!) === '{}',
  );
  if (most(messages) === 0 && !isEmpty) {
    const found = print(states.at(-1)!.get(messages)!).slice(0, 80);
    const advice = 'Name the fields of a message that say who sends it and who receives it.';
    throw new TraceError({ expected: `messages in the variable ${messages}`, found, advice });
  }
  return messages;
}

/** In the order in which they come up. Without messages: whoever a function of the state has entries for. */
function participantsOf({ states, actions }: Trace, messages: readonly SequenceMessage[]): string[] {
  const named = [...new Set(messages.flatMap(({ from, to }) => [from, to]))];
  if (named.length > 0) return named;
  const args = actions
    .flatMap((action) => action?.args ?? [])
    .filter(isIdentity)
    .map(nameOf);
  const domains = [...states[0]!.values()]
    .map((value) => (entriesOf(value) ?? []).map(([argument]) => argument))
    .filter((domain) => domain.length > 1 && domain.every((argument) => argument.kind === 'model'));
  const domain = (domains[0] ?? []).map(nameOf);
  const all = [...new Set([...domain, ...args])];
  return all.length > 0 ? all : ['specification'];
}

function isIdentity(value: Value): boolean {
  return value.kind === 'model' || value.kind === 'string';
}

/** By the action's arguments, by whose part of the state changes, or by the messages that move. */
function whoSteps(
  { states, actions }: Trace,
  index: number,
  participants: ReadonlySet<string>,
  { sent, taken }: Pick<SequenceStep, 'sent' | 'taken'>,
): string | null {
  const only = (names: readonly string[]): string | null => {
    const known = [...new Set(names.filter((name) => participants.has(name)))];
    return known.length === 1 ? known[0]! : null;
  };
  if (participants.size === 1) return [...participants][0]!;
  const argument = (actions[index]?.args ?? []).map(nameOf).find((name) => participants.has(name));
  return (
    argument ??
    only(changedParts(states[index - 1]!, states[index]!)) ??
    only(taken.map(({ to }) => to)) ??
    only(sent.map(({ from }) => from))
  );
}

/** The first arguments of the functions that change: `r1` of `log[r1][2]`. */
function changedParts(before: State, after: State): string[] {
  return diffStates(before, after).flatMap(({ path }) => /^\w+\[("?)(.*?)\1\]/.exec(path)?.[2] ?? []);
}

/** For people: `Write(r1, all)`. */
function stepText(action: ActionTaken | null): string {
  if (action === null) return 'a step';
  const args = [...(action.args ?? []), ...(action.picks?.values() ?? [])].map(nameOf);
  return args.length === 0 ? action.name : `${action.name}(${args.join(', ')})`;
}

/** A string without its quotes. */
function nameOf(value: Value): string {
  return value.kind === 'string' ? value.value : print(value);
}
