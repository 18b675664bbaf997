import { copyFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Claim, explainFailure, modelConfig, specFolder } from '../claims/index.ts';
import { runTlc, type TlcOutcome } from '../tlc/index.ts';
import type { Mutant } from './mutants.ts';
import { schemataOf } from './schemata.ts';

/** What a claim says of a mutant. */
export type Fate =
  /** It breaks this property of the claim, or `TypeOk`. */
  | { readonly kind: 'breaks'; readonly property: string }
  /** Every property holds, of more states than the claim records, or of fewer. */
  | { readonly kind: 'more' | 'fewer' }
  /** TLC cannot evaluate it. */
  | { readonly kind: 'halts'; readonly message: string }
  /** As many states as recorded, and all is well: the claim does not see it. */
  | { readonly kind: 'same' };

export interface BatchOptions {
  readonly folder?: string;
  readonly signal?: AbortSignal;
  readonly env?: NodeJS.ProcessEnv;
}

/** The specification as it is. */
export const ORIGINAL = 0;

/**
 * Holds a claim against many mutants in one run of TLC. `mutants`: by their numbers, from 1 on; only those of `asked` are run,
 * and the original with them, which must be as claimed.
 */
export async function runBatch(
  claim: Claim,
  mutants: ReadonlyMap<number, Mutant>,
  asked: readonly number[],
  options: BatchOptions = {},
): Promise<Map<number, Fate>> {
  const fates = new Map<number, Fate>();
  let open = [ORIGINAL, ...asked];
  while (open.length > 1 || !fates.has(ORIGINAL)) {
    const { outcome, said } = await runOnce(claim, mutants, open, options);
    for (const [number, property] of said.broken) fates.set(number, { kind: 'breaks', property });
    if (outcome.kind === 'success') {
      for (const number of open.filter((one) => !fates.has(one)))
        fates.set(number, { kind: said.more.has(number) ? 'more' : said.same.has(number) ? 'same' : 'fewer' });
      break;
    }
    const halted = haltedBy(outcome);
    if (halted === null) throw new Error(`${claim.claim}: ${explainFailure(outcome)}`);
    fates.set(halted.number, { kind: 'halts', message: halted.message });
    // Those that are known need not be run again.
    open = [ORIGINAL, ...open.filter((one) => one !== ORIGINAL && !fates.has(one))];
  }
  if (fates.get(ORIGINAL)?.kind !== 'same')
    throw new Error(`${claim.claim} is not as claimed to begin with: ${JSON.stringify(fates.get(ORIGINAL))}`);
  fates.delete(ORIGINAL);
  return fates;
}

interface Said {
  readonly broken: ReadonlyMap<number, string>;
  readonly same: ReadonlySet<number>;
  readonly more: ReadonlySet<number>;
}

async function runOnce(
  claim: Claim,
  mutants: ReadonlyMap<number, Mutant>,
  numbers: readonly number[],
  { folder = specFolder, ...rest }: BatchOptions,
): Promise<{ outcome: TlcOutcome; said: Said }> {
  const own = await mkdtemp(join(tmpdir(), 'leader-epoch-mutants-'));
  try {
    for (const name of await readdir(folder))
      if (name.endsWith('.tla')) await copyFile(join(folder, name), join(own, name));
    await copyFile(join(folder, 'models', `${claim.model}.tla`), join(own, `${claim.model}.tla`));
    const chosen = numbers.flatMap((number) => {
      const mutant = mutants.get(number);
      return mutant === undefined ? [] : [{ number, mutant }];
    });
    for (const module of ['EpochCache', 'LeaderEpoch']) {
      const here = chosen.filter(({ mutant }) => mutant.place.module === module);
      const source = schemataOf(await readFile(join(folder, `${module}.tla`), 'utf8'), here);
      await writeFile(
        join(own, `${module}.tla`),
        module === 'EpochCache' ? source.replace(/^EXTENDS .*$/m, '$&\nVARIABLE mutant') : source,
      );
    }
    const mc = await readFile(join(folder, 'MC.tla'), 'utf8');
    await writeFile(join(own, 'MC.tla'), mc.replace(/^VARIABLES$/m, 'VARIABLES\n    mutant,'));
    const config = await readFile(join(folder, 'models', `${claim.model}.cfg`), 'utf8');
    await writeFile(
      join(own, 'Mutants.tla'),
      moduleFor(claim, numbers, /^INIT (\w+)/m.exec(config)?.[1] ?? 'Init', folder),
    );
    await writeFile(join(own, 'Mutants.cfg'), configFor(config));
    const { outcome, userOutput } = await runTlc({
      spec: join(own, 'Mutants.tla'),
      checkDeadlock: false,
      ...rest,
    });
    return { outcome, said: readSaid(userOutput) };
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

/** Two registers for each mutant: how many states it has, and whether it is settled. Those of MC are below. */
function moduleFor(claim: Claim, numbers: readonly number[], init: string, folder: string): string {
  const { substitutions } = modelConfig(claim.model, folder);
  const remembers = substitutions.get('Noted');
  const properties = ['TypeOk', ...claim.property.filter((name) => !name.endsWith('Prop') && name !== 'Refines')];
  const states = claim.counts.states ?? 0;
  return `---- MODULE Mutants ----
EXTENDS ${claim.model}
Numbers == {${numbers.join(', ')}}
StatesOf(m)  == 1000 + 2 * m
SettledOf(m) == 1001 + 2 * m
ASSUME \\A m \\in Numbers : TLCSet(StatesOf(m), 0) /\\ TLCSet(SettledOf(m), FALSE)
InitHere  == ${init} /\\ mutant \\in Numbers
NotedHere == ${remembers === undefined ? '' : `${remembers} /\\ `}mutant' = mutant /\\ ~TLCGet(SettledOf(mutant))
Settle(how) == PrintT(<<"mutant", mutant, how>>) /\\ TLCSet(SettledOf(mutant), TRUE)
Judged ==
  /\\ TLCSet(StatesOf(mutant), TLCGet(StatesOf(mutant)) + 1)
  /\\ TLCGet(StatesOf(mutant)) = ${states} => PrintT(<<"mutant", mutant, "same">>)
  /\\ TLCGet(StatesOf(mutant)) = ${states + 1} => PrintT(<<"mutant", mutant, "more">>)
  /\\ IF TLCGet(SettledOf(mutant)) THEN TRUE
${properties.map((name) => `     ELSE IF ~${name} THEN Settle("${name}")`).join('\n')}
     ELSE IF TLCGet(StatesOf(mutant)) > ${2 * states} THEN TLCSet(SettledOf(mutant), TRUE)
     ELSE TRUE
====
`;
}

/** The model's own configuration, judged by `Judged` alone. */
function configFor(config: string): string {
  const kept = config
    .split('\n')
    .filter(
      (line) => !/^(INIT|NEXT|SPECIFICATION|INVARIANTS?|PROPERT(Y|IES)|CHECK_DEADLOCK)\b|^\s*Noted\s*<-/.test(line),
    )
    .map((line) => line.replace(/^(\s*Watch\s*=).*/, '$1 {}'))
    .join('\n')
    .trimEnd();
  return `INIT InitHere\nNEXT Next\nCHECK_DEADLOCK FALSE\n${kept}\n    Noted <- NotedHere\nINVARIANT Judged\n`;
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
