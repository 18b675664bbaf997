/** A definition of a TLA+ module, as its source has it. */
export interface Definition {
  readonly module: string;
  readonly name: string;
  /** The line of the file on which its comment begins, from 1. */
  readonly firstLine: number;
  /** How many of the lines are the comment above. */
  readonly commentLines: number;
  readonly lines: readonly string[];
}

const known = new WeakMap<object, Map<string, Definition | null>>();

/** Null: none of the modules has it. */
export function definitionOf(name: string, sources: Readonly<Record<string, string>>): Definition | null {
  const found = known.get(sources) ?? new Map<string, Definition | null>();
  known.set(sources, found);
  const definition = found.has(name) ? found.get(name)! : find(name, sources);
  found.set(name, definition);
  return definition;
}

function find(name: string, sources: Readonly<Record<string, string>>): Definition | null {
  const heading = new RegExp(`^${name}(\\([^)]*\\))? *==`);
  for (const [module, source] of Object.entries(sources)) {
    if (!module.endsWith('.tla') || module === 'MC.tla') continue;
    const lines = source.split('\n');
    const at = lines.findIndex((line) => heading.test(line));
    if (at !== -1) return cutOut(module, name, lines, at);
  }
  return null;
}

function cutOut(module: string, name: string, lines: readonly string[], at: number): Definition {
  let start = at;
  while (/^(\\\*|\(\*|RECURSIVE)/.test(lines[start - 1] ?? '')) start--;
  let end = at + 1;
  while (end < lines.length && /^(\s|$)/.test(lines[end]!)) end++;
  while (lines[end - 1]?.trim() === '') end--;
  return { module, name, firstLine: start + 1, commentLines: at - start, lines: lines.slice(start, end) };
}

/** The lines (from 0, within the definition) of what begins with `snippet`: its own, and those that are indented further. */
export function regionOf(definition: Definition, snippet: string): { from: number; to: number } | null {
  const [at] = linesThatBeginWith(definition, snippet);
  if (at === undefined) return null;
  // The other arms of a CASE stand two columns further in than its first.
  const column = definition.lines[at]!.indexOf(snippet) + (snippet.startsWith('CASE ') ? 2 : 0);
  let to = at + 1;
  while (to < definition.lines.length && indentOf(definition.lines[to]!) > column) to++;
  return { from: at, to };
}

/** Lines (from 0) that begin with `snippet`, after what joins them to those above. */
export function linesThatBeginWith({ lines, commentLines }: Definition, snippet: string): number[] {
  return lines.flatMap((line, index) =>
    index >= commentLines && line.replace(/^\s*((\/\\|IN)\s+)*/, '').startsWith(snippet) ? [index] : [],
  );
}

function indentOf(line: string): number {
  return line.search(/\S/);
}
