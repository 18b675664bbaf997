import { entriesOf, equal, print, type Value } from '../../src/tla/index.ts';
import type { State } from '../../src/trace/index.ts';

/** A value beside the one that it was before: a leaf, or what it consists of. What is gone is here too. */
export interface Node {
  readonly label: string;
  readonly change: 'same' | 'changed' | 'added' | 'removed';
  /** As TLA+ writes it: what it is, or, if it is gone, what it was. */
  readonly text: string;
  /** What it was, where it changed. */
  readonly before?: string;
  /** Where something within it changed: its parts. */
  readonly parts: readonly Node[];
}

/** Each variable with the marks of what the step changed, down to the path where it did. */
export function variableTree(vars: readonly string[], before: State | null, after: State): Node[] {
  return vars.map((name) => nodeOf(name, before === null ? after.get(name) : before.get(name), after.get(name)));
}

function nodeOf(label: string, before: Value | undefined, after: Value | undefined): Node {
  if (after === undefined || before === undefined) {
    const value = (after ?? before)!;
    return { label, change: after === undefined ? 'removed' : 'added', text: print(value), parts: [] };
  }
  if (equal(before, after)) return { label, change: 'same', text: print(after), parts: [] };
  const parts = partsOf(before, after);
  if (parts === null) return { label, change: 'changed', text: print(after), before: print(before), parts: [] };
  return { label, change: 'changed', text: print(after), before: print(before), parts };
}

/** Null: two values of which neither is a part of a common shape. */
function partsOf(before: Value, after: Value): Node[] | null {
  if (before.kind === 'set' && after.kind === 'set') {
    const gone = before.elements.filter((one) => !after.elements.some((other) => equal(one, other)));
    const come = after.elements.filter((one) => !before.elements.some((other) => equal(one, other)));
    const kept = after.elements.filter((one) => !come.includes(one));
    return [
      ...kept.map((value) => nodeOf('∋', value, value)),
      ...gone.map((value) => nodeOf('∋', value, undefined)),
      ...come.map((value) => nodeOf('∋', undefined, value)),
    ];
  }
  const [old, now] = [entriesOf(before), entriesOf(after)];
  if (old === null || now === null || (old.length > 0 && now.length > 0 && !sameShape(before, after))) return null;
  const keys = new Map([...old, ...now].map(([argument]) => [print(argument), argument]));
  const find = (entries: typeof old, key: Value) => entries.find(([argument]) => equal(argument, key))?.[1];
  return [...keys.values()].map((key) => nodeOf(labelOf(key), find(old, key), find(now, key)));
}

/** An empty function is of any shape. */
function sameShape(before: Value, after: Value): boolean {
  return before.kind === after.kind || [before, after].every(({ kind }) => kind !== 'set');
}

function labelOf(key: Value): string {
  return key.kind === 'string' ? key.value : print(key);
}
