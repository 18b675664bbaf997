import type { Value } from './value.ts';

const RANK: Readonly<Record<Value['kind'], number>> = {
  bool: 0,
  int: 1,
  string: 2,
  model: 3,
  set: 4,
  tuple: 5,
  record: 6,
  function: 7,
};

/**
 * A total order on all values: by kind, then by size, then by content; strings by code unit. TLA+ has no such order,
 * and TLC's own depends on the order in which it met the names, so this one is ours: the same in each run.
 */
export function compare(a: Value, b: Value): number {
  if (a === b) return 0;
  switch (a.kind) {
    case 'bool':
      if (b.kind === a.kind) return Number(a.value) - Number(b.value);
      break;
    case 'int':
      if (b.kind === a.kind) return a.value < b.value ? -1 : a.value > b.value ? 1 : 0;
      break;
    case 'string':
      if (b.kind === a.kind) return compareText(a.value, b.value);
      break;
    case 'model':
      if (b.kind === a.kind) return compareText(a.name, b.name);
      break;
    case 'set':
    case 'tuple':
      if (b.kind === a.kind) return compareLists(a.elements, b.elements);
      break;
    case 'record':
      if (b.kind === a.kind) return compareFields(a.fields, b.fields);
      break;
    case 'function':
      if (b.kind === a.kind) return compareEntries(a.entries, b.entries);
      break;
  }
  return RANK[a.kind] - RANK[b.kind];
}

/** What TLA+ calls equal. Where TLC would refuse to compare (an integer with a string) the answer is no. */
export function equal(a: Value, b: Value): boolean {
  return compare(a, b) === 0;
}

/** A string that two values share if and only if they are equal, for Maps and Sets. Not meant to be read or stored. */
export function key(value: Value): string {
  switch (value.kind) {
    case 'bool':
      return value.value ? 'T' : 'F';
    case 'int':
      return `i${value.value};`;
    case 'string':
      return `s${sized(value.value)}`;
    case 'model':
      return `m${sized(value.name)}`;
    case 'set':
      return `{${value.elements.map(key).join('')}}`;
    case 'tuple':
      return `<${value.elements.map(key).join('')}>`;
    case 'record':
      return `[${Array.from(value.fields, ([name, field]) => sized(name) + key(field)).join('')}]`;
    case 'function':
      return `(${value.entries.map(([argument, result]) => key(argument) + key(result)).join('')})`;
  }
}

/** With its length in front a text needs no escapes to be told from what follows. */
function sized(text: string): string {
  return `${text.length}:${text}`;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function compareLists(a: readonly Value[], b: readonly Value[]): number {
  if (a.length !== b.length) return a.length - b.length;
  for (let i = 0; i < a.length; i++) {
    const order = compare(a[i]!, b[i]!);
    if (order !== 0) return order;
  }
  return 0;
}

/** Names first, so that records of one shape lie together. */
function compareFields(a: ReadonlyMap<string, Value>, b: ReadonlyMap<string, Value>): number {
  if (a.size !== b.size) return a.size - b.size;
  const namesB = b.keys();
  for (const name of a.keys()) {
    const order = compareText(name, namesB.next().value!);
    if (order !== 0) return order;
  }
  for (const [name, field] of a) {
    const order = compare(field, b.get(name)!);
    if (order !== 0) return order;
  }
  return 0;
}

function compareEntries(a: readonly (readonly [Value, Value])[], b: readonly (readonly [Value, Value])[]): number {
  if (a.length !== b.length) return a.length - b.length;
  for (let i = 0; i < a.length; i++) {
    const order = compare(a[i]![0], b[i]![0]) || compare(a[i]![1], b[i]![1]);
    if (order !== 0) return order;
  }
  return 0;
}
