import { ACTION, encodeAction, PICKS } from './itfAction.ts';
import { encodeValue } from './itfEncode.ts';
import { type ActionTaken, assertTrace, type State, type Trace } from './trace.ts';

/** Writes a trace in ITF, a line for each variable of each state: recorded traces are read and compared by people. */
export function printItf(trace: Trace): string {
  assertTrace(trace);
  const { vars, states, actions, loop, constants } = trace;
  const hasActions = actions.some((action) => action !== null);
  const stateTexts = states.map((state, index) => {
    const action = actions[index]!;
    return block(2, [
      ['#meta', { index, location: action?.location }],
      ...(index === 0 && constants !== undefined ? encodeState([...constants.keys()], constants) : []),
      ...encodeState(vars, state),
      ...(hasActions ? encodeAction(action, index) : []),
    ]);
  });
  const parts = [
    `"#meta": ${block(1, head(trace))}`,
    ...(constants !== undefined && constants.size > 0 ? [`"params": ${json([...constants.keys()])}`] : []),
    `"vars": ${json(hasActions ? [...vars, ACTION, PICKS] : vars)}`,
    ...(loop !== undefined ? [`"loop": ${loop}`] : []),
    `"states": [\n    ${stateTexts.join(',\n    ')}\n  ]`,
  ];
  return `{\n  ${parts.join(',\n  ')}\n}\n`;
}

/** The description goes first: it is there for the reader of the file. */
function head({ meta, loopAction }: Trace): [string, unknown][] {
  const { description, ...notes } = meta;
  return [
    ['format', 'ITF'],
    ['format-description', 'https://apalache-mc.org/docs/adr/015adr-trace.html'],
    ['description', description],
    ...Object.entries(notes),
    ['loopAction', loopAction === undefined ? undefined : encodeLoopAction(loopAction)],
  ];
}

/** ITF has no place for the step that closes a loop: it goes into our own part of `#meta`, in the form of a state's. */
function encodeLoopAction(action: ActionTaken): Record<string, unknown> {
  return { ...Object.fromEntries(encodeAction(action, 1)), location: action.location };
}

/** In the order of `vars`, not in TLC's, which depends on hashes: so a trace that is recorded anew differs where it does. */
function encodeState(names: readonly string[], state: State): [string, unknown][] {
  return names.map((name) => [name, encodeValue(state.get(name)!)]);
}

/** An object with a line for each key. */
function block(level: number, entries: readonly (readonly [string, unknown])[]): string {
  const indent = '  '.repeat(level);
  const lines = entries
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `\n${indent}  ${JSON.stringify(name)}: ${json(value)}`);
  return `{${lines.join(',')}\n${indent}}`;
}

/** As JSON.stringify, and a Map as an object, a bigint as digits; a number as large as a bigint has an exponent. */
function json(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) return (value as number).toExponential();
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const parts: string[] = [];
  if (Array.isArray(value)) {
    for (const item of value) parts.push(json(item));
    return `[${parts.join(',')}]`;
  }
  for (const [name, item] of value instanceof Map ? value : Object.entries(value)) {
    if (item !== undefined) parts.push(`${JSON.stringify(name)}:${json(item)}`);
  }
  return `{${parts.join(',')}}`;
}
