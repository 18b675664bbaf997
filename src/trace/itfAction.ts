import type { Value } from '../tla/index.ts';
import { decodeValue } from './itfDecode.ts';
import { encodeValue } from './itfEncode.ts';
import type { Json, JsonObject } from './json.ts';
import { describe, fail, inside, type Place } from './place.ts';
import type { ActionTaken } from './trace.ts';
import { variantOf } from './variant.ts';

/**
 * Actions are written as Quint's tools do with `--mbt`. `mbt::actionTaken` is the name: "init" for state 0, "" when
 * unknown. `mbt::nondetPicks` is a record of options (`{"tag":"Some","value":…}`; None for a choice that this step did
 * not make). Quint's choices have names, the arguments of a TLA+ action only an order, so we write one choice named
 * "args", the list of them all; without it they are unknown. (A list, for itf-py 0.5.0 takes an object inside an option for
 * a record, `{"#tup":…}` too.) The location, which Quint does not have, goes into the `#meta` of the state, where any reader
 * skips it.
 */
export const ACTION = 'mbt::actionTaken';
export const PICKS = 'mbt::nondetPicks';
const ARGS = 'args';

export function isMbt(variable: string): boolean {
  return variable.startsWith('mbt::');
}

export function encodeAction(action: ActionTaken | null, index: number): [string, Json][] {
  const picks: JsonObject = new Map();
  for (const [name, value] of action?.picks ?? []) picks.set(name, some(encodeValue(value)));
  if (action?.args !== undefined) picks.set(ARGS, some(action.args.map(encodeValue)));
  return [
    [ACTION, action?.name ?? (index === 0 ? 'init' : '')],
    [PICKS, picks],
  ];
}

function some(value: Json): Json {
  return new Map<string, Json>([
    ['tag', 'Some'],
    ['value', value],
  ]);
}

/** Reads the action of an object that may have one: a state, or what we keep about the closing of a loop. */
export function decodeAction(object: JsonObject, location: Json | undefined, place: Place): ActionTaken | null {
  const name = object.get(ACTION) ?? '';
  if (typeof name !== 'string') {
    const advice = 'It is the name of the action, or "" when unknown.';
    inside(place, ACTION, () => fail(place, { expected: 'a text', found: describe(name), advice }));
  }
  if (name === '') return null;
  return {
    name: name as string,
    ...inside(place, PICKS, () => decodePicks(object.get(PICKS), place)),
    ...(typeof location === 'string' ? { location } : {}),
  };
}

function decodePicks(json: Json | undefined, place: Place): Pick<ActionTaken, 'args' | 'picks'> {
  if (json === undefined) return {};
  if (!(json instanceof Map)) {
    fail(place, {
      expected: 'an object',
      found: describe(json),
      advice: 'It holds one option for each choice, by name.',
    });
  }
  const picks = new Map<string, Value>();
  for (const [name, option] of json as JsonObject) {
    const picked = inside(place, name, () => pickedValue(decodeValue(option, place)));
    if (picked !== null) picks.set(name, picked);
  }
  const args = picks.get(ARGS);
  if (args?.kind === 'tuple') picks.delete(ARGS);
  return { ...(args?.kind === 'tuple' ? { args: args.elements } : {}), ...(picks.size > 0 ? { picks } : {}) };
}

/** The value in an option, null for None. A bare value is taken for itself: not all writers wrap it. */
function pickedValue(option: Value): Value | null {
  const tag = variantOf(option)?.tag;
  if (tag === 'Some' && option.kind === 'record') return option.fields.get('value') ?? null;
  return tag === 'None' ? null : option;
}
