import type { Claim, ClaimResult } from '../claims/index.ts';
import { checkClaim } from '../claims/index.ts';
import type { Io } from './io.ts';
import { inPool } from './pool.ts';
import { startProgress } from './progress.ts';
import { mark, paint, seconds } from './show.ts';

export interface ChecksOptions {
  readonly fresh: boolean;
  /** TLC runs at the same time, with one worker each: traces are then the shortest, and the same every time. */
  readonly jobs: number;
  readonly timeoutMs?: number;
  /** Nothing is printed: the caller prints JSON. */
  readonly silent?: boolean;
}

/** Checks claims, some at a time, and prints a line for each; results in the order of the claims. */
export async function runChecks(claims: readonly Claim[], io: Io, options: ChecksOptions): Promise<ClaimResult[]> {
  const quiet: Io = options.silent === true ? { ...io, isTerminal: false, out: () => {} } : io;
  const progress = await startProgress(quiet, 'starting TLC');
  const states = new Map<string, number | null>();
  let finished = 0;
  const show = (): void => {
    const running = [...states].map(([name, found]) =>
      found ? `${name} (${found.toLocaleString('en')} states)` : name,
    );
    progress.update(`checked ${finished} of ${claims.length}; now ${running.join(', ')}`);
  };
  const one = async (claim: Claim): Promise<ClaimResult> => {
    const { claim: name } = claim;
    states.set(name, null);
    const result = await checkClaim(claim, {
      fresh: options.fresh,
      env: io.env,
      signal: io.signal,
      ...(options.timeoutMs && { timeoutMs: options.timeoutMs }),
      onProgress: ({ statistics }) => {
        states.set(name, statistics.distinct);
        show();
      },
    });
    states.delete(name);
    finished++;
    progress.done(checkLine(result, quiet));
    return result;
  };
  try {
    return await inPool(claims, options.jobs, io.signal, one);
  } finally {
    progress.stop();
  }
}

/** `✓ fast-restart-loss  violated, as claimed: CommittedSurvives, 12 states  1.2 s`. */
export function checkLine({ claim, verdict, trace, statistics, durationMs, kept }: ClaimResult, io: Io): string {
  const time = kept ? 'kept' : seconds(durationMs);
  const head = `  ${mark(verdict.kind === 'asClaimed' ? 'good' : verdict.kind === 'notAsClaimed' ? 'bad' : 'unknown', io)} ${claim.claim.padEnd(28)}`;
  if (verdict.kind === 'couldNotTell') return `${head} could not tell: ${verdict.reason}`;
  if (verdict.kind === 'notAsClaimed')
    return `${head} ${paint(`NOT as claimed: ${verdict.reasons.join('; ')}`, 'bad', io)}`;
  const what =
    claim.verdict === 'violated'
      ? `violated: ${claim.property[0]}, after ${trace?.states.length ?? 0} states`
      : `holds: ${(statistics.distinct ?? 0).toLocaleString('en')} states`;
  return `${head} ${what.padEnd(46)} ${time}`;
}
