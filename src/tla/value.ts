import { compare } from './order.ts';

/**
 * TLA+ values as plain data. One canonical form each, so that values that TLA+ calls equal are structurally equal:
 * a function on 1..n is a `tuple` (also the empty function), one whose domain is a non-empty set of strings is a
 * `record`, any other is a `function`; set elements, record fields and function entries are in canonical order without
 * repetition. Build them with the constructors below, never by hand.
 */
export type Value =
  | { readonly kind: 'bool'; readonly value: boolean }
  | { readonly kind: 'int'; readonly value: bigint }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'model'; readonly name: string }
  | { readonly kind: 'set'; readonly elements: readonly Value[] }
  | { readonly kind: 'tuple'; readonly elements: readonly Value[] }
  | { readonly kind: 'record'; readonly fields: ReadonlyMap<string, Value> }
  | { readonly kind: 'function'; readonly entries: readonly (readonly [Value, Value])[] };

export type Entry = readonly [argument: Value, result: Value];

const TRUE: Value = { kind: 'bool', value: true };
const FALSE: Value = { kind: 'bool', value: false };
const EMPTY: Value = { kind: 'tuple', elements: [] };

export function bool(value: boolean): Value {
  return value ? TRUE : FALSE;
}

/** A number must be a safe integer: anything else has already lost what it meant. */
export function int(value: bigint | number): Value {
  if (typeof value === 'number' && !Number.isSafeInteger(value)) {
    throw new RangeError(`int(${value}): a number must be a safe integer; pass a bigint`);
  }
  return { kind: 'int', value: BigInt(value) };
}

export function str(value: string): Value {
  return { kind: 'string', value };
}

/**
 * A TLC model value, such as `r1`. The name may be any text: a value that is known only by how it is written (`Int`,
 * `SUBSET Nat`) is kept as a model value too, equal only to the same text.
 */
export function model(name: string): Value {
  return { kind: 'model', name };
}

export function set(elements: Iterable<Value>): Value {
  return setOf([...elements]);
}

export function tuple(elements: Iterable<Value>): Value {
  return tupleOf([...elements]);
}

/** A record from an object or from [name, value] pairs; of a name given twice the first counts. */
export function record(fields: Readonly<Record<string, Value>> | Iterable<readonly [string, Value]>): Value {
  const pairs =
    Symbol.iterator in fields ? [...(fields as Iterable<readonly [string, Value]>)] : Object.entries(fields);
  const sorted = distinct(pairs, (a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0));
  return sorted.length === 0 ? EMPTY : { kind: 'record', fields: new Map(sorted) };
}

/** A function from its [argument, result] pairs; of an argument given twice the first counts, as `f @@ g` has it. */
export function fn(entries: Iterable<Entry>): Value {
  return fnOf([...entries]);
}

/** As `set`; takes over the array, as the parser can. So do the two below. */
export function setOf(elements: Value[]): Value {
  return { kind: 'set', elements: distinct(elements, compare) };
}

export function tupleOf(elements: Value[]): Value {
  return elements.length === 0 ? EMPTY : { kind: 'tuple', elements };
}

export function fnOf(entries: Entry[]): Value {
  const sorted = distinct(entries, (a, b) => compare(a[0], b[0]));
  if (sorted.every(([argument], index) => argument.kind === 'int' && argument.value === BigInt(index + 1))) {
    return tupleOf(sorted.map(([, result]) => result));
  }
  const fields = new Map<string, Value>();
  for (const [argument, result] of sorted) {
    if (argument.kind !== 'string') return { kind: 'function', entries: sorted };
    fields.set(argument.value, result);
  }
  return { kind: 'record', fields };
}

/** Sorts and keeps the first of equals (the sort is stable). Takes over the array. */
function distinct<T>(items: T[], order: (a: T, b: T) => number): T[] {
  // Most are in order as they come.
  let at = 1;
  while (at < items.length && order(items[at - 1]!, items[at]!) < 0) at++;
  if (at >= items.length) return items;
  items.sort(order);
  return items.filter((item, index) => index === 0 || order(items[index - 1]!, item) !== 0);
}
