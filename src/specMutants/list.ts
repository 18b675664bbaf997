import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { WRAPPED } from './models.ts';
import { type Mutant, mutantsOf } from './mutants.ts';
import { readSyntaxTree, type SyntaxTree, SyntaxTreeError } from './syntaxTree.ts';
import type { Sources } from './walk.ts';

const listedSchema = z.strictObject({
  kind: z.enum(['guard', 'alternative', 'update']),
  module: z.string(),
  definition: z.string(),
  text: z.string(),
  becomes: z.string(),
  /** What settled it; `others`: as many states, but not the same ones; `open`: nothing so far. */
  fate: z.enum(['breaks', 'more', 'fewer', 'halts', 'others', 'harmless', 'open']),
  /** The model that settled it: a claim's, in its own bound or in another one. */
  model: z.string().optional(),
  property: z.string().optional(),
  /** Models that evaluate its place and do not see it. */
  notSeenBy: z.array(z.string()).optional(),
  /** Of these, the ones that were shown to have the very same states with it. */
  sameStates: z.array(z.string()).optional(),
  /** Why it is harmless; of one that is open, why it should be. */
  reason: z.string().optional(),
});

/** A mutant without its place, which moves with every edit of the text above it. */
export type Listed = z.infer<typeof listedSchema>;

/** Some model tells it from the specification. */
export function isSettled(fate: Listed['fate']): boolean {
  return fate !== 'open' && fate !== 'harmless';
}

/** The mutants of the specification in a folder, by their numbers from 1 on. */
export async function readSpecMutants(folder: string): Promise<Map<number, Mutant>> {
  const { tree, sources } = await readSpec(folder);
  return new Map(mutantsOf(tree, 'Next', sources).map((mutant, index) => [index + 1, mutant]));
}

/** What SANY reads of the specification in a folder, and its text. */
export async function readSpec(folder: string): Promise<{ readonly tree: SyntaxTree; readonly sources: Sources }> {
  const sources = new Map(WRAPPED.map((module) => [module, readFileSync(join(folder, `${module}.tla`), 'utf8')]));
  return { tree: await readSyntaxTree(join(folder, 'LeaderEpoch.tla'), folder), sources };
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
