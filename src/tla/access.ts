import { compare } from './order.ts';
import { type Entry, int, str, type Value } from './value.ts';

/** The [argument, result] pairs of anything that TLA+ calls a function (a tuple and a record are), else null. */
export function entriesOf(value: Value): readonly Entry[] | null {
  switch (value.kind) {
    case 'tuple':
      return value.elements.map((element, index) => [int(index + 1), element]);
    case 'record':
      return Array.from(value.fields, ([name, field]) => [str(name), field]);
    case 'function':
      return value.entries;
    default:
      return null;
  }
}

/** `f[argument]`; undefined outside the domain, or when `f` is no function. */
export function apply(f: Value, argument: Value): Value | undefined {
  switch (f.kind) {
    case 'tuple':
      if (argument.kind !== 'int' || argument.value < 1n || argument.value > BigInt(f.elements.length))
        return undefined;
      return f.elements[Number(argument.value) - 1];
    case 'record':
      return argument.kind === 'string' ? f.fields.get(argument.value) : undefined;
    case 'function':
      return search(f.entries, argument);
    default:
      return undefined;
  }
}

function search(entries: readonly Entry[], argument: Value): Value | undefined {
  let low = 0;
  let high = entries.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const [candidate, result] = entries[middle]!;
    const order = compare(candidate, argument);
    if (order === 0) return result;
    if (order < 0) low = middle + 1;
    else high = middle - 1;
  }
  return undefined;
}
