import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { BRIEF_STATES, runTlc, type TlcResult } from '../tlc/index.ts';
import { explainFailure, modelConfig, vacuityReasons, watchedSights } from './check.ts';
import { type Claim, ClaimsError, specFolder } from './claims.ts';
import { specHash } from './specHash.ts';
import { TRIES, type Try, type Variant, variantOf, withVariant } from './variant.ts';

const count = z.number().int().nonnegative();

/** What came of one run of a claim's model in another bound. */
const runSchema = z.strictObject({
  claim: z.string(),
  try: z.enum(TRIES),
  /** What is different from the claim's own bound. */
  bound: z.string(),
  /** `open`: nothing was found, and not all was seen. */
  verdict: z.enum(['holds', 'violated', 'open']),
  /** The property that is violated, and the states of the counterexample. */
  property: z.string().optional(),
  length: count.optional(),
  /** Distinct states; of a simulation, states seen. */
  states: count,
  depth: count,
  /** `open`: after how many states, or random behaviours, the run was stopped. */
  limit: count.optional(),
  /** Behaviours at random, and not all states breadth first. */
  atRandom: z.literal(true).optional(),
  seconds: z.number().nonnegative(),
  /** The specification that was run: the first digits of its hash. */
  spec: z.string(),
});

export type BeyondRun = z.infer<typeof runSchema>;

const FILE = 'beyond.json';

/** @throws ClaimsError naming the file and the JSON path */
export function loadBeyond(folder = specFolder): BeyondRun[] {
  const file = join(folder, FILE);
  const read = z.strictObject({ runs: z.array(runSchema) }).safeParse(JSON.parse(readFileSync(file, 'utf8')));
  if (read.success) return read.data.runs;
  const issue = read.error.issues[0];
  throw new ClaimsError(`${file}: at ${issue?.path.join('.') || 'the top'}: ${issue?.message}.`);
}

/** One run a line, in the order of the claims. */
export function printBeyond(runs: readonly BeyondRun[], claims: readonly Claim[]): string {
  const place = (run: BeyondRun): number =>
    claims.findIndex(({ claim }) => claim === run.claim) * TRIES.length + TRIES.indexOf(run.try);
  const lines = [...runs].sort((a, b) => place(a) - place(b)).map((run) => `    ${JSON.stringify(run)}`);
  return `{\n  "runs": [\n${lines.join(',\n')}\n  ]\n}\n`;
}

export interface BeyondOptions {
  /** Where it is stopped: distinct states, or random behaviours, as which liveness is tried that is to stop early. */
  readonly limit?: number;
  readonly folder?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

export type BeyondResult =
  | { readonly kind: 'ran'; readonly run: BeyondRun; readonly unreached: readonly string[] }
  /** The model cannot be run so. */
  | { readonly kind: 'untried'; readonly why: string }
  | { readonly kind: 'couldNotTell'; readonly reason: string };

/** Why a claim's model is never run so; null where it can be. */
export function whyUntried(claim: Claim, kind: Try, folder = specFolder): string | null {
  const variant = variantOf(kind, modelConfig(claim.model, folder), claim.larger);
  return 'untried' in variant ? variant.untried : null;
}

/** Enough to see whether a verdict stands, and a minute or two on one core. */
const LIMITS: Readonly<Record<Try, number>> = {
  itself: 3_000_000,
  smaller: 300_000,
  larger: 300_000,
  three: 100_000,
  simulated: 1_000,
  lazy: 3_000_000,
};

/** Steps of a random behaviour, which may end earlier: where nothing is left to do. */
const RANDOM_DEPTH = 80;

/** Runs TLC on a claim's model in another bound. */
export async function tryBeyond(claim: Claim, kind: Try, options: BeyondOptions = {}): Promise<BeyondResult> {
  const folder = options.folder ?? specFolder;
  const config = modelConfig(claim.model, folder);
  const variant = variantOf(kind, config, claim.larger);
  if ('untried' in variant) return { kind: 'untried', why: variant.untried };
  const limit = options.limit ?? LIMITS[kind];
  const own = await mkdtemp(join(tmpdir(), 'leader-epoch-beyond-'));
  try {
    // A search for lassos needs the whole graph, or looks at single behaviours; steps can be held against a property (`Refines`)
    // as far as they were seen.
    const isLiveness = config.properties.some((name) => name.endsWith('Prop'));
    const atRandom = kind === 'simulated' || (isLiveness && options.limit !== undefined);
    await writeModel(own, folder, claim, variant, atRandom || isLiveness ? null : limit);
    const result = await runTlc({
      spec: join(own, 'Beyond.tla'),
      library: [folder, join(folder, 'models')],
      checkDeadlock: false,
      brief: !atRandom && kind !== 'itself' && !isLiveness && limit <= BRIEF_STATES,
      ...(atRandom && { simulate: { traces: limit }, depth: RANDOM_DEPTH }),
      ...(isLiveness && !atRandom && { extraArgs: ['-lncheck', 'final'] }),
      ...(options.env && { env: options.env }),
      ...(options.signal && { signal: options.signal }),
      ...(options.timeoutMs && { timeoutMs: options.timeoutMs }),
    });
    return resultOf(claim, kind, variant, result, { limit, atRandom, folder });
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

/**
 * The model with one invariant more, always true, which ends the search after so many states. A told schedule, which counts
 * its steps by the depth of the search, counts them by a variable where checkpoints may come between them.
 */
async function writeModel(own: string, folder: string, claim: Claim, variant: Variant, limit: number | null) {
  const counts = variant.betweenSteps !== null;
  const lines = [
    '---- MODULE Beyond ----',
    `EXTENDS ${claim.model}`,
    ...(limit === null ? [] : [`Enough == TLCGet("distinct") < ${limit} \\/ TLCSet("exit", TRUE)`]),
    ...(counts ? toldWith(variant.betweenSteps) : []),
    '====',
  ];
  const config = await readFile(join(folder, 'models', `${claim.model}.cfg`), 'utf8');
  const changed = withVariant(config, variant, limit === null ? undefined : 'Enough');
  await writeFile(join(own, 'Beyond.tla'), `${lines.join('\n')}\n`);
  await writeFile(
    join(own, 'Beyond.cfg'),
    counts ? changed.replace('INIT Init', 'INIT InitHere').replace('Told <- ToldHere', 'Told <- ToldAndMore') : changed,
  );
}

function toldWith(action: string): string[] {
  return [
    'VARIABLE told',
    'InitHere == Init /\\ told = 0',
    'ToldAndMore(step) ==',
    `  IF step[1] = "${action}" THEN UNCHANGED told ELSE`,
    '    /\\ told < Len(Schedule)',
    '    /\\ step = Schedule[told + 1]',
    "    /\\ told' = told + 1",
    '    /\\ told\' = Len(Schedule) => PrintT(<<"reached", "StoryEnds">>)',
  ];
}

function resultOf(
  claim: Claim,
  kind: Try,
  variant: Variant,
  { outcome, statistics, userOutput, durationMs }: TlcResult,
  { limit, atRandom, folder }: { limit: number; atRandom: boolean; folder: string },
): BeyondResult {
  const about = { claim: claim.claim, try: kind, bound: variant.bound, ...(atRandom && { atRandom }) };
  const measured = {
    states: statistics.distinct ?? statistics.generated ?? 0,
    depth: atRandom ? RANDOM_DEPTH : (statistics.depth ?? 0),
    seconds: Math.round((durationMs ?? 0) / 1000),
    spec: specHash(claim, folder).slice(0, 12),
  };
  if (outcome.kind === 'invariant' || outcome.kind === 'temporal' || outcome.kind === 'actionProperty') {
    const names = outcome.kind === 'temporal' ? outcome.names : null;
    const property = outcome.kind === 'invariant' ? outcome.name : (names ?? claim.property).join(' or ');
    const length = outcome.trace.states.length;
    return { kind: 'ran', run: { ...about, verdict: 'violated', property, length, ...measured }, unreached: [] };
  }
  if (outcome.kind !== 'success') return { kind: 'couldNotTell', reason: explainFailure(outcome) };
  const complete = outcome.exhaustive && (statistics.queueLeft ?? 0) === 0;
  if (!complete) return { kind: 'ran', run: { ...about, verdict: 'open', ...measured, limit }, unreached: [] };
  // Without a told schedule there is no end of one to reach.
  const sights = watchedSights(claim, folder).filter((sight) => !variant.everySchedule || sight !== 'StoryEnds');
  const unreached = vacuityReasons(sights, userOutput);
  return { kind: 'ran', run: { ...about, verdict: 'holds', ...measured }, unreached };
}
