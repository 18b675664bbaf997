import { bool, diffStates, int, MAX_DEPTH, record, str, tuple, type Value } from '../tla/index.ts';
import { type Json, type JsonObject, readJson } from './json.ts';
import { describe, fail, inside, type Place } from './place.ts';
import type { ActionTaken, State, Trace } from './trace.ts';
import { TLC_JSON } from './traceError.ts';
import { variablesOf } from './variables.ts';

/** What JSON cannot tell, for whoever reads such a trace; in its `meta.lost`. */
export const LOST_IN_JSON =
  'A set reads as a sequence, a model value as a string, and a function as a record with its arguments as text.';

/**
 * Reads what `-dumpTrace json` of a later TLC writes (tlaplus `_JsonTrace.tla`, `CounterExample.java`). Three shapes: a list of
 * states; the states and steps as a graph, `{"state":[[1,{…}],…],"action":[[[1,{…}],{"name":…},[2,{…}]],…]}`; and that under
 * "counterexample", beside "vars".
 *
 * The states of the steps count as well, for a dump may lack the last one (tlaplus#757); a step that goes back, or nowhere,
 * closes a lasso (tlaplus#1285). Use the output of TLC itself where there is one: this format loses what values are.
 */
export function parseTlcJson(text: string, { file }: { file?: string } = {}): Trace {
  return tlcTrace(readJson(text, TLC_JSON, file), file);
}

export function tlcTrace(json: Json, file: string | undefined): Trace {
  const place: Place = { format: TLC_JSON, file, path: [] };
  if (Array.isArray(json))
    return traceOf(
      json.map((state, index) => [index + 1, state]),
      [],
      place,
    );
  const root = object(json, place);
  const inner = root.get('counterexample');
  if (inner === undefined) return graph(root, place);
  const trace = inside(place, 'counterexample', () => graph(object(inner, place), place));
  return inOrder(trace, root.get('vars'));
}

/** With the variables in the order in which the specification declares them, where the dump has it. */
function inOrder(trace: Trace, declared: Json | undefined): Trace {
  const names = Array.isArray(declared) ? declared : [];
  const known = names.filter((name): name is string => typeof name === 'string' && trace.vars.includes(name));
  return { ...trace, vars: [...new Set([...known, ...trace.vars])] };
}

type Numbered = readonly [number: number, state: Json];
type Step = { readonly from: Numbered; readonly to: Numbered; readonly action: ActionTaken | null };

function graph(json: JsonObject, place: Place): Trace {
  const read = <T>(name: string, item: (json: Json) => T): T[] =>
    inside(place, name, () => {
      const items = json.get(name);
      return list(items, place).map((each, index) => inside(place, index, () => item(each)));
    });
  const states = read('state', (each) => numbered(each, place));
  const steps = json.has('action') ? read('action', (each) => stepOf(each, place)) : [];
  return traceOf(states, steps, place);
}

function stepOf(json: Json, place: Place): Step {
  const parts = list(json, place);
  if (parts.length !== 3) fail(place, { ...expected('[state, action, state]'), found: describe(json) });
  const [from, action, to] = parts as [Json, Json, Json];
  return {
    from: inside(place, 0, () => numbered(from, place)),
    action: inside(place, 1, () => actionOf(object(action, place), place)),
    to: inside(place, 2, () => numbered(to, place)),
  };
}

function numbered(json: Json, place: Place): Numbered {
  const [number, state, ...more] = list(json, place);
  if (typeof number !== 'bigint' || number < 1n || state === undefined || more.length > 0)
    fail(place, { ...expected('[number of the state, its variables]'), found: describe(json) });
  return [Number(number as bigint), state as Json];
}

function traceOf(own: readonly Numbered[], steps: readonly Step[], place: Place): Trace {
  const known = new Map<number, State>();
  for (const [number, json] of [...own, ...steps.flatMap(({ from, to }) => [from, to])]) {
    const state = inside(place, `state ${number}`, () => stateOf(object(json, place), place));
    const [difference] = diffStates(known.get(number) ?? state, state);
    if (difference !== undefined)
      fail(place, { ...expected(`state ${number} to be the same each time`), found: `another ${difference.path}` });
    known.set(number, state);
  }
  if (known.size === 0) fail(place, { ...expected('at least one state'), found: 'none' });
  const states: State[] = [];
  for (let number = 1; number <= known.size; number++) {
    const state = known.get(number);
    if (state === undefined) fail(place, { ...expected(`the states 1 to ${known.size}`), found: `no state ${number}` });
    states.push(state as State);
  }
  const vars = variablesOf(states);
  if ('found' in vars) fail(place, { ...expected(vars.expected), found: vars.found });
  const actions: (ActionTaken | null)[] = states.map(() => null);
  let closing: Step | undefined;
  for (const step of steps) {
    if (step.to[0] > step.from[0]) actions[step.to[0] - 1] = step.action;
    else closing = step;
  }
  const loop = closing === undefined ? undefined : closing.to[0] - 1;
  // A step to the state itself is stuttering, which no action takes.
  const loopAction = closing !== undefined && closing.from[0] !== closing.to[0] ? closing.action : null;
  actions[0] = null;
  return {
    vars,
    states,
    actions,
    ...(loop === undefined ? {} : { loop }),
    ...(loopAction === null ? {} : { loopAction }),
    meta: { source: 'TLC, -dumpTrace json', lost: LOST_IN_JSON },
  };
}

/** `{"name":"A","location":{…},"context":{"x":1},"parameters":["x"]}`; without a context, no arguments are known. */
function actionOf(json: JsonObject, place: Place): ActionTaken | null {
  const name = json.get('name');
  if (typeof name !== 'string' || name === '') return null;
  const location = locationText(json.get('location'));
  const context = json.get('context');
  const parameters = json.get('parameters');
  const withPlace = { name, ...(location === null ? {} : { location }) };
  if (!(context instanceof Map) || !Array.isArray(parameters)) return withPlace;
  const args = parameters.flatMap((parameter) => {
    const value = typeof parameter === 'string' ? context.get(parameter) : undefined;
    return value === undefined ? [] : [inside(place, 'context', () => plainValue(value, place, 0))];
  });
  return args.length === parameters.length ? { ...withPlace, args } : withPlace;
}

/** As TLC words it elsewhere. */
function locationText(json: Json | undefined): string | null {
  if (!(json instanceof Map)) return null;
  const part = (name: string): Json | undefined => json.get(name);
  const [line, column, endLine, endColumn] = ['beginLine', 'beginColumn', 'endLine', 'endColumn'].map(part);
  const module = part('module');
  if ([line, column, endLine, endColumn].some((number) => typeof number !== 'bigint')) return null;
  return `line ${line}, col ${column} to line ${endLine}, col ${endColumn} of module ${module}`;
}

function stateOf(json: JsonObject, place: Place): State {
  return new Map(Array.from(json, ([name, value]) => [name, inside(place, name, () => plainValue(value, place, 0))]));
}

function plainValue(json: Json, place: Place, depth: number): Value {
  if (depth > MAX_DEPTH) fail(place, { ...expected(`at most ${MAX_DEPTH} values in each other`), found: 'more' });
  if (typeof json === 'boolean') return bool(json);
  if (typeof json === 'string') return str(json);
  if (typeof json === 'bigint') return int(json);
  if (Array.isArray(json))
    return tuple(json.map((item, index) => inside(place, index, () => plainValue(item, place, depth + 1))));
  if (json instanceof Map)
    return record(
      Array.from(
        json,
        ([name, item]) => [name, inside(place, name, () => plainValue(item, place, depth + 1))] as const,
      ),
    );
  return fail(place, { ...expected('a value'), found: describe(json) });
}

function object(json: Json | undefined, place: Place): JsonObject {
  return json instanceof Map ? json : fail(place, { ...expected('an object'), found: describe(json) });
}

function list(json: Json | undefined, place: Place): readonly Json[] {
  return Array.isArray(json) ? json : fail(place, { ...expected('a list'), found: describe(json) });
}

function expected(what: string): { expected: string; advice: string } {
  return { expected: what, advice: TLC_JSON.what };
}
