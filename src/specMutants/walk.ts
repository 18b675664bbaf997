import {
  child,
  childrenOf,
  type Element,
  operatorOf,
  type Place,
  placeOf,
  type SyntaxTree,
  SyntaxTreeError,
} from './syntaxTree.ts';

/** An operator that is applied to something, in a definition. */
export interface Application {
  readonly node: Element;
  /** Of the operator; empty for a parameter. */
  readonly name: string;
  readonly operands: readonly Element[];
  /** The name of the definition that it stands in. */
  readonly definition: string;
}

/** The text of the modules that are walked, by name. */
export type Sources = ReadonlyMap<string, string>;

/** Visits every application in what a definition (the next-state relation) is made of, each definition once. */
export function walk(
  tree: SyntaxTree,
  root: string,
  sources: Sources,
  visit: (application: Application) => void,
): void {
  walkFrom([uidOf(tree, root)], tree, sources, visit);
}

/** ... in every definition of these modules. */
export function everywhere(tree: SyntaxTree, sources: Sources, visit: (application: Application) => void): void {
  walkFrom([...tree.entries.keys()], tree, sources, visit);
}

function walkFrom(
  uids: readonly string[],
  tree: SyntaxTree,
  sources: Sources,
  visit: (application: Application) => void,
): void {
  const seen = new Set<string>();

  const enter = (uid: string): void => {
    if (seen.has(uid)) return;
    seen.add(uid);
    const entry = tree.entries.get(uid);
    if (entry?.tag !== 'UserDefinedOpKind' || !sources.has(placeOf(entry).module)) return;
    goThrough(childrenOf(entry, 'body'), child(entry, 'uniquename').text);
  };

  const goThrough = (nodes: readonly Element[], definition: string): void => {
    for (const node of nodes) go(node, definition);
  };

  const go = (node: Element, definition: string): void => {
    if (node.tag === 'LetInNode') {
      for (const { children } of childrenOf(node, 'opDefs')) enter(children[0]?.text ?? '');
      goThrough(childrenOf(node, 'body'), definition);
      return;
    }
    // What @ stands for was visited already.
    if (node.tag === 'AtNode') return;
    if (node.tag !== 'OpApplNode') {
      goThrough(node.children, definition);
      return;
    }
    const operator = operatorOf(node, tree);
    const operands = childrenOf(node, 'operands');
    if (operator?.definition) enter(operator.definition);
    for (const bound of childrenOf(node, 'boundSymbols')) goThrough(bound.children, definition);
    visit({ node, name: operator?.name ?? '', operands, definition });
    goThrough(operands, definition);
  };

  for (const uid of uids) enter(uid);
}

function uidOf({ entries }: SyntaxTree, name: string): string {
  for (const [uid, entry] of entries)
    if (entry.tag === 'UserDefinedOpKind' && child(entry, 'uniquename').text === name) return uid;
  throw new SyntaxTreeError(`There is no definition ${name}.`);
}

/** In the order of the text; of two that begin at one place, the outer one first. */
export function inOrder(a: Place, b: Place): number {
  return a.module === b.module
    ? a.line - b.line || a.column - b.column || b.endLine - a.endLine || b.endColumn - a.endColumn
    : a.module < b.module
      ? -1
      : 1;
}

/** Its text in one line, without comments. */
export function textOf(node: Element, sources: Sources): string {
  const place = placeOf(node);
  return textAt(sources.get(place.module) ?? '', place)
    .replace(/\\\*.*/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

function textAt(source: string, { line, column, endLine, endColumn }: Place): string {
  const lines = source.split('\n').slice(line - 1, endLine);
  return lines
    .map((text, index) => text.slice(index === 0 ? column - 1 : 0, index === lines.length - 1 ? endColumn : undefined))
    .join('\n');
}
