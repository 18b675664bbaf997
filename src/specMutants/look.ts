import { explainFailure, specFolder } from '../claims/index.ts';
import { runTlc } from '../tlc/index.ts';
import { type Model, nameOf, type Wrap, withInstrumented } from './models.ts';
import type { Mutant } from './mutants.ts';

export interface RunOptions {
  readonly folder?: string;
  readonly signal?: AbortSignal;
  readonly env?: NodeJS.ProcessEnv;
}

/** What is to be seen of the specification as it is, before any mutant is run. */
export interface Look {
  readonly states: number;
  /** Of all the properties of the protocol, those that hold here. */
  readonly holds: readonly string[];
  /** The mutants whose place is evaluated by a step. */
  readonly evaluated: ReadonlySet<number>;
  /** ... and has another value than the mutant at least once. Without that, a mutant has the very same states. */
  readonly differs: ReadonlySet<number>;
}

/** A look that was stopped: it would take too long to run all mutants. */
export class TooLargeError extends Error {
  override readonly name = 'TooLargeError';
}

const PROPERTIES = [
  ...['TypeOk', 'CommittedSurvives', 'AckedSurvives', 'FollowerAgrees', 'AppendAgrees', 'NoDivergence', 'LogMatching'],
  ...['EpochsMonotone', 'CacheMatchesLog', 'CommittedSurvivesAnything', 'CutsOnlyWhatDiverges', 'RoundsProgress'],
];

/** The number of the specification as it is. */
export const ORIGINAL = 0;

export async function lookAt(
  model: Model,
  mutants: ReadonlyMap<number, Mutant>,
  { maxStates = 200_000, ...options }: RunOptions & { readonly maxStates?: number } = {},
): Promise<Look> {
  const { folder = specFolder, ...rest } = options;
  const numbers = [...mutants.keys()];
  const instrumented = {
    model,
    wraps: lookedAt(mutants),
    definitions: LOOKED,
    body: ({ init, noted }: { init: string; noted: string | undefined }) => `
ASSUME TLCSet(P!Judging, FALSE) /\\ \\A m \\in {${numbers.join(', ')}} : TLCSet(P!LookedOf(m), FALSE) /\\ TLCSet(P!DiffersOf(m), FALSE)
Broken(i) == 100 + i
Names == <<${PROPERTIES.map((name) => `"${name}"`).join(', ')}>>
ASSUME \\A i \\in DOMAIN Names : TLCSet(Broken(i), FALSE)
Holds(i) == CASE ${PROPERTIES.map((name, index) => `i = ${index + 1} -> ${name}`).join(' [] ')}
InitHere  == ${init} /\\ mutant = ${ORIGINAL}
NextHere  == Next
NotedHere == ${noted === undefined ? '' : `${noted} /\\ `}mutant' = mutant
Judged ==
  /\\ TLCSet(P!Judging, TRUE)
  /\\ \\A i \\in DOMAIN Names :
       TLCGet(Broken(i)) \\/ Holds(i) \\/ (TLCSet(Broken(i), TRUE) /\\ PrintT(<<"broken", Names[i]>>))
  /\\ TLCGet("distinct") <= ${maxStates} \\/ (PrintT(<<"broken", "bound">>) /\\ TLCSet("exit", TRUE))
  /\\ TLCSet(P!Judging, FALSE)
`,
    judged: 'INVARIANT Judged',
  };
  const { outcome, statistics, userOutput } = await withInstrumented(instrumented, folder, (spec) =>
    runTlc({ spec, checkDeadlock: false, ...rest }),
  );
  if (outcome.kind !== 'success') throw new Error(`${nameOf(model)}: ${explainFailure(outcome)}`);
  const said = (what: string): string[] =>
    userOutput.flatMap((line) => new RegExp(`^<<"${what}", "?(\\w+)"?>>$`).exec(line.trim())?.[1] ?? []);
  const broken = new Set(said('broken'));
  if (broken.has('bound')) throw new TooLargeError(`${nameOf(model)} has more than ${maxStates} states.`);
  return {
    states: statistics.distinct ?? 0,
    holds: PROPERTIES.filter((name) => !broken.has(name)),
    evaluated: new Set(said('looked').map(Number)),
    differs: new Set(said('differs').map(Number)),
  };
}

/** The text as it is, which says of each place that it is evaluated, and that its value is not the mutant's. */
export function lookedAt(mutants: ReadonlyMap<number, Mutant>): Wrap[] {
  return [...mutants].map(([number, { kind, place, becomes }]) => {
    if (kind === 'update')
      return {
        place,
        before: `(Looked(${number}) /\\ (`,
        after: `) /\\ IF ${becomes} THEN TRUE ELSE Differs(${number}))`,
      };
    const [ifTrue, ifFalse] = kind === 'guard' ? ['TRUE', `~Differs(${number})`] : [`Differs(${number})`, 'FALSE'];
    return { place, before: `(IF Looked(${number}) /\\ (`, after: `) THEN ${ifTrue} ELSE ${ifFalse})` };
  });
}

/** Both are TRUE, and say so the first time that a step (no property) comes there. As a condition, for TLC tries all disjuncts of a step. */
const LOOKED = `
Judging      == 99
LookedOf(m)  == 1000 + 2 * m
DiffersOf(m) == 1001 + 2 * m
Says(register, what, m) ==
  IF TLCGet(Judging) \\/ TLCGet(register) \\/ (TLCSet(register, TRUE) /\\ PrintT(<<what, m>>)) THEN TRUE ELSE FALSE
Looked(m)  == Says(LookedOf(m), "looked", m)
Differs(m) == Says(DiffersOf(m), "differs", m)
`;
