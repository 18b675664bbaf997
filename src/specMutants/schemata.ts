import type { Wrap } from './models.ts';
import type { Mutant } from './mutants.ts';

/**
 * All mutants in one text, `IF Mutated(7) THEN … ELSE …` where each stands, so that one run of TLC can look at all of them.
 * What is kept begins in the column that it had, for the lists of bulleted formulas depend on that.
 */
export function schemataOf(mutants: ReadonlyMap<number, Mutant>): Wrap[] {
  return [...mutants].map(([number, { place, becomes }]) => ({
    place,
    before: `(IF Mutated(${number}) THEN ${becomes} ELSE`,
    after: ')',
  }));
}

/** One mutant alone, as a reader would write it. */
export function mutated(source: string, { place, becomes }: Mutant): string {
  const lines = source.split('\n');
  const before = (lines[place.line - 1] ?? '').slice(0, place.column - 1);
  const after = (lines[place.endLine - 1] ?? '').slice(place.endColumn);
  lines.splice(place.line - 1, place.endLine - place.line + 1, `${before}${becomes}${after}`);
  return lines.join('\n');
}
