import { bool, type Entry, fn, int, key, MAX_DEPTH, model, record, set, str, tuple, type Value } from '../tla/index.ts';
import type { Json, JsonObject } from './json.ts';
import { describe, fail, inside, type Place } from './place.ts';

/** Reads a value in the encoding of itfEncode.ts; throws an ItfError with the place of what is wrong. */
export function decodeValue(json: Json, place: Place, depth = 0): Value {
  if (depth > MAX_DEPTH) {
    const expected = `at most ${MAX_DEPTH} values in each other`;
    fail(place, { expected, found: 'more', advice: 'No state of a specification is so deep.' });
  }
  if (typeof json === 'boolean') return bool(json);
  if (typeof json === 'string') return str(json);
  if (typeof json === 'bigint') return plainInt(json, place);
  if (Array.isArray(json)) return tuple(decodeList(json, place, depth));
  if (json instanceof Map) return decodeObject(json, place, depth);
  const advice = json === null ? 'TLA+ has no null.' : 'TLA+ has integers only.';
  return fail(place, { expected: 'a value', found: describe(json), advice });
}

function plainInt(value: bigint, place: Place): Value {
  const limit = BigInt(Number.MAX_SAFE_INTEGER);
  if (value >= -limit && value <= limit) return int(value);
  return fail(place, {
    expected: 'a plain integer of at most 2^53 - 1',
    found: String(value),
    advice: `Its writer may have rounded it; write {"#bigint":"${value}"} if it is right.`,
  });
}

function decodeList(items: readonly Json[], place: Place, depth: number): Value[] {
  const values: Value[] = [];
  for (let index = 0; index < items.length; index++) {
    place.path.push(index);
    values.push(decodeValue(items[index]!, place, depth + 1));
    place.path.pop();
  }
  return values;
}

function decodeObject(object: JsonObject, place: Place, depth: number): Value {
  for (const tag of object.keys()) {
    if (!tag.startsWith('#')) continue;
    if (object.size > 1) {
      const expected = `"${tag}" as the only key of its object`;
      fail(place, { expected, found: `${object.size} keys`, advice: 'A field that starts with # goes into a "#map".' });
    }
    place.path.push(tag);
    const value = decodeTagged(tag, object.get(tag)!, place, depth);
    place.path.pop();
    return value;
  }
  const fields: [string, Value][] = [];
  for (const [name, field] of object) {
    place.path.push(name);
    fields.push([name, decodeValue(field, place, depth + 1)]);
    place.path.pop();
  }
  return record(fields);
}

function decodeTagged(tag: string, content: Json, place: Place, depth: number): Value {
  const list = (): readonly Json[] => {
    if (Array.isArray(content)) return content;
    return fail(place, { expected: 'a list', found: describe(content), advice: `ITF writes {"${tag}":[…]}.` });
  };
  switch (tag) {
    case '#bigint':
      if (typeof content === 'string' && /^-?[0-9]+$/.test(content)) return int(BigInt(content));
      return fail(place, {
        expected: 'decimal digits in quotes, with or without a minus',
        found: describe(content),
        advice: 'ITF writes {"#bigint":"-12"}.',
      });
    case '#unserializable':
      if (typeof content === 'string') return model(content);
      return fail(place, {
        expected: 'a text',
        found: describe(content),
        advice: 'ITF writes {"#unserializable":"Int"}.',
      });
    case '#tup':
      return tuple(decodeList(list(), place, depth));
    case '#set':
      return set(decodeList(list(), place, depth));
    case '#map':
      return decodeMap(list(), place, depth);
    default:
      return fail(place, {
        expected: 'one of #bigint, #tup, #set, #map and #unserializable',
        found: `"${tag}"`,
        advice: 'A field that starts with # goes into a "#map".',
      });
  }
}

function decodeMap(pairs: readonly Json[], place: Place, depth: number): Value {
  const entries = pairs.map(
    (pair, index): Entry =>
      inside(place, index, () => {
        if (!Array.isArray(pair) || pair.length !== 2) {
          fail(place, {
            expected: '[key, value]',
            found: describe(pair),
            advice: 'ITF writes {"#map":[[key,value],…]}.',
          });
        }
        const [argument, result] = decodeList(pair, place, depth);
        return [argument!, result!];
      }),
  );
  const known = new Set<string>();
  for (const [index, [argument]] of entries.entries()) {
    if (known.size < known.add(key(argument)).size) continue;
    const found = 'an equal one before it';
    inside(place, index, () =>
      fail(place, { expected: 'each key once', found, advice: 'One of the two would be lost.' }),
    );
  }
  return fn(entries);
}
