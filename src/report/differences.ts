import { type Difference, diff, print, type Value } from '../tla/index.ts';
import { clip, columns, padEnd, wrap } from './layout.ts';
import { type Palette, paletteFor } from './palette.ts';
import { splitPath } from './path.ts';
import { count } from './words.ts';

export interface DifferencesOptions {
  readonly colour: boolean;
  readonly width: number;
  /** The step after which they were found, from 1; 0: the state at the beginning. */
  readonly step: number;
  readonly action?: string;
  readonly args?: readonly (Value | string | number)[];
  /** What was replayed on: `memory`. */
  readonly system: string;
}

/** A value that is no longer stands on one line with the other one. */
const SHORT = 20;
/** Of a value that is longer than so many lines only the beginning is shown. */
const MAX_LINES = 3;

/**
 * Where a system went another way than the specification: `before` of each difference is what the specification has,
 * `after` what the system shows. As a tree, so that what is common to several paths is said once.
 */
export function differences(list: readonly Difference[], options: DifferencesOptions): string[] {
  const { step, action, args = [], system } = options;
  const palette = paletteFor(options.colour);
  const width = Math.max(60, options.width);
  const call = action === undefined ? '' : `, ${callText(action, args)},`;
  const where = step === 0 ? 'At the beginning' : `After step ${step}${call}`;
  const title = `${where} ${system} differs in ${count(list.length, 'place')}:`;
  const leaves = leavesOf(treeOf(pairElements(list)), '  ');
  const nameWidth = Math.min(Math.max(0, ...leaves.map(({ name }) => columns(name))), Math.floor(width / 3));
  return [
    ...wrap(title, width).map(palette.bold),
    ...leaves.flatMap((leaf) => leafLines(leaf, nameWidth, width, palette)),
  ];
}

function callText(action: string, args: readonly (Value | string | number)[]): string {
  const text = (arg: Value | string | number) =>
    typeof arg !== 'object' ? `${arg}` : arg.kind === 'string' ? arg.value : print(arg);
  return `${action}(${args.map(text).join(', ')})`;
}

function leafLines({ name, difference }: Leaf, nameWidth: number, width: number, { good, bad }: Palette): string[] {
  if (difference === undefined) return [name];
  const expected = valueText(difference.before);
  const got = valueText(difference.after);
  const isLong = columns(name) > nameWidth;
  const start = padEnd(isLong ? '' : name, nameWidth);
  const above = isLong ? [clip(name, width)] : [];
  if (columns(expected) <= SHORT && columns(got) <= SHORT) {
    return [...above, `${start}  expected ${good(expected)}${' '.repeat(SHORT - columns(expected))}  got ${bad(got)}`];
  }
  const lines = (label: string, text: string, style: (text: string) => string) => {
    const room = width - columns(label);
    return wrap(clip(text, room * MAX_LINES - 20), width, label).map((line) => colourFrom(line, columns(label), style));
  };
  return [
    ...above,
    ...lines(`${start}  expected `, expected, good),
    ...lines(`${' '.repeat(nameWidth)}  got      `, got, bad),
  ];
}

function valueText(value: Value | undefined): string {
  return value === undefined ? 'nothing' : print(value);
}

function colourFrom(line: string, start: number, style: (text: string) => string): string {
  return line.slice(0, start) + style(line.slice(start));
}

/** An element that is in one set only is, beside one that is in the other set only, probably the same one, changed. */
function pairElements(list: readonly Difference[]): Difference[] {
  const setOf = ({ path }: Difference) => {
    const segments = splitPath(path);
    return segments.at(-1)!.startsWith('{') ? segments.slice(0, -1).join('') : null;
  };
  return list.flatMap((difference) => {
    const set = setOf(difference);
    const same = set === null ? [] : list.filter((other) => setOf(other) === set);
    const removed = same.find(({ kind }) => kind === 'removed')?.before;
    const added = same.find(({ kind }) => kind === 'added')?.after;
    if (same.length !== 2 || removed === undefined || added === undefined) return [difference];
    return difference === same[0] ? diff(removed, added, `${set}{…}`) : [];
  });
}

type Tree = { readonly children: Map<string, Tree>; difference?: Difference };
type Leaf = { readonly name: string; readonly difference?: Difference | undefined };

function treeOf(list: readonly Difference[]): Tree {
  const root: Tree = { children: new Map() };
  for (const difference of list) {
    let at = root;
    for (const segment of splitPath(difference.path)) {
      const next: Tree = at.children.get(segment) ?? { children: new Map() };
      at.children.set(segment, next);
      at = next;
    }
    at.difference = difference;
  }
  return root;
}

/** A line for each fork and each leaf; a way without forks is one name. */
function leavesOf(tree: Tree, indent: string): Leaf[] {
  return [...tree.children].flatMap(([segment, child]) => {
    let name = indent + labelOf(segment);
    let at = child;
    while (at.difference === undefined && at.children.size === 1) {
      const [[next, below]] = [...at.children] as [[string, Tree]];
      name += labelOf(next);
      at = below;
    }
    return [{ name, difference: at.difference }, ...leavesOf(at, `${indent}  `)];
  });
}

/** The element of a set is shown as a value already. */
function labelOf(segment: string): string {
  return segment.startsWith('{') ? '{…}' : segment;
}
