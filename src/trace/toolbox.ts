import { parse, TlaSyntaxError, type Value } from '../tla/index.ts';
import type { ActionTaken, State, Trace } from './trace.ts';
import { TraceError } from './traceError.ts';
import { variablesOf } from './variables.ts';

const ACTION = '_TEAction';
const NO_PLACE = 'Unknown location';
const SEQUENCE = /^\uFEFF?\s*<<\s*\[[\s\S]*\]\s*>>\s*$/;
/** A specification may print such a sequence, too. */
const OUTPUT_OF_TLC = /^(?:State \d+:|@!@!@|TLC2 Version )/m;

/** Whether a text can be what the Toolbox exports. */
export function isOfToolbox(text: string): boolean {
  return SEQUENCE.test(text) && !OUTPUT_OF_TLC.test(text);
}

/**
 * Reads what the Toolbox exports of an error trace: a sequence of states, each a record of the variables, with the step that led
 * to it in the field `_TEAction`, which may be missing (tlaplus `TLCError.toSequenceOfRecords`). Variables come in the order of
 * their names; how a behaviour goes on for ever is not told. Throws a TraceError.
 */
export function parseToolbox(text: string, { file }: { file?: string } = {}): Trace {
  const sequence = valueIn(text, file);
  if (sequence.kind !== 'tuple' || sequence.elements.length === 0) {
    throw wrong(file, 'a sequence of states', sequence.kind === 'tuple' ? 'none' : worded(sequence));
  }
  const states: State[] = [];
  const actions: (ActionTaken | null)[] = [];
  for (const [index, value] of sequence.elements.entries()) {
    if (value.kind !== 'record') throw wrong(file, `a record as state ${index + 1}`, worded(value));
    const variables = new Map(value.fields);
    variables.delete(ACTION);
    states.push(variables);
    actions.push(index === 0 ? null : actionOf(value.fields.get(ACTION)));
  }
  const vars = variablesOf(states);
  if ('found' in vars) throw wrong(file, vars.expected, vars.found);
  if (vars.length === 0) throw wrong(file, 'names of variables', 'none');
  return { vars, states, actions, meta: { source: 'the Toolbox' } };
}

function valueIn(text: string, file: string | undefined): Value {
  try {
    return parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    if (!(error instanceof TlaSyntaxError)) throw error;
    const { column, expected, line } = error;
    throw new TraceError({ file, line, column, expected, problem: error.message, advice: ADVICE });
  }
}

function actionOf(value: Value | undefined): ActionTaken | null {
  const [name, location] = ['name', 'location'].map((field) => textOf(value, field));
  if (name === undefined || name === '') return null;
  return { name, ...(location === undefined || location === NO_PLACE ? {} : { location }) };
}

function textOf(value: Value | undefined, field: string): string | undefined {
  const found = value?.kind === 'record' ? value.fields.get(field) : undefined;
  return found?.kind === 'string' ? found.value : undefined;
}

function worded({ kind }: Value): string {
  return kind === 'int' ? 'an integer' : `a ${kind}`;
}

const ADVICE = 'The Toolbox exports a trace as a sequence of states, each of them a record.';

function wrong(file: string | undefined, expected: string, found: string): TraceError {
  return new TraceError({ file, expected, found, advice: ADVICE });
}
