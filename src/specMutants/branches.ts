import type { Wrap } from './models.ts';
import { DISJUNCTION } from './mutants.ts';
import { childrenOf, type Element, operatorOf, type Place, placeOf, type SyntaxTree } from './syntaxTree.ts';
import { inOrder, type Sources, textOf, walk } from './walk.ts';

/** One way that an evaluation can take. */
export interface Branch {
  /** An arm of an IF or a CASE, which is evaluated; or one of several disjuncts, which is true. */
  readonly kind: 'then' | 'else' | 'case' | 'disjunct';
  readonly definition: string;
  readonly place: Place;
  /** What leads into it: the condition of an IF, the guard of an arm of a CASE (`OTHER`); of a disjunct, itself. */
  readonly when: string;
}

/** Every branch of what a definition (the next-state relation) is made of, in the order of the text; its own are the actions. */
export function branchesOf(tree: SyntaxTree, root: string, sources: Sources): Branch[] {
  const found: Branch[] = [];

  const add = (kind: Branch['kind'], definition: string, place: Place, when: string): void => {
    if (definition !== root && sources.has(place.module)) found.push({ kind, definition, place, when });
  };

  walk(tree, root, sources, ({ node, name, operands, definition }) => {
    if (name === '$IfThenElse') {
      const [condition, whenTrue, whenFalse] = operands as [Element, Element, Element];
      add('then', definition, placeOf(whenTrue), textOf(condition, sources));
      add(
        'else',
        definition,
        whenFalse.tag === 'AtNode' ? lastCharacter(node) : placeOf(whenFalse),
        textOf(condition, sources),
      );
    }
    if (name === '$Case')
      for (const pair of operands) {
        const [guard, arm] = childrenOf(pair, 'operands') as [Element, Element];
        add('case', definition, placeOf(arm), guard.tag === 'StringNode' ? 'OTHER' : textOf(guard, sources));
      }
    if (DISJUNCTION.has(name))
      for (const operand of operands)
        if (!DISJUNCTION.has(operatorOf(operand, tree)?.name ?? ''))
          add('disjunct', definition, placeOf(operand), textOf(operand, sources));
  });
  return found.sort((a, b) => inOrder(a.place, b.place));
}

/** SANY gives `@` the place of what it stands in; it ends an IF. */
function lastCharacter(node: Element): Place {
  const { module, endLine, endColumn } = placeOf(node);
  return { module, line: endLine, column: endColumn, endLine, endColumn };
}

/** Each says by its number that it was reached: `Reached(n)` is true, and prints the first time. */
export function marksOf(branches: ReadonlyMap<number, Branch>): Wrap[] {
  return [...branches].map(([number, { kind, place }]) =>
    kind === 'disjunct'
      ? { place, before: '((', after: `) /\\ Reached(${number}))` }
      : { place, before: `(IF Reached(${number}) THEN`, after: ' ELSE FALSE)' },
  );
}
