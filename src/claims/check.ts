import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  BRIEF_STATES,
  outcomeText,
  runTlc,
  type TlcOutcome,
  type TlcProgress,
  type TlcResult,
  type TlcStatistics,
} from '../tlc/index.ts';
import type { Trace } from '../trace/index.ts';
import { type Claim, specFolder } from './claims.ts';
import { parseConfig } from './config.ts';
import { specHash } from './specHash.ts';

/** What TLC says of a claim. */
export interface ClaimResult {
  readonly claim: Claim;
  readonly verdict: Verdict;
  /** The counterexample that TLC found, whether it was claimed or not. */
  readonly trace: Trace | null;
  readonly statistics: TlcStatistics;
  readonly durationMs: number;
  /** The outcome was kept from an earlier run of the same specification, configuration and jar. */
  readonly kept: boolean;
}

export type Verdict =
  | { readonly kind: 'asClaimed' }
  | { readonly kind: 'notAsClaimed'; readonly reasons: readonly string[] }
  /** The model check itself failed: no Java, no jar, a specification with errors. */
  | { readonly kind: 'couldNotTell'; readonly reason: string; readonly outcome: TlcOutcome };

export interface CheckOptions {
  /** Where modules and models are; another one than `specFolder` in tests that break the specification. */
  readonly folder?: string;
  /** Never from an outcome that was kept. */
  readonly fresh?: boolean;
  readonly env?: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  readonly onProgress?: (progress: TlcProgress) => void;
  readonly onDownload?: (artifact: string) => void;
}

/** Runs TLC on the claim's model and holds what it says against the claim. */
export async function checkClaim(claim: Claim, options: CheckOptions = {}): Promise<ClaimResult> {
  const folder = options.folder ?? specFolder;
  const hash = specHash(claim, folder);
  const result = await runTlc(runOptions(claim, folder, options));
  const { outcome, statistics } = result;

  return {
    claim,
    verdict: judge(claim, result, watchedSights(claim, folder), modelConfig(claim.model, folder).properties),
    trace: 'trace' in outcome && outcome.trace ? describeTrace(outcome.trace, claim, folder, hash, result) : null,
    statistics,
    durationMs: result.durationMs ?? 0,
    kept: result.kept,
  };
}

function runOptions(claim: Claim, folder: string, options: CheckOptions) {
  const { env, signal, timeoutMs, onProgress, onDownload } = options;
  const isTemporal = modelConfig(claim.model, folder).properties.length > 0;
  return {
    spec: join(folder, 'models', `${claim.model}.tla`),
    library: [folder],
    keep: options.fresh === true ? ('renew' as const) : ('reuse' as const),
    checkDeadlock: false,
    brief: isBrief(claim),
    // Else TLC looks for lassos every minute, and what it finds depends on the machine.
    ...(isTemporal && { extraArgs: ['-lncheck', 'final'] }),
    ...(env && { env }),
    ...(signal && { signal }),
    ...(timeoutMs && { timeoutMs }),
    ...(onProgress && { onProgress }),
    ...(onDownload && { onDownload }),
  };
}

/** By what is recorded of it; a counterexample ends the search, and those of the quick claims come within seconds. */
function isBrief({ verdict, counts, set, property }: Claim): boolean {
  // What comes sooner or later is judged on the whole graph, over and over.
  const isLiveness = property.some((name) => name.endsWith('Prop'));
  if (isLiveness || set === 'deep') return false;
  return verdict === 'violated' || (counts.states ?? Number.POSITIVE_INFINITY) <= BRIEF_STATES;
}

/** Pure: the verdict on what TLC said. */
export function judge(
  claim: Claim,
  result: Pick<TlcResult, 'outcome' | 'statistics' | 'userOutput'>,
  watch: readonly string[],
  temporal: readonly string[] = [],
): Verdict {
  const { outcome, statistics } = result;
  if (outcome.kind === 'invariant') return verdict(violationReasons(claim, outcome));
  if (outcome.kind === 'temporal' && temporal.length > 0) {
    const [name = '', ...others] = outcome.names ?? temporal;
    return verdict(violationReasons(claim, { name: [name, ...others].join(' or '), trace: outcome.trace }));
  }
  // TLC names a conjunct of the property by its place, and there is one property only.
  if (outcome.kind === 'actionProperty' && temporal.length > 0) {
    return verdict(violationReasons(claim, { name: temporal.join(' or '), trace: outcome.trace }));
  }
  if (outcome.kind === 'success') {
    if (claim.verdict === 'violated')
      return verdict([`${claim.property.join(', ')} holds, where a counterexample is claimed`]);
    return verdict([...countReasons(claim, statistics), ...vacuityReasons(watch, result.userOutput)]);
  }
  return { kind: 'couldNotTell', reason: explainFailure(outcome), outcome };
}

function verdict(reasons: readonly string[]): Verdict {
  return reasons.length === 0 ? { kind: 'asClaimed' } : { kind: 'notAsClaimed', reasons };
}

function violationReasons(claim: Claim, outcome: { name: string; trace: Trace }): string[] {
  const { length } = claim.counts;
  const states = outcome.trace.states.length;
  if (claim.verdict === 'holds' || !claim.property.includes(outcome.name)) {
    return [`${outcome.name} is violated, after ${states} states`];
  }
  if (length !== undefined && length !== states) {
    return [`the shortest counterexample has ${states} states, not ${length} as recorded`];
  }
  return [];
}

function countReasons({ counts }: Claim, { distinct, depth }: TlcStatistics): string[] {
  const differs = (what: string, found: number | null, recorded: number | undefined): string[] =>
    recorded === undefined || found === recorded ? [] : [`it holds with ${found} ${what}, not ${recorded} as recorded`];
  return [...differs('distinct states', distinct, counts.states), ...differs('levels', depth, counts.depth)];
}

/** A success is worth nothing if the interesting states were never reached: MC.tla prints the ones that were. */
export function vacuityReasons(watch: readonly string[], userOutput: readonly string[]): string[] {
  const reached = new Set(userOutput.map((line) => /^<<"reached", "(\w+)">>$/.exec(line.trim())?.[1]));
  return watch.filter((sight) => !reached.has(sight)).map((sight) => `no state was reached that shows ${sight}`);
}

export function watchedSights(claim: Claim, folder: string): string[] {
  const watch = modelConfig(claim.model, folder).constants.get('Watch');
  return watch?.kind === 'set' ? watch.elements.flatMap((sight) => (sight.kind === 'string' ? [sight.value] : [])) : [];
}

export function modelConfig(model: string, folder = specFolder) {
  const file = join(folder, 'models', `${model}.cfg`);
  return parseConfig(readFileSync(file, 'utf8'), file);
}

function readText(folder: string, file: string): string {
  return readFileSync(join(folder, file), 'utf8');
}

/** TLC orders variables by its own tables; a reader wants the specification's order. What was checked goes with the trace. */
function describeTrace(
  trace: Trace,
  claim: Claim,
  folder: string,
  hash: string,
  { outcome, jar, tlcVersion }: TlcResult,
): Trace {
  const known = variableOrder(folder).filter((name) => trace.vars.includes(name));
  return {
    ...trace,
    vars: [...known, ...trace.vars.filter((name) => !known.includes(name))],
    constants: modelConfig(claim.model, folder).constants,
    meta: {
      claim: claim.claim,
      model: claim.model,
      profile: claim.profile,
      property: outcome.kind === 'invariant' ? outcome.name : claim.property[0],
      spec: hash,
      tlc: tlcVersion,
      jar: jar?.sha256 ?? null,
    },
  };
}

/** The VARIABLES of LeaderEpoch.tla in their order there. */
export function variableOrder(folder = specFolder): string[] {
  const text = readText(folder, 'LeaderEpoch.tla');
  const section = /^VARIABLES\n([\s\S]*?)\n\n(?=\w+\s*==)/m.exec(text)?.[1] ?? '';
  return section.split('\n').flatMap((line) => /^\s*(\w+),?(?=\s)/.exec(line.replace(/\\\*.*/, ' '))?.[1] ?? []);
}

/** One sentence for a run that came to no verdict. */
export function explainFailure(outcome: TlcOutcome): string {
  switch (outcome.kind) {
    case 'temporal':
      return `A temporal property was violated, and none was claimed: ${outcome.names?.join(', ') ?? 'TLC does not say which'}.`;
    case 'deadlock':
      return 'TLC reports a deadlock, although the check for it is turned off.';
    case 'actionProperty':
      return `The property ${outcome.name} was violated, and none was claimed.`;
    case 'success':
    case 'invariant':
      return '';
    default:
      return outcomeText(outcome);
  }
}
