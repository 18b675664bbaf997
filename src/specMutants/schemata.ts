import type { Mutant } from './mutants.ts';

/**
 * All mutants in one text: `IF mutant = 7 THEN … ELSE …` where each stands, so that one run of TLC can look at all of them.
 * `mutant` is a variable that no step changes. What is kept begins in the column that it had, for the lists of bulleted
 * formulas depend on that.
 */
export function schemataOf(
  source: string,
  mutants: readonly { readonly mutant: Mutant; readonly number: number }[],
): string {
  const lines = source.split('\n').map((text) => [...text.split('')]);
  // Inserted before a character, or after it: the outer of two that begin at one place comes first, and is closed last.
  for (const { mutant, number } of [...mutants].sort((a, b) => extent(a.mutant) - extent(b.mutant))) {
    const { line, column, endLine, endColumn } = mutant.place;
    const first = lines[line - 1]?.[column - 1] ?? '';
    const begun = `(IF mutant = ${number} THEN ${mutant.becomes} ELSE\n${' '.repeat(column - 1)}`;
    (lines[line - 1] as string[])[column - 1] = `${begun}${first}`;
    const last = lines[endLine - 1]?.[endColumn - 1] ?? '';
    (lines[endLine - 1] as string[])[endColumn - 1] = `${last})`;
  }
  return lines.map((characters) => characters.join('')).join('\n');
}

/** One mutant alone, as a reader would write it. */
export function mutated(source: string, { place, becomes }: Mutant): string {
  const lines = source.split('\n');
  const before = (lines[place.line - 1] ?? '').slice(0, place.column - 1);
  const after = (lines[place.endLine - 1] ?? '').slice(place.endColumn);
  lines.splice(place.line - 1, place.endLine - place.line + 1, `${before}${becomes}${after}`);
  return lines.join('\n');
}

/** How much text it covers: inner ones have less. */
function extent({ place }: Mutant): number {
  return (place.endLine - place.line) * 1_000 + place.endColumn - place.column;
}
