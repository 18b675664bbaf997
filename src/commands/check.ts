import { type Claim, type ClaimResult, loadClaims, pickClaims } from '../claims/index.ts';
import { findJar, findJava } from '../tlc/index.ts';
import { runChecks } from './checks.ts';
import { distributable, runDistributed } from './distributed.ts';
import { AS_CLAIMED, COULD_NOT_TELL, type Io, NOT_AS_CLAIMED, printJson, UsageError, worst } from './io.ts';
import { type JunitCase, writeJunit } from './junit.ts';
import { needPlaceFor } from './output.ts';
import { plural, seconds } from './show.ts';

export interface CheckCommand {
  readonly fresh?: boolean;
  readonly json?: boolean;
  readonly deep?: boolean;
  readonly jobs: number;
  readonly timeout?: number;
  /** By TLC's distributed mode: a server, and so many workers on this machine. */
  readonly distributed?: boolean;
  readonly workers?: number;
  readonly listen?: string;
  readonly port?: number;
  /** A file for JUnit XML. */
  readonly junit?: string;
}

/** `leader-epoch check [claim…]`: TLC settles the claims; without names, all that are quick. */
export async function check(names: readonly string[], options: CheckCommand, io: Io): Promise<number> {
  const picked = pickClaims(loadClaims(), names, ({ set }) => options.deep === true || set !== 'deep');
  await needPlaceFor(options.junit);
  const java = await findJava({ env: io.env });
  if (!java.ok) throw new UsageError(java.message);
  await needJar(io);
  const started = performance.now();
  const common = {
    silent: options.json === true,
    ...(options.timeout === undefined ? {} : { timeoutMs: options.timeout * 1000 }),
  };
  const claims = options.distributed === true ? distributable(picked, names.length > 0, io) : picked;
  const results =
    options.distributed === true
      ? await runDistributed(claims, { ...common, ...distributedOf(options) }, io)
      : await runChecks(claims, io, { ...common, fresh: options.fresh === true, jobs: options.jobs });
  const exitCode = exitCodeOf(results, claims.length);
  if (options.junit !== undefined) await writeJunit(options.junit, 'claims', junitCases(results, claims));
  if (options.json === true) printJson(io, 'check', exitCode, { results: results.map(plainResult) });
  else io.out(summary(results, claims.length, performance.now() - started));
  return exitCode;
}

function distributedOf({ workers = 2, listen, port }: CheckCommand) {
  return { workers, ...(listen === undefined ? {} : { listen }), ...(port === undefined ? {} : { port }) };
}

/** Once for all checks: a damaged jar is told once. */
export async function needJar(io: Io): Promise<void> {
  const problem = await jarProblem(io);
  if (problem !== null) throw new UsageError(problem);
}

/** Null when there is a jar, fetched if need be. */
export async function jarProblem(io: Io): Promise<string | null> {
  const jar = await findJar({ env: io.env, onDownload: (artifact) => io.err(`Fetching ${artifact}, once.`) });
  return jar.ok ? null : jar.message;
}

export function exitCodeOf(results: readonly ClaimResult[], expected: number): number {
  const codes = { asClaimed: AS_CLAIMED, notAsClaimed: NOT_AS_CLAIMED, couldNotTell: COULD_NOT_TELL };
  const missing = results.length < expected ? [COULD_NOT_TELL] : [];
  return worst([...results.map(({ verdict }) => codes[verdict.kind]), ...missing]);
}

function summary(results: readonly ClaimResult[], expected: number, ms: number): string {
  const count = (kind: string): number => results.filter(({ verdict }) => verdict.kind === kind).length;
  const parts = [`${count('asClaimed')} of ${plural(expected, 'claim')} as claimed`];
  if (count('notAsClaimed') > 0) parts.push(`${count('notAsClaimed')} not`);
  const undecided = count('couldNotTell') + expected - results.length;
  if (undecided > 0) parts.push(`${undecided} undecided`);
  return `${parts.join(', ')}, in ${seconds(ms)}.`;
}

/** What `--json` says of one claim. */
export function plainResult({ claim, verdict, trace, statistics, durationMs, kept }: ClaimResult) {
  const { kind, ...details } = verdict;
  return {
    claim: claim.claim,
    claimed: claim.verdict,
    property: claim.property,
    verdict: kind,
    ...('reasons' in details ? { reasons: details.reasons } : {}),
    ...('reason' in details ? { reason: details.reason } : {}),
    counterexampleStates: trace?.states.length ?? null,
    statistics,
    durationMs,
    kept,
  };
}

/** A case for each claim; one without a result was not checked, for the run was stopped. */
export function junitCases(results: readonly ClaimResult[], claims: readonly Claim[]): JunitCase[] {
  const byName = new Map(results.map((result) => [result.claim.claim, result]));
  return claims.map(({ claim: name }) => {
    const result = byName.get(name) ?? null;
    const durationMs = result === null || result.kept ? 0 : result.durationMs;
    return { name, durationMs, problem: problemOf(result) };
  });
}

function problemOf(result: ClaimResult | null): JunitCase['problem'] {
  if (result === null) return { kind: 'error', message: 'not checked: the run was stopped' };
  const { verdict } = result;
  if (verdict.kind === 'asClaimed') return null;
  if (verdict.kind === 'couldNotTell') return { kind: 'error', message: verdict.reason };
  return { kind: 'failure', message: verdict.reasons.join('; ') };
}
