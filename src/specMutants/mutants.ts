import {
  child,
  childrenOf,
  type Element,
  levelOf,
  operatorOf,
  type Place,
  placeOf,
  type SyntaxTree,
  SyntaxTreeError,
} from './syntaxTree.ts';

/** One small change of the specification. */
export interface Mutant {
  /** `guard`: a conjunct that may stop a step is left out; `alternative`: a disjunct is; `update`: a variable stays as it was. */
  readonly kind: 'guard' | 'alternative' | 'update';
  /** The definition that it stands in. */
  readonly definition: string;
  readonly place: Place;
  /** The text that is there, blanks and line ends as one blank. */
  readonly text: string;
  /** What stands there instead. */
  readonly becomes: string;
}

const CONJUNCTION = new Set(['$ConjList', '\\land']);
const DISJUNCTION = new Set(['$DisjList', '\\lor']);

/**
 * Every guard, alternative and update of what a definition (the next-state relation) is made of, in the order of the
 * text. `sources`: the modules whose text may be changed, by name.
 */
export function mutantsOf(tree: SyntaxTree, root: string, sources: ReadonlyMap<string, string>): Mutant[] {
  const found = new Map<string, Mutant>();
  const seen = new Set<string>();

  const add = (kind: Mutant['kind'], definition: string, node: Element, becomes: string): void => {
    const place = placeOf(node);
    const source = sources.get(place.module);
    if (source === undefined) return;
    const text = textAt(source, place)
      .replace(/\\\*.*/g, '')
      .replace(/\s+/g, ' ')
      .trim();
    found.set(keyOf(place, kind), { kind, definition, place, text, becomes });
  };

  const enter = (uid: string): void => {
    if (seen.has(uid)) return;
    seen.add(uid);
    const entry = tree.entries.get(uid);
    if (entry?.tag !== 'UserDefinedOpKind' || !sources.has(placeOf(entry).module)) return;
    for (const body of childrenOf(entry, 'body')) visit(body, child(entry, 'uniquename').text);
  };

  const visitAll = (nodes: readonly Element[], definition: string): void => {
    for (const node of nodes) visit(node, definition);
  };

  /** One of several formulas that are joined: a leaf can be left out. */
  const joined = (node: Element, definition: string, kind: 'guard' | 'alternative'): void => {
    const name = operatorOf(node, tree)?.name ?? '';
    const isJunction = CONJUNCTION.has(name) || DISJUNCTION.has(name);
    const isConstant = name === 'TRUE' || name === 'FALSE';
    if (levelOf(node) < 2 && !isJunction && !isConstant)
      add(kind, definition, node, kind === 'guard' ? 'TRUE' : 'FALSE');
    visit(node, definition);
  };

  const visit = (node: Element, definition: string): void => {
    if (node.tag === 'LetInNode') {
      for (const { children } of childrenOf(node, 'opDefs')) enter(children[0]?.text ?? '');
      visitAll(childrenOf(node, 'body'), definition);
      return;
    }
    // What @ stands for was visited already.
    if (node.tag === 'AtNode') return;
    if (node.tag !== 'OpApplNode') {
      visitAll(node.children, definition);
      return;
    }
    const operator = operatorOf(node, tree);
    const operands = childrenOf(node, 'operands');
    const name = operator?.name ?? '';
    if (operator?.definition) enter(operator.definition);
    for (const bound of childrenOf(node, 'boundSymbols')) visitAll(bound.children, definition);
    if (CONJUNCTION.has(name)) {
      for (const operand of operands) joined(operand, definition, 'guard');
      return;
    }
    if (DISJUNCTION.has(name)) {
      for (const operand of operands) joined(operand, definition, 'alternative');
      return;
    }
    if (name === '=' && operands.length === 2) {
      const variable = primed(operands[0] as Element);
      if (variable !== null) add('update', definition, node, `${variable}' = ${variable}`);
    }
    visitAll(operands, definition);
  };

  /** The variable x of x'. */
  const primed = (node: Element): string | null => {
    if (operatorOf(node, tree)?.name !== "'") return null;
    const [inner] = childrenOf(node, 'operands');
    return inner === undefined ? null : (operatorOf(inner, tree)?.name ?? null);
  };

  enter(uidOf(tree, root));
  return [...found.values()].sort((a, b) => inOrder(a.place, b.place));
}

function uidOf({ entries }: SyntaxTree, name: string): string {
  for (const [uid, entry] of entries)
    if (entry.tag === 'UserDefinedOpKind' && child(entry, 'uniquename').text === name) return uid;
  throw new SyntaxTreeError(`There is no definition ${name}.`);
}

function keyOf({ module, line, column, endLine, endColumn }: Place, kind: string): string {
  return `${module} ${line} ${column} ${endLine} ${endColumn} ${kind}`;
}

function inOrder(a: Place, b: Place): number {
  return a.module === b.module
    ? a.line - b.line || a.column - b.column || b.endLine - a.endLine || b.endColumn - a.endColumn
    : a.module < b.module
      ? -1
      : 1;
}

export function textAt(source: string, { line, column, endLine, endColumn }: Place): string {
  const lines = source.split('\n').slice(line - 1, endLine);
  return lines
    .map((text, index) => text.slice(index === 0 ? column - 1 : 0, index === lines.length - 1 ? endColumn : undefined))
    .join('\n');
}
