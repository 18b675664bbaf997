import { childrenOf, type Element, levelOf, operatorOf, type Place, placeOf, type SyntaxTree } from './syntaxTree.ts';
import { inOrder, type Sources, textOf, walk } from './walk.ts';

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
export const DISJUNCTION = new Set(['$DisjList', '\\lor']);

/** Every guard, alternative and update of what a definition (the next-state relation) is made of, in the order of the text. */
export function mutantsOf(tree: SyntaxTree, root: string, sources: Sources): Mutant[] {
  const found = new Map<string, Mutant>();

  const add = (kind: Mutant['kind'], definition: string, node: Element, becomes: string): void => {
    const place = placeOf(node);
    if (!sources.has(place.module)) return;
    found.set(keyOf(place, kind), { kind, definition, place, text: textOf(node, sources), becomes });
  };

  /** One of several formulas that are joined: a leaf can be left out. */
  const joined = (node: Element, definition: string, kind: 'guard' | 'alternative'): void => {
    const name = operatorOf(node, tree)?.name ?? '';
    const isJunction = CONJUNCTION.has(name) || DISJUNCTION.has(name);
    const isConstant = name === 'TRUE' || name === 'FALSE';
    if (levelOf(node) < 2 && !isJunction && !isConstant)
      add(kind, definition, node, kind === 'guard' ? 'TRUE' : 'FALSE');
  };

  walk(tree, root, sources, ({ node, name, operands, definition }) => {
    if (CONJUNCTION.has(name)) for (const operand of operands) joined(operand, definition, 'guard');
    if (DISJUNCTION.has(name)) for (const operand of operands) joined(operand, definition, 'alternative');
    if (name === '=' && operands.length === 2) {
      const variable = primed(operands[0] as Element);
      if (variable !== null) add('update', definition, node, `${variable}' = ${variable}`);
    }
  });

  /** The variable x of x'. */
  function primed(node: Element): string | null {
    if (operatorOf(node, tree)?.name !== "'") return null;
    const [inner] = childrenOf(node, 'operands');
    return inner === undefined ? null : (operatorOf(inner, tree)?.name ?? null);
  }

  return [...found.values()].sort((a, b) => inOrder(a.place, b.place));
}

function keyOf({ module, line, column, endLine, endColumn }: Place, kind: string): string {
  return `${module} ${line} ${column} ${endLine} ${endColumn} ${kind}`;
}
