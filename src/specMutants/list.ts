import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type Mutant, mutantsOf } from './mutants.ts';
import { readSyntaxTree, SyntaxTreeError } from './syntaxTree.ts';

const listedSchema = z.strictObject({
  kind: z.enum(['guard', 'alternative', 'update']),
  module: z.string(),
  definition: z.string(),
  text: z.string(),
  becomes: z.string(),
  /** What settled it; `open`: no claim so far. */
  fate: z.enum(['breaks', 'more', 'fewer', 'halts', 'open']),
  claim: z.string().optional(),
  property: z.string().optional(),
  /** Of one that is open: these claims hold, of as many states as without it. */
  notSeenBy: z.array(z.string()).optional(),
});

/** A mutant without its place, which moves with every edit of the text above it. */
export type Listed = z.infer<typeof listedSchema>;

export function isSettled(fate: Listed['fate']): boolean {
  return fate !== 'open';
}

/** The mutants of the specification in a folder, by their numbers from 1 on. */
export async function readSpecMutants(folder: string): Promise<Map<number, Mutant>> {
  const sources = ['EpochCache', 'LeaderEpoch'].map(
    (module) => [module, readFileSync(join(folder, `${module}.tla`), 'utf8')] as const,
  );
  const tree = await readSyntaxTree(join(folder, 'LeaderEpoch.tla'), folder);
  return new Map(mutantsOf(tree, 'Next', new Map(sources)).map((mutant, index) => [index + 1, mutant]));
}

/** @throws SyntaxTreeError naming the file and the JSON path */
export function readList(text: string, file: string): Listed[] {
  const read = z.strictObject({ mutants: z.array(listedSchema) }).safeParse(JSON.parse(text));
  if (read.success) return read.data.mutants;
  const issue = read.error.issues[0];
  throw new SyntaxTreeError(`${file}: at ${issue?.path.join('.') || 'the top'}: ${issue?.message}.`);
}

export function printList(list: Iterable<Listed>): string {
  return `{\n  "mutants": [\n${[...list].map((one) => `    ${JSON.stringify(one)}`).join(',\n')}\n  ]\n}\n`;
}

/** Every mutant, with what is recorded of it: by its text, the n-th of several in one definition by its turn. */
export function listOf(mutants: ReadonlyMap<number, Mutant>, recorded: readonly Listed[]): Map<number, Listed> {
  const known = new Map<string, Listed[]>();
  for (const one of recorded) known.set(keyOf(one), [...(known.get(keyOf(one)) ?? []), one]);
  return new Map(
    [...mutants].map(([number, { kind, place, definition, text, becomes }]) => {
      const here = { kind, module: place.module, definition, text, becomes };
      return [number, known.get(keyOf(here))?.shift() ?? { ...here, fate: 'open' as const }];
    }),
  );
}

export function keyOf({ kind, module, definition, text, becomes }: Omit<Listed, 'fate'>): string {
  return [kind, module, definition, text, becomes].join('\n');
}
