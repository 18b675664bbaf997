import { isName, parse, print, printPretty, printString, type Value } from '../tla/index.ts';
import { assertTrace, type State, type Trace } from './trace.ts';
import { TraceError } from './traceError.ts';
import { actionText } from './words.ts';

export type TlaModule = {
  /** The text of `<name>.tla`. */
  readonly module: string;
  /** The text of `<name>.cfg`: with it TLC follows the trace to its end and prints it, as a violation of `TraceEnds`. */
  readonly config: string;
};

/** Sets that a standard module defines: known by their name alone, and no model values. */
const STANDARD = new Set(['Nat', 'Int', 'STRING', 'BOOLEAN']);

/**
 * Writes a trace as a TLA+ module that TLC evaluates: its states as a sequence of records, and a specification whose only
 * behaviour it is. The steps keep their names. A finite trace stops at its end; a lasso goes round for ever.
 */
export function printTlaModule(trace: Trace, name: string): TlaModule {
  assertTrace(trace);
  if (!isName(name)) throw refused('a name that TLA+ takes for a module', name, 'Give another name.');
  if (STANDARD_MODULES.has(name)) throw refused('a name that no standard module has', name, 'Give another name.');
  const models = modelValues(trace);
  const names = new Names([name, ...models]);
  const variables = new Map(trace.vars.map((variable) => [variable, names.fresh(variable)]));
  const [states, position, step, ends, spec, init, next, to] = [
    ...['TraceStates', 'tracePosition', 'TraceStep', 'TraceEnds', 'TraceSpec'],
    ...['TraceInit', 'TraceNext', 'to'],
  ].map((own) => names.fresh(own)) as [string, string, string, string, string, string, string, string];
  const { steps, definitions } = nextOf(trace, names, position, step);
  const all = [position, ...variables.values()];
  const last = trace.states.length;
  const goesOn = trace.loop !== undefined;
  const renamed = [...variables].filter(([before, after]) => before !== after);
  const module = [
    `---- MODULE ${name} ----`,
    ...notes(trace),
    ...renamed.map(([before, after]) => `\\* ${after} is the variable ${before.replace(/\s+/g, ' ')}.`),
    'EXTENDS Integers, Sequences, TLC',
    '',
    ...(models.length === 0 ? [] : [`CONSTANTS ${models.join(', ')}`, '']),
    `VARIABLES ${all.join(', ')}`,
    '',
    `${states} == <<`,
    trace.states.map((state) => stateText(state, variables)).join(',\n'),
    '>>',
    '',
    `${init} == ${position} = 1${[...variables.values()].map((variable) => ` /\\ ${variable} = ${states}[1].${variable}`).join('')}`,
    '',
    '\\* The step to the state at a position.',
    `${step}(${to}) == ${position}' = ${to}${[...variables.values()].map((variable) => ` /\\ ${variable}' = ${states}[${to}].${variable}`).join('')}`,
    '',
    ...definitions,
    `${next} == ${steps}`,
    '',
    `${spec} == ${init} /\\ [][${next}]_<<${all.join(', ')}>> /\\ WF_<<${all.join(', ')}>>(${next})`,
    '',
    goesOn ? '\\* Violated by the lasso: TLC prints it.' : '\\* Violated by the last state: TLC prints the trace.',
    goesOn ? `${ends} == <>(${position} = 0)` : `${ends} == ${position} # ${last}`,
    '====',
    '',
  ];
  const config = [
    ...models.map((model) => `CONSTANT ${model} = ${model}`),
    `SPECIFICATION ${spec}`,
    `${goesOn ? 'PROPERTY' : 'INVARIANT'} ${ends}`,
    'CHECK_DEADLOCK FALSE',
    '',
  ];
  return { module: module.join('\n'), config: config.join('\n') };
}

function notes({ meta }: Trace): string[] {
  const plain = Object.entries(meta).filter(([, note]) => typeof note === 'string' || typeof note === 'number');
  return plain.map(([key, note]) => `\\* ${key}: ${String(note)}`.replace(/[^\x20-\x7e]+/g, ' '));
}

/** An operator for each name of an action, that of the specification where it is free. */
function nextOf(
  { states, actions, loop, loopAction }: Trace,
  names: Names,
  position: string,
  step: string,
): { steps: string; definitions: string[] } {
  const steps = new Map<string, string[]>();
  const add = (from: number, to: number, action: Trace['actions'][number]): void => {
    const name = action?.name ?? 'TraceUnknown';
    const text = actionText(action);
    const comment = text === null || text === name ? '' : ` \\* ${text.replace(/\s+/g, ' ')}`;
    const alternatives = steps.get(name) ?? [];
    alternatives.push(`\\/ ${position} = ${from} /\\ ${step}(${to})${comment}`);
    steps.set(name, alternatives);
  };
  for (let index = 1; index < states.length; index++) add(index, index + 1, actions[index]!);
  const stutters = loop === states.length - 1 && loopAction === undefined;
  if (loop !== undefined && !stutters) add(states.length, loop + 1, loopAction ?? null);
  const definitions: string[] = [];
  const operators: string[] = [];
  for (const [name, alternatives] of steps) {
    const operator = names.fresh(name);
    operators.push(operator);
    definitions.push([`${operator} ==`, ...alternatives.map((alternative) => `  ${alternative}`), ''].join('\n'));
  }
  return { steps: operators.length === 0 ? 'FALSE' : operators.join(' \\/ '), definitions };
}

function stateText(state: State, variables: ReadonlyMap<string, string>): string {
  const fields = Array.from(variables, ([name, field]) => `    ${field} |-> ${checked(name, state.get(name)!)}`);
  return `  [\n${fields.join(',\n')}\n  ]`;
}

/** Names that are taken: whatever stands in the module must not clash, with the standard modules neither. */
class Names {
  readonly #taken: Set<string>;

  constructor(names: readonly string[]) {
    this.#taken = new Set([...names, ...STANDARD_OPERATORS]);
  }

  /** The name itself where it can be, else one like it. */
  fresh(name: string): string {
    const words = name.replace(/[^A-Za-z0-9_]+/g, '_');
    let candidate = isName(words) ? words : `v_${words}`;
    while (this.#taken.has(candidate)) candidate += '_';
    this.#taken.add(candidate);
    return candidate;
  }
}

/** What the module extends, and what they do. */
const STANDARD_MODULES: ReadonlySet<string> = new Set(['Integers', 'Naturals', 'Sequences', 'FiniteSets', 'TLC']);

/** What Integers, Sequences and TLC define (their own sources, tlaplus `StandardModules`). */
const STANDARD_OPERATORS = (
  'Nat Int Seq Len Append Head Tail SubSeq SelectSeq Print PrintT Assert JavaTime TLCGet TLCSet Permutations SortSeq ' +
  'RandomElement Any ToString TLCEval TLCCache TLCFP'
).split(' ');

/** In their order of appearance in canonical values: a stable module for a stable trace. */
function modelValues(trace: Trace): string[] {
  const found = new Set<string>();
  for (const state of trace.states)
    for (const value of state.values())
      for (const text of modelsIn(value)) for (const name of namesIn(text)) found.add(name);
  const clash = STANDARD_OPERATORS.find((name) => found.has(name));
  if (clash !== undefined) throw refused('model values that the standard modules leave free', clash, 'Rename it.');
  return [...found].sort();
}

function modelsIn(value: Value): string[] {
  switch (value.kind) {
    case 'model':
      return [value.name];
    case 'set':
    case 'tuple':
      return value.elements.flatMap(modelsIn);
    case 'record':
      return [...value.fields.values()].flatMap(modelsIn);
    case 'function':
      return value.entries.flatMap((entry) => entry.flatMap(modelsIn));
    default:
      return [];
  }
}

/** Of a model value itself; or of those in a set that TLC did not list (`SUBSET {a, b}`), without fields and operators. */
function namesIn(text: string): string[] {
  const words = withoutStrings(text).matchAll(/\\?[A-Za-z0-9_]+(?!\w|\s*(?:\|->|:(?!>)|\())/g);
  return [...words].map(([word]) => word).filter((word) => isName(word) && !STANDARD.has(word));
}

/** TLA+ text of a value, or an error where there is none. */
function checked(variable: string, value: Value): string {
  const text = printPretty(value, 110, 6);
  if (/<(?:expression|LAZY|Operator|Java Method:) /.test(withoutStrings(text)) || !modelsIn(value).every(isText))
    throw refused(
      'a value that TLA+ can write',
      `${variable} = ${print(value).slice(0, 60)}`,
      'TLC did not evaluate it.',
    );
  const letter = /[^\n\x20-\x7e\xa0-\xff]/.exec(text)?.[0];
  if (letter !== undefined)
    throw refused(
      'Latin letters, the only ones that TLC reads',
      printString(letter),
      `Look at the variable ${variable}.`,
    );
  const inName = /[^\n\x20-\x7e]/.exec(withoutStrings(text))?.[0];
  if (inName !== undefined)
    throw refused(
      'names in ASCII, the only ones that TLC reads',
      printString(inName),
      `Look at the variable ${variable}.`,
    );
  return text.replace(/"(?:[^"\\]|\\.)*"|-?\b\d+\b/g, (token) =>
    token.startsWith('"') ? token : integer(variable, token),
  );
}

/** That what is known of a value is TLA+ at all: ITF lets it be any text. */
function isText(model: string): boolean {
  if (isName(model)) return true;
  try {
    parse(model);
    return true;
  } catch {
    return false;
  }
}

/** TLC has 32 bits, and reads the least integer only as a difference. */
function integer(variable: string, digits: string): string {
  const value = BigInt(digits);
  if (value === -(2n ** 31n)) return '(-2147483647 - 1)';
  if (value >= -(2n ** 31n) && value < 2n ** 31n) return digits;
  throw refused('integers of 32 bits, all that TLC has', digits, `Look at the variable ${variable}.`);
}

function withoutStrings(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"/g, '""');
}

function refused(expected: string, found: string, advice: string): TraceError {
  return new TraceError({ expected, found, advice });
}
