import { bool, entriesOf, fn, int, model, record, set, str, tuple, type Value } from '../tla/index.ts';

/**
 * Any TLA+ value as plain JSON: records and functions of strings are objects, sequences and sets are arrays (a set in the
 * order in which TLC prints it), other functions are arrays of pairs.
 */
export function plainOf(value: Value): unknown {
  switch (value.kind) {
    case 'bool':
    case 'string':
      return value.value;
    case 'int':
      return Number(value.value);
    case 'model':
      return value.name;
    case 'set':
    case 'tuple':
      return value.elements.map(plainOf);
    case 'record':
      return Object.fromEntries([...value.fields].map(([name, part]) => [name, plainOf(part)]));
    case 'function':
      return value.entries.map(([argument, result]) => [plainOf(argument), plainOf(result)]);
  }
}

/** The other way. JSON does not tell a set from a sequence: it is taken for what stands there in the specification. */
export function valueLike(plain: unknown, like: Value | undefined): Value {
  if (typeof plain === 'number' && Number.isSafeInteger(plain)) return int(plain);
  if (typeof plain === 'boolean') return bool(plain);
  if (typeof plain === 'string') return like?.kind === 'model' ? model(plain) : str(plain);
  if (Array.isArray(plain)) return listLike(plain, like);
  if (typeof plain === 'object' && plain !== null) {
    const fields = like?.kind === 'record' ? like.fields : undefined;
    return record(Object.entries(plain).map(([name, part]) => [name, valueLike(part, fields?.get(name))] as const));
  }
  return model(String(plain));
}

function listLike(list: readonly unknown[], like: Value | undefined): Value {
  if (like?.kind === 'function') {
    const entries = entriesOf(like);
    const isPairs = list.every((pair): pair is [unknown, unknown] => Array.isArray(pair) && pair.length === 2);
    if (isPairs)
      return fn(list.map(([key, part]) => [valueLike(key, entries?.[0]?.[0]), valueLike(part, entries?.[0]?.[1])]));
  }
  const element = like?.kind === 'set' || like?.kind === 'tuple' ? like.elements[0] : undefined;
  const parts = list.map((part) => valueLike(part, element));
  return like?.kind === 'set' ? set(parts) : tuple(parts);
}
