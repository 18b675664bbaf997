import { equal, fn, record, set, str, tuple, type Value } from '../tla/index.ts';

// Apalache's own text for the one value of the unit type: Quint's tools used to let it through (quint#1411).
const APALACHE_UNIT = str('U_OF_UNIT');
const UNIT = tuple([]);

/** A value of a sum type, as Quint has them; `payload` is null when the variant has none. */
export type Variant = { readonly tag: string; readonly payload: Value | null };

/** Reads `[tag |-> "Some", value |-> 40]` as a variant; null when the value is no such record. */
export function variantOf(value: Value): Variant | null {
  if (value.kind !== 'record' || value.fields.size !== 2) return null;
  const tag = value.fields.get('tag');
  const payload = value.fields.get('value');
  if (tag?.kind !== 'string' || payload === undefined) return null;
  return { tag: tag.value, payload: equal(payload, UNIT) || equal(payload, APALACHE_UNIT) ? null : payload };
}

/** The value with each variant that has no payload written in one way (`<<>>`), to compare what Quint's tools wrote. */
export function normalizeUnits(value: Value): Value {
  switch (value.kind) {
    case 'set':
      return set(value.elements.map(normalizeUnits));
    case 'tuple':
      return tuple(value.elements.map(normalizeUnits));
    case 'function':
      return fn(value.entries.map(([argument, result]) => [normalizeUnits(argument), normalizeUnits(result)]));
    case 'record': {
      const isUnit = variantOf(value)?.payload === null;
      const fields = new Map<string, Value>();
      for (const [name, field] of value.fields) {
        fields.set(name, isUnit && name === 'value' ? UNIT : normalizeUnits(field));
      }
      return record(fields);
    }
    default:
      return value;
  }
}
