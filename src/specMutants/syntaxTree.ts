import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runJarClass } from '../tlc/index.ts';

/** A piece of a module's text: lines and columns from 1, both ends included. */
export interface Place {
  readonly module: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** An element of the XML that SANY's exporter writes; it has no attributes. */
export interface Element {
  readonly tag: string;
  readonly children: readonly Element[];
  /** Of an element without children. */
  readonly text: string;
}

/** SANY's semantic tree: definitions and built-in operators by their UID. */
export interface SyntaxTree {
  readonly entries: ReadonlyMap<string, Element>;
}

export class SyntaxTreeError extends Error {
  override readonly name = 'SyntaxTreeError';
}

/** Lets SANY read a module (`tla2sany.xml.XMLExporter`, in the jar of TLC). */
export async function readSyntaxTree(module: string, library: string): Promise<SyntaxTree> {
  const own = await mkdtemp(join(tmpdir(), 'leader-epoch-sany-'));
  try {
    const args = ['-o', '-I', library, module];
    const { stdout, stderr } = await runJarClass('tla2sany.xml.XMLExporter', args, own);
    if (!stdout.startsWith('<?xml')) throw new SyntaxTreeError(`SANY cannot read ${module}: ${stderr.trim()}`);
    return treeOf(parseXml(stdout));
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

export function treeOf(modules: Element): SyntaxTree {
  const entries = child(modules, 'context').children.flatMap(({ children: [uid, node] }) =>
    uid && node ? [[uid.text, node] as const] : [],
  );
  return { entries: new Map(entries) };
}

/** Elements and text, which is all that the exporter writes. */
export function parseXml(xml: string): Element {
  interface Open {
    readonly tag: string;
    readonly children: Element[];
    text: string;
  }
  const root: Open = { tag: '', children: [], text: '' };
  const open: Open[] = [root];
  for (const [, closing, tag = '', empty, text] of xml.matchAll(/<\?[^>]*>|<(\/?)(\w+)\s*(\/?)>|([^<]+)/g)) {
    const top = open.at(-1) as Open;
    if (text !== undefined) top.text += unescaped(text);
    else if (tag === '') continue;
    else if (closing === '/') {
      open.pop();
      open.at(-1)?.children.push(top);
    } else if (empty === '/') top.children.push({ tag, children: [], text: '' });
    else open.push({ tag, children: [], text: '' });
  }
  const [only] = root.children;
  if (only === undefined || open.length !== 1) throw new SyntaxTreeError('The syntax tree of SANY is cut off.');
  return only;
}

function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
}

export function child(element: Element, tag: string): Element {
  const found = element.children.find((one) => one.tag === tag);
  if (found === undefined) throw new SyntaxTreeError(`SANY's element ${element.tag} has no ${tag}.`);
  return found;
}

export function childrenOf(element: Element, tag: string): readonly Element[] {
  return element.children.find((one) => one.tag === tag)?.children ?? [];
}

export function placeOf(element: Element): Place {
  const location = child(element, 'location');
  const at = (what: 'line' | 'column', end: 'begin' | 'end'): number => Number(child(child(location, what), end).text);
  return {
    module: child(location, 'filename').text,
    line: at('line', 'begin'),
    column: at('column', 'begin'),
    endLine: at('line', 'end'),
    endColumn: at('column', 'end'),
  };
}

/** 0: constant, 1: of a state, 2: of a step. */
export function levelOf(element: Element): number {
  return Number(child(element, 'level').text);
}

/** What an application applies: the name of a built-in operator or a definition, or null (a parameter, a variable). */
export function operatorOf(
  element: Element,
  { entries }: SyntaxTree,
): { name: string; definition: string | null } | null {
  const [reference] = childrenOf(element, 'operator');
  if (reference === undefined) return null;
  const uid = child(reference, 'UID').text;
  const entry = entries.get(uid);
  if (entry === undefined) return null;
  const isDefinition = entry.tag === 'UserDefinedOpKind';
  if (!isDefinition && entry.tag !== 'BuiltInKind' && entry.tag !== 'OpDeclNode') return null;
  return { name: child(entry, 'uniquename').text, definition: isDefinition ? uid : null };
}
