import { entriesOf } from './access.ts';
import { compare, equal, key } from './order.ts';
import { isName, print } from './print.ts';
import type { Value } from './value.ts';

/** One place where two values differ. `before` is absent when it was added, `after` when it was removed. */
export type Difference = {
  /** As TLA+ would write it: `log["A"][1].epoch`; an element of a set is in braces: `isr{"b2"}`. */
  readonly path: string;
  readonly kind: 'changed' | 'added' | 'removed';
  readonly before?: Value;
  readonly after?: Value;
};

/**
 * Where two values differ, as deep down as they have the same shape: functions (so tuples and records) by argument,
 * sets by element. Empty if and only if they are equal. `path` names the values themselves.
 */
export function diff(before: Value, after: Value, path = ''): Difference[] {
  const found: Difference[] = [];
  collect(found, path, before, after);
  return found;
}

/** The same for states, with the variable in front of each path. */
export function diffStates(before: ReadonlyMap<string, Value>, after: ReadonlyMap<string, Value>): Difference[] {
  const found: Difference[] = [];
  for (const variable of new Set([...before.keys(), ...after.keys()])) {
    collect(found, variable, before.get(variable), after.get(variable));
  }
  return found;
}

function collect(found: Difference[], path: string, before: Value | undefined, after: Value | undefined): void {
  if (before === undefined || after === undefined) {
    if (after !== undefined) found.push({ path, kind: 'added', after });
    if (before !== undefined) found.push({ path, kind: 'removed', before });
    return;
  }
  if (before === after) return;
  if (before.kind === 'set' && after.kind === 'set') {
    collectMembers(found, path, before.elements, after.elements);
    return;
  }
  const entriesBefore = entriesOf(before);
  const entriesAfter = entriesOf(after);
  if (entriesBefore === null || entriesAfter === null) {
    if (!equal(before, after)) found.push({ path, kind: 'changed', before, after });
    return;
  }
  const results = new Map<string, { argument: Value; before?: Value; after?: Value }>();
  for (const [argument, result] of entriesBefore) results.set(key(argument), { argument, before: result });
  for (const [argument, result] of entriesAfter) {
    const id = key(argument);
    results.set(id, { argument, ...results.get(id), after: result });
  }
  const inOrder = [...results.values()].sort((a, b) => compare(a.argument, b.argument));
  for (const entry of inOrder) collect(found, path + step(entry.argument), entry.before, entry.after);
}

function collectMembers(found: Difference[], path: string, before: readonly Value[], after: readonly Value[]): void {
  const keysBefore = new Set(before.map(key));
  const keysAfter = new Set(after.map(key));
  for (const element of before) {
    if (!keysAfter.has(key(element)))
      found.push({ path: `${path}{${print(element)}}`, kind: 'removed', before: element });
  }
  for (const element of after) {
    if (!keysBefore.has(key(element)))
      found.push({ path: `${path}{${print(element)}}`, kind: 'added', after: element });
  }
}

/**
 * `.epoch` or `["A"]`: TLA+ takes both for a function on strings and a value does not tell a field from an identity, so
 * this goes by looks: all lower-case first and no digit is a field.
 */
function step(argument: Value): string {
  const isField = argument.kind === 'string' && /^[a-z][A-Za-z_]*$/.test(argument.value) && isName(argument.value);
  return isField ? `.${argument.value}` : `[${print(argument)}]`;
}
