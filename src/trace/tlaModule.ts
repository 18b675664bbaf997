import { isName, print, printPretty, printString, type Value } from '../tla/index.ts';
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
  const models = modelValues(trace);
  const names = new Names([name, ...models]);
  const variables = new Map(trace.vars.map((variable) => [variable, names.fresh(variable)]));
  const [states, position, step, ends, spec] = [
    'TraceStates',
    'tracePosition',
    'TraceStep',
    'TraceEnds',
    'TraceSpec',
  ].map((own) => names.fresh(own)) as [string, string, string, string, string];
  const { next, definitions } = nextOf(trace, names, position, step);
  const all = [position, ...variables.values()];
  const last = trace.states.length;
  const goesOn = trace.loop !== undefined;
  const renamed = [...variables].filter(([before, after]) => before !== after);
  const module = [
    `---- MODULE ${name} ----`,
    ...notes(trace),
    ...renamed.map(([before, after]) => `\\* ${after} is the variable ${before}.`),
    'EXTENDS Integers, Sequences, TLC',
    '',
    ...(models.length === 0 ? [] : [`CONSTANTS ${models.join(', ')}`, '']),
    `VARIABLES ${all.join(', ')}`,
    '',
    `${states} == <<`,
    trace.states.map((state) => stateText(state, variables)).join(',\n'),
    '>>',
    '',
    `TraceInit == ${position} = 1${[...variables.values()].map((variable) => ` /\\ ${variable} = ${states}[1].${variable}`).join('')}`,
    '',
    '\\* The step to the state at a position.',
    `${step}(to) == ${position}' = to${[...variables.values()].map((variable) => ` /\\ ${variable}' = ${states}[to].${variable}`).join('')}`,
    '',
    ...definitions,
    `TraceNext == ${next}`,
    '',
    `${spec} == TraceInit /\\ [][TraceNext]_<<${all.join(', ')}>> /\\ WF_<<${all.join(', ')}>>(TraceNext)`,
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
): { next: string; definitions: string[] } {
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
  return { next: operators.length === 0 ? 'FALSE' : operators.join(' \\/ '), definitions };
}

function stateText(state: State, variables: ReadonlyMap<string, string>): string {
  const fields = Array.from(variables, ([name, field]) => `    ${field} |-> ${checked(name, state.get(name)!)}`);
  return `  [\n${fields.join(',\n')}\n  ]`;
}

/** Names that are taken: whatever stands in the module must not clash, with the standard modules neither. */
class Names {
  readonly #taken: Set<string>;

  constructor(names: readonly string[]) {
    this.#taken = new Set([...names, ...STANDARD_OPERATORS, 'TraceInit', 'TraceNext', 'to']);
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

/** What Integers, Sequences and TLC define (their own sources, tlaplus `StandardModules`). */
const STANDARD_OPERATORS = (
  'Nat Int Seq Len Append Head Tail SubSeq SelectSeq Print PrintT Assert JavaTime TLCGet TLCSet Permutations SortSeq ' +
  'RandomElement Any ToString TLCEval TLCCache TLCFP'
).split(' ');

/** In their order of appearance in canonical values: a stable module for a stable trace. */
function modelValues(trace: Trace): string[] {
  const found = new Set<string>();
  const visit = (value: Value): void => {
    switch (value.kind) {
      case 'model':
        if (isName(value.name) && !STANDARD.has(value.name)) found.add(value.name);
        break;
      case 'set':
      case 'tuple':
        value.elements.forEach(visit);
        break;
      case 'record':
        value.fields.forEach(visit);
        break;
      case 'function':
        for (const [argument, result] of value.entries) {
          visit(argument);
          visit(result);
        }
    }
  };
  for (const state of trace.states) state.forEach(visit);
  return [...found].sort();
}

/** TLA+ text of a value, or an error where there is none. */
function checked(variable: string, value: Value): string {
  const text = printPretty(value, 110, 6);
  const unwritable = /<(?:expression|LAZY|Operator|Java Method:) /.exec(withoutStrings(text));
  if (unwritable !== null)
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
  return text.replace(/"(?:[^"\\]|\\.)*"|-?\b\d+\b/g, (token) =>
    token.startsWith('"') ? token : integer(variable, token),
  );
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
