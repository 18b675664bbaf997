import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { explainFailure, modelConfig, specFolder } from '../claims/index.ts';
import { runTlc } from '../tlc/index.ts';
import { type Branch, branchesOf, marksOf } from './branches.ts';
import { readSpec } from './list.ts';
import type { RunOptions } from './look.ts';
import { type Model, nameOf, withInstrumented } from './models.ts';
import { SyntaxTreeError } from './syntaxTree.ts';

const actionSchema = z.strictObject({
  action: z.string(),
  /** The claim whose model takes it. */
  claim: z.string().optional(),
});
const branchSchema = z.strictObject({
  kind: z.enum(['then', 'else', 'case', 'disjunct']),
  module: z.string(),
  definition: z.string(),
  when: z.string(),
  claim: z.string().optional(),
});
const coverageSchema = z.strictObject({ actions: z.array(actionSchema), branches: z.array(branchSchema) });

/** What each action and each branch of the specification is reached by. */
export type Coverage = z.infer<typeof coverageSchema>;

/** @throws SyntaxTreeError naming the file and the JSON path */
export function readCoverage(text: string, file: string): Coverage {
  const read = coverageSchema.safeParse(JSON.parse(text));
  if (read.success) return read.data;
  const issue = read.error.issues[0];
  throw new SyntaxTreeError(`${file}: at ${issue?.path.join('.') || 'the top'}: ${issue?.message}.`);
}

export function printCoverage({ actions, branches }: Coverage): string {
  const lines = (of: readonly object[]): string => of.map((one) => `    ${JSON.stringify(one)}`).join(',\n');
  return `{\n  "actions": [\n${lines(actions)}\n  ],\n  "branches": [\n${lines(branches)}\n  ]\n}\n`;
}

/** The branches of the specification in a folder, by their numbers from 1 on. */
export async function readBranches(folder: string): Promise<Map<number, Branch>> {
  const { tree, sources } = await readSpec(folder);
  return new Map(branchesOf(tree, 'Next', sources).map((branch, index) => [index + 1, branch]));
}

export interface Reached {
  readonly actions: ReadonlySet<string>;
  readonly branches: ReadonlySet<number>;
  readonly states: number;
}

/** Runs a claim's model as it is checked, to its counterexample if it has one. */
export async function reachedBy(
  model: Model,
  branches: ReadonlyMap<number, Branch>,
  { folder = specFolder, ...rest }: RunOptions = {},
): Promise<Reached> {
  const { invariants } = modelConfig(model.claim.model, folder);
  const instrumented = {
    model,
    wraps: marksOf(branches),
    definitions: REACHED,
    body: ({ init, noted }: { init: string; noted: string | undefined }) => `
ASSUME TLCSet(P!Judging, FALSE) /\\ \\A n \\in {${[0, ...branches.keys()].join(', ')}} : TLCSet(P!ReachedAt(n), FALSE)
InitHere  == ${init} /\\ mutant = 0
NextHere  == Next
NotedHere == ${noted === undefined ? '' : `${noted} /\\ `}mutant' = mutant
Judged    == TLCSet(P!Judging, TRUE) /\\ ${invariants.join(' /\\ ')} /\\ TLCSet(P!Judging, FALSE)
`,
    judged: 'INVARIANT Judged',
  };
  const { outcome, coverage, userOutput, statistics } = await withInstrumented(instrumented, folder, (spec) =>
    runTlc({ spec, checkDeadlock: false, coverageMinutes: 60, ...rest }),
  );
  const ended = outcome.kind === 'success' || (outcome.kind === 'invariant' && model.claim.verdict === 'violated');
  if (!ended) throw new Error(`${nameOf(model)}: ${explainFailure(outcome) || outcome.kind}`);
  const taken = coverage.filter(({ kind, count }) => kind === 'next' && (count ?? 0) > 0);
  return {
    actions: new Set(taken.flatMap(({ name }) => name ?? [])),
    branches: new Set(userOutput.flatMap((line) => /^<<"branch", (\d+)>>$/.exec(line.trim())?.[1] ?? []).map(Number)),
    states: statistics.distinct ?? 0,
  };
}

/** TRUE, and says so the first time that a step (no property) comes there. As a condition, for TLC tries all disjuncts of a step. */
const REACHED = `
Judging      == 99
ReachedAt(n) == 1000 + n
Reached(n)   ==
  IF TLCGet(Judging) \\/ TLCGet(ReachedAt(n)) \\/ (TLCSet(ReachedAt(n), TRUE) /\\ PrintT(<<"branch", n>>)) THEN TRUE ELSE FALSE
`;

/** The actions and branches of the specification now, with what is recorded of each by its text. */
export function coverageOf(folder: string, branches: ReadonlyMap<number, Branch>, recorded: Coverage | null): Coverage {
  const known = new Map<string, Coverage['branches'][number][]>();
  for (const one of recorded?.branches ?? []) known.set(keyOf(one), [...(known.get(keyOf(one)) ?? []), one]);
  return {
    actions: actionsOf(readFileSync(join(folder, 'MC.tla'), 'utf8')).map(
      (action) => recorded?.actions.find((one) => one.action === action) ?? { action },
    ),
    branches: [...branches.values()].map(({ kind, place, definition, when }) => {
      const here = { kind, module: place.module, definition, when };
      return known.get(keyOf(here))?.shift() ?? here;
    }),
  };
}

/** The disjuncts of the next-state relation within bounds, each of which has a name. */
function actionsOf(source: string): string[] {
  const next = /^Next ==\n((?: {4}.*\n)+)/m.exec(source)?.[1] ?? '';
  return next.split('\n').flatMap((line) => /(\w+)(?:\([^)]*\))?$/.exec(line.trim())?.[1] ?? []);
}

function keyOf({ kind, module, definition, when }: Coverage['branches'][number]): string {
  return [kind, module, definition, when].join('\n');
}
