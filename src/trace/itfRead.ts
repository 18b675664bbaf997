import { z } from 'zod';
import { equal, type Value } from '../tla/index.ts';
import { decodeAction, isMbt } from './itfAction.ts';
import { decodeValue } from './itfDecode.ts';
import { Decimal, type Json, type JsonObject, readJson } from './json.ts';
import { describe, fail, inside, type Place } from './place.ts';
import type { ActionTaken, State, Trace } from './trace.ts';
import { ITF, ItfError } from './traceError.ts';

const META = '#meta';
// ITF has no place for the step that closes a loop: see itfWrite.ts.
const LOOP_ACTION = 'loopAction';

const jsonObject = z.custom<JsonObject>((value) => value instanceof Map);

/** The document around the values. Values are read by hand: a schema for each of them would be slow, and say less. */
const Envelope = z.object({
  // Some writers have a null for what there is not.
  '#meta': jsonObject.nullish(),
  vars: z.array(z.string()),
  params: z.array(z.string()).nullish(),
  loop: z.bigint().nullish(),
  states: z.array(jsonObject).min(1),
});

const EXPECTED: Readonly<Record<string, string>> = {
  '#meta': 'an object',
  vars: 'a list of the names of the variables',
  params: 'a list of the names of the constants',
  loop: 'the index of a state',
  states: 'a list of states, one object each, of at least one',
};

/** Reads a trace in ITF, ours or that of Apalache or Quint. Throws an ItfError. */
export function parseItf(text: string, { file }: { file?: string } = {}): Trace {
  const [trace, ...more] = itfTraces(readJson(text, ITF, file), file);
  if (trace !== undefined && more.length === 0) return trace;
  const found = `a list of ${more.length + 1}`;
  throw new ItfError({ file, path: [], expected: 'one trace', found, advice: 'Put each into a file of its own.' });
}

/** One, or a list of them: Quint has written what a verification found as such (quint#1448). */
export function itfTraces(json: Json, file: string | undefined): Trace[] {
  if (!isItfList(json)) return [traceOf(json, { format: ITF, file, path: [] })];
  return json.map((each, index) => traceOf(each, { format: ITF, file, path: [index] }));
}

export function isItfList(json: Json): json is Json[] {
  return Array.isArray(json) && json[0] instanceof Map && ['vars', 'states'].every((key) => isList(json[0], key));
}

function isList(json: Json | undefined, key: string): boolean {
  return json instanceof Map && Array.isArray(json.get(key));
}

function traceOf(json: Json, place: Place): Trace {
  const document = checkDocument(json, place);
  const vars = [...new Set(document.vars)].filter((name) => name !== META && !isMbt(name));
  const constantNames = new Set(document.params ?? []);
  const states: State[] = [];
  const actions: (ActionTaken | null)[] = [];
  place.path.push('states');
  for (const [index, object] of document.states.entries()) {
    place.path.push(index);
    states.push(decodeNamed(vars, 'variable', object, place));
    const action = decodeAction(object, stateMeta(object, place)?.get('location'), place);
    // Whatever the name of the initial predicate is, it is no step.
    actions.push(index === 0 ? null : action);
    place.path.pop();
  }
  place.path.pop();
  const constants = decodeConstants(constantNames, document.states, place);
  const loop = document.loop == null ? undefined : checkLoop(document.loop, states.length, place);
  const meta = document[META] ?? new Map<string, Json>();
  const loopAction = loop === undefined ? null : decodeLoopAction(meta, place);
  return {
    vars,
    states,
    actions,
    ...(loop !== undefined ? { loop } : {}),
    ...(loopAction !== null ? { loopAction } : {}),
    ...(constants.size > 0 ? { constants } : {}),
    meta: decodeMeta(meta, place),
  };
}

function checkDocument(json: Json, place: Place): z.infer<typeof Envelope> {
  const advice = ITF.what;
  if (!(json instanceof Map)) {
    throw new ItfError({
      file: place.file,
      path: place.path,
      expected: 'a JSON object',
      found: describe(json),
      advice,
    });
  }
  const result = Envelope.safeParse(Object.fromEntries(json));
  if (result.success) return result.data;
  const path = result.error.issues[0]!.path as (string | number)[];
  const expected = path.length > 1 ? (path[0] === 'states' ? 'a state, an object' : 'a name') : EXPECTED[path[0]!]!;
  const found = path.reduce<Json | undefined>(
    (at, step) => (at instanceof Map ? at.get(String(step)) : Array.isArray(at) ? at[Number(step)] : undefined),
    json,
  );
  throw new ItfError({ file: place.file, path: [...place.path, ...path], expected, found: describe(found), advice });
}

function decodeNamed(names: Iterable<string>, what: 'variable' | 'constant', object: JsonObject, place: Place): State {
  const state = new Map<string, Value>();
  for (const name of names) {
    const json = object.get(name);
    place.path.push(name);
    if (json === undefined) {
      const which = what === 'variable' ? 'each' : 'the first';
      const advice = `The trace declares "${name}" as a ${what}, so ${which} state has it.`;
      fail(place, { expected: `the value of a ${what}`, found: 'nothing', advice });
    }
    state.set(name, decodeValue(json as Json, place));
    place.path.pop();
  }
  return state;
}

/** State 0 gives the constants; a later state need not repeat them, but cannot change them. */
function decodeConstants(names: ReadonlySet<string>, states: readonly JsonObject[], place: Place): State {
  return inside(place, 'states', () => {
    const constants = inside(place, 0, () => decodeNamed(names, 'constant', states[0]!, place));
    for (const [index, object] of states.entries()) {
      const repeated = [...names].filter((name) => object.has(name));
      const again = inside(place, index, () => decodeNamed(repeated, 'constant', object, place));
      const changed = repeated.find((name) => !equal(again.get(name)!, constants.get(name)!));
      if (changed === undefined) continue;
      const found = describe(object.get(changed));
      const advice = 'A constant does not change; if it is a variable, it belongs into "vars".';
      inside(place, index, () =>
        inside(place, changed, () => fail(place, { expected: 'the value of state 0', found, advice })),
      );
    }
    return constants;
  });
}

function checkLoop(loop: bigint, stateCount: number, place: Place): number {
  if (loop >= 0n && loop < BigInt(stateCount)) return Number(loop);
  return inside(place, 'loop', () =>
    fail(place, {
      expected: `the index of a state, 0 to ${stateCount - 1}`,
      found: String(loop),
      advice: 'ITF counts states from 0, TLC from 1.',
    }),
  );
}

function stateMeta(object: JsonObject, place: Place): JsonObject | undefined {
  const meta = object.get(META) ?? undefined;
  if (meta === undefined || meta instanceof Map) return meta;
  const advice = 'It holds notes about the state, by name.';
  return inside(place, META, () => fail(place, { expected: 'an object', found: describe(meta), advice }));
}

function decodeLoopAction(meta: JsonObject, place: Place): ActionTaken | null {
  const action = meta.get(LOOP_ACTION);
  if (!(action instanceof Map)) return null;
  place.path.push(META, LOOP_ACTION);
  const decoded = decodeAction(action, action.get('location'), place);
  place.path.length -= 2;
  return decoded;
}

/** Everything else in `#meta`, as plain data. The name of the format is of the file, not of the trace. */
function decodeMeta(meta: JsonObject, place: Place): Record<string, unknown> {
  const format = meta.get('format') ?? 'ITF';
  if (format !== 'ITF') {
    const advice = 'Convert the trace to ITF first.';
    const at = { file: place.file, path: [...place.path, META, 'format'] };
    throw new ItfError({ ...at, expected: '"ITF"', found: describe(format), advice });
  }
  const notes = [...meta].filter(([name]) => !['format', 'format-description', LOOP_ACTION].includes(name));
  return plain(new Map(notes)) as Record<string, unknown>;
}

function plain(json: Json): unknown {
  if (json instanceof Map) return Object.fromEntries(Array.from(json, ([name, item]) => [name, plain(item)]));
  if (Array.isArray(json)) return json.map(plain);
  if (json instanceof Decimal) return Number(json.text);
  // A fingerprint may need all its 64 bits.
  if (typeof json === 'bigint') return Number.isSafeInteger(Number(json)) ? Number(json) : json;
  return json;
}
