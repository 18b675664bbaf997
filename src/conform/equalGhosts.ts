import { type Ghosts, histories, ghosts as table } from '../replay/index.ts';

const NAMES = [...Object.keys(table), ...Object.keys(histories)] as readonly (keyof Ghosts)[];

/** Ghosts are sets, and records of numbers; the observer keeps sets as lists in the order in which things happened. */
export function equalGhosts(a: Ghosts, b: Ghosts): boolean {
  if (a === b) return true;
  for (const name of NAMES) if (!same(a[name], b[name])) return false;
  return true;
}

function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((one) => hasSame(b, one));
  if (typeof a !== 'object' || a === null || typeof b !== 'object' || b === null) return false;
  for (const key in a) if (!same(a[key as never], b[key as never])) return false;
  for (const key in b) if (!(key in a)) return false;
  return true;
}

function hasSame(list: readonly unknown[], one: unknown): boolean {
  for (const other of list) if (same(one, other)) return true;
  return false;
}
