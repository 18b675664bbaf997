import { type Entry, entriesOf, type Value } from '../tla/index.ts';
import type { Json, JsonObject } from './json.ts';

/**
 * How each kind of value is written in ITF:
 *
 * | value           | written                                 | also read                                     |
 * |-----------------|-----------------------------------------|-----------------------------------------------|
 * | bool, string    | `true`, `"text"`                        |                                               |
 * | int             | `{"#bigint":"-12"}`                     | `-12`, within ±(2^53 − 1)                     |
 * | set             | `{"#set":[…]}`                          |                                               |
 * | tuple, sequence | `[…]`                                   | `{"#tup":[…]}`, `{"#map":[[1,…],[2,…]]}`, `{}` |
 * | record          | `{"field":…}`; `#map` if a field starts with `#` | `{"#map":[["field",…]]}`             |
 * | function        | `{"#map":[[argument,result],…]}`        |                                               |
 * | model value     | `{"#unserializable":"mv"}`              |                                               |
 *
 * ITF has no model values (Apalache has strings in their place, but ours must not turn into strings on the way). What
 * it has for "a value known only by its text" is `#unserializable`; a model value is just that, equal only to itself.
 */
export function encodeValue(value: Value): Json {
  switch (value.kind) {
    case 'bool':
    case 'string':
      return value.value;
    case 'int':
      return tagged('#bigint', String(value.value));
    case 'model':
      return tagged('#unserializable', value.name);
    case 'set':
      return tagged('#set', value.elements.map(encodeValue));
    case 'tuple':
      return value.elements.map(encodeValue);
    case 'record':
      if ([...value.fields.keys()].some((name) => name.startsWith('#'))) return encodeMap(entriesOf(value)!);
      return new Map(Array.from(value.fields, ([name, field]) => [name, encodeValue(field)]));
    case 'function':
      return encodeMap(value.entries);
  }
}

export function tagged(tag: string, content: Json): JsonObject {
  return new Map([[tag, content]]);
}

function encodeMap(entries: readonly Entry[]): Json {
  return tagged(
    '#map',
    entries.map(([argument, result]) => [encodeValue(argument), encodeValue(result)]),
  );
}
