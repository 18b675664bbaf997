import { explainFailure, specFolder } from '../claims/index.ts';
import { runTlc, type TlcOutcome } from '../tlc/index.ts';
import { type Look, ORIGINAL, type RunOptions } from './look.ts';
import { type Model, nameOf, withInstrumented } from './models.ts';
import type { Mutant } from './mutants.ts';
import { schemataOf } from './schemata.ts';

/** What a model says of a mutant. */
export type Fate =
  /** It breaks this property, which holds without it. */
  | { readonly kind: 'breaks'; readonly property: string }
  /** Every property holds, of more states than without it, or of fewer. */
  | { readonly kind: 'more' | 'fewer' }
  /** TLC cannot evaluate it. */
  | { readonly kind: 'halts'; readonly message: string }
  /** As many states as without it, and all is well: the model does not see it. */
  | { readonly kind: 'same' };

/**
 * Holds a model against many mutants in one run of TLC, by their numbers, from 1 on. The original runs with them, and must
 * be as it was looked at.
 */
export async function runBatch(
  model: Model,
  mutants: ReadonlyMap<number, Mutant>,
  look: Look,
  options: RunOptions = {},
): Promise<Map<number, Fate>> {
  const fates = new Map<number, Fate>();
  let open = [ORIGINAL, ...mutants.keys()];
  while (open.length > 1 || !fates.has(ORIGINAL)) {
    const { outcome, said } = await runOnce(model, mutants, open, look, options);
    for (const [number, property] of said.broken) fates.set(number, { kind: 'breaks', property });
    if (outcome.kind === 'success') {
      for (const number of open.filter((one) => !fates.has(one)))
        fates.set(number, { kind: said.more.has(number) ? 'more' : said.same.has(number) ? 'same' : 'fewer' });
      break;
    }
    const halted = haltedBy(outcome);
    if (halted === null) throw new Error(`${nameOf(model)}: ${explainFailure(outcome)}`);
    fates.set(halted.number, { kind: 'halts', message: halted.message });
    // Those that are known need not be run again.
    open = [ORIGINAL, ...open.filter((one) => one !== ORIGINAL && !fates.has(one))];
  }
  if (fates.get(ORIGINAL)?.kind !== 'same')
    throw new Error(`${nameOf(model)} is not as it was: ${JSON.stringify(fates.get(ORIGINAL))}`);
  fates.delete(ORIGINAL);
  return fates;
}

/**
 * Whether none of these mutants reaches a state that the specification does not: in one run that takes each step under any of
 * them, or none. With as many states as without it, a mutant then has the very same ones.
 */
export async function reachNothingElse(
  model: Model,
  mutants: ReadonlyMap<number, Mutant>,
  look: Look,
  { folder = specFolder, ...rest }: RunOptions = {},
): Promise<boolean> {
  const instrumented = {
    model,
    wraps: schemataOf(mutants),
    // Of the step that is being taken: `mutant` is chosen anew for each, and is no part of a state that TLC compares.
    definitions: "Mutated(m) == mutant' = m",
    body: ({ init, noted }: { init: string; noted: string | undefined }) => `
Numbers   == {${[ORIGINAL, ...mutants.keys()].join(', ')}}
InitHere  == ${init} /\\ mutant = ${ORIGINAL}
NextHere  == mutant' \\in Numbers /\\ Next
NotedHere == ${noted ?? 'TRUE'}
Seen      == P!vars
Within    == TLCGet("distinct") <= ${look.states} \\/ (PrintT(<<"more", "states">>) /\\ TLCSet("exit", TRUE))
`,
    judged: 'VIEW Seen\nINVARIANT Within',
  };
  const { outcome, statistics, userOutput } = await withInstrumented(instrumented, folder, (spec) =>
    runTlc({ spec, checkDeadlock: false, ...rest }),
  );
  if (outcome.kind !== 'success') throw new Error(`${nameOf(model)}: ${explainFailure(outcome)}`);
  return statistics.distinct === look.states && userOutput.length === 0;
}

interface Said {
  readonly broken: ReadonlyMap<number, string>;
  readonly same: ReadonlySet<number>;
  readonly more: ReadonlySet<number>;
}

async function runOnce(
  model: Model,
  mutants: ReadonlyMap<number, Mutant>,
  numbers: readonly number[],
  look: Look,
  { folder = specFolder, ...rest }: RunOptions,
): Promise<{ outcome: TlcOutcome; said: Said }> {
  const instrumented = {
    model,
    wraps: schemataOf(new Map([...mutants].filter(([number]) => numbers.includes(number)))),
    // No step changes it: it says which mutant a behaviour belongs to.
    definitions: 'Mutated(m) == mutant = m',
    body: ({ init, noted }: { init: string; noted: string | undefined }) => bodyOf(numbers, look, init, noted),
    judged: 'INVARIANT Judged',
  };
  const { outcome, userOutput } = await withInstrumented(instrumented, folder, (spec) =>
    runTlc({ spec, checkDeadlock: false, ...rest }),
  );
  return { outcome, said: readSaid(userOutput) };
}

/** Two registers for each mutant: how many states it has, and whether it is settled. Those of MC are below. */
function bodyOf(numbers: readonly number[], { states, holds }: Look, init: string, noted: string | undefined): string {
  return `
Numbers == {${numbers.join(', ')}}
StatesOf(m)  == 1000 + 2 * m
SettledOf(m) == 1001 + 2 * m
ASSUME \\A m \\in Numbers : TLCSet(StatesOf(m), 0) /\\ TLCSet(SettledOf(m), FALSE)
InitHere  == ${init} /\\ mutant \\in Numbers
NextHere  == Next
NotedHere == ${noted === undefined ? '' : `${noted} /\\ `}mutant' = mutant /\\ ~TLCGet(SettledOf(mutant))
Settle(how) == PrintT(<<"mutant", mutant, how>>) /\\ TLCSet(SettledOf(mutant), TRUE)
Judged ==
  /\\ TLCSet(StatesOf(mutant), TLCGet(StatesOf(mutant)) + 1)
  /\\ TLCGet(StatesOf(mutant)) = ${states} => PrintT(<<"mutant", mutant, "same">>)
  /\\ TLCGet(StatesOf(mutant)) = ${states + 1} => PrintT(<<"mutant", mutant, "more">>)
  /\\ IF TLCGet(SettledOf(mutant)) THEN TRUE
${holds.map((name) => `     ELSE IF ~${name} THEN Settle("${name}")`).join('\n')}
     ELSE IF TLCGet(StatesOf(mutant)) > ${2 * states} THEN TLCSet(SettledOf(mutant), TRUE)
     ELSE TRUE
`;
}

function readSaid(lines: readonly string[]): Said {
  const broken = new Map<number, string>();
  const same = new Set<number>();
  const more = new Set<number>();
  for (const line of lines) {
    const [, number, what] = /^<<"mutant", (\d+), "(\w+)">>$/.exec(line.trim()) ?? [];
    if (number === undefined || what === undefined) continue;
    if (what === 'same') same.add(Number(number));
    else if (what === 'more') more.add(Number(number));
    else broken.set(Number(number), what);
  }
  return { broken, same, more };
}

/** The mutant in whose state or step TLC could not go on. */
function haltedBy(outcome: TlcOutcome): { number: number; message: string } | null {
  if (!('trace' in outcome) || outcome.trace === null) return null;
  const value = outcome.trace.states.at(-1)?.get('mutant');
  if (value?.kind !== 'int' || Number(value.value) === ORIGINAL) return null;
  const message = 'message' in outcome ? outcome.message : outcome.kind;
  return { number: Number(value.value), message: message.split('\n')[0] ?? '' };
}
