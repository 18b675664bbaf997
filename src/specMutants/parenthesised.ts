import type { Wrap } from './models.ts';
import { placeOf, type SyntaxTree } from './syntaxTree.ts';
import { everywhere, type Sources } from './walk.ts';

/**
 * Parentheses around every CASE: the same to TLC, and to a checker that takes what follows a CASE in a bulleted list for a
 * part of its last arm.
 */
export function parenthesesOf(tree: SyntaxTree, sources: Sources): Wrap[] {
  const found = new Map<string, Wrap>();
  everywhere(tree, sources, ({ node, name }) => {
    const place = placeOf(node);
    if (name === '$Case') found.set(JSON.stringify(place), { place, before: '(', after: ')' });
  });
  return [...found.values()];
}
