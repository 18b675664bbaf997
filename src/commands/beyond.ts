import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type BeyondResult,
  type BeyondRun,
  type Claim,
  loadBeyond,
  loadClaims,
  pickClaims,
  printBeyond,
  specFolder,
  TRIES,
  type Try,
  tryBeyond,
} from '../claims/index.ts';
import { findJava } from '../tlc/index.ts';
import { needJar } from './check.ts';
import { AS_CLAIMED, COULD_NOT_TELL, type Io, NOT_AS_CLAIMED, printJson, UsageError, worst } from './io.ts';
import { inPool } from './pool.ts';
import { startProgress } from './progress.ts';
import { mark, paint, plural, seconds } from './show.ts';

export interface BeyondCommand {
  readonly try?: readonly string[];
  readonly limit?: number;
  readonly timeout?: number;
  readonly write?: boolean;
  readonly json?: boolean;
  readonly jobs: number;
}

/** One claim in one other bound, held against what is recorded of it. */
interface Tried {
  readonly claim: Claim;
  readonly kind: Try;
  readonly result: BeyondResult;
  readonly recorded: BeyondRun | undefined;
  readonly ms: number;
}

/** `leader-epoch beyond [claim…]`: each claim in other bounds than its own; without names, all. */
export async function beyond(names: readonly string[], options: BeyondCommand, io: Io): Promise<number> {
  const claims = loadClaims();
  const picked = pickClaims(claims, names, () => true);
  const kinds = kindsOf(options.try ?? TRIES);
  const java = await findJava({ env: io.env });
  if (!java.ok) throw new UsageError(java.message);
  await needJar(io);
  const recorded = loadBeyond();
  const todo = picked.flatMap((claim) => kinds.filter((kind) => suits(claim, kind)).map((kind) => ({ claim, kind })));
  const quiet: Io = options.json === true ? { ...io, isTerminal: false, out: () => {} } : io;
  const progress = await startProgress(quiet, 'starting TLC');
  const started = performance.now();
  const runs = [...recorded];
  const tried = await inPool(todo, options.jobs, io.signal, async ({ claim, kind }) => {
    progress.update(`${claim.claim}: ${kind}`);
    const before = recorded.find((run) => run.claim === claim.claim && run.try === kind);
    const limit = options.limit ?? before?.limit;
    const start = performance.now();
    const result = await tryBeyond(claim, kind, {
      ...(limit && { limit }),
      ...(options.timeout && { timeoutMs: options.timeout * 1000 }),
      env: io.env,
      signal: io.signal,
    });
    const one: Tried = { claim, kind, result, recorded: before, ms: performance.now() - start };
    if (result.kind === 'ran' && options.write === true) keep(result.run, runs, claims);
    progress.done(line(one, quiet, options.write === true));
    return one;
  }).finally(() => progress.stop());
  const codes = tried.map((one) => codeOf(one, options.write === true));
  const exitCode = worst([...codes, ...(tried.length < todo.length ? [COULD_NOT_TELL] : [])]);
  if (options.json === true) {
    printJson(io, 'beyond', exitCode, {
      results: tried.map(({ claim, kind, result }) => ({ claim: claim.claim, try: kind, ...result })),
    });
  } else {
    const good = codes.filter((code) => code === AS_CLAIMED).length;
    io.out(`${good} of ${plural(todo.length, 'run')} as recorded, in ${seconds(performance.now() - started)}.`);
  }
  return exitCode;
}

/** What holds is tried in larger bounds, what is violated in a smaller one. */
function suits({ verdict }: Claim, kind: Try): boolean {
  if (kind === 'itself' || kind === 'lazy') return true;
  return (kind === 'smaller') === (verdict === 'violated');
}

function kindsOf(names: readonly string[]): Try[] {
  return names.map((name) => {
    const kind = TRIES.find((one) => one === name);
    if (kind !== undefined) return kind;
    throw new UsageError(`There is no "${name}" to try. There are ${TRIES.join(', ')}.`);
  });
}

/** Written after each run: a long list of them may be interrupted. */
function keep(run: BeyondRun, runs: BeyondRun[], claims: readonly Claim[]): void {
  const at = runs.findIndex((one) => one.claim === run.claim && one.try === run.try);
  runs.splice(at === -1 ? runs.length : at, at === -1 ? 0 : 1, run);
  writeFileSync(join(specFolder, 'beyond.json'), printBeyond(runs, claims));
}

/** Time and the text of the specification may differ. */
function isAsRecorded(run: BeyondRun, recorded: BeyondRun): boolean {
  const of = ({ seconds: _seconds, spec: _spec, ...found }: BeyondRun) => JSON.stringify(Object.entries(found).sort());
  return of(run) === of(recorded);
}

function codeOf({ result, recorded }: Tried, written: boolean): number {
  if (result.kind === 'couldNotTell') return COULD_NOT_TELL;
  if (result.kind === 'untried') return AS_CLAIMED;
  if (result.unreached.length > 0) return NOT_AS_CLAIMED;
  if (written) return AS_CLAIMED;
  return recorded !== undefined && isAsRecorded(result.run, recorded) ? AS_CLAIMED : NOT_AS_CLAIMED;
}

function line(one: Tried, io: Io, written: boolean): string {
  const { claim, kind, result, recorded, ms } = one;
  const code = codeOf(one, written);
  const mood = code === AS_CLAIMED ? 'good' : code === NOT_AS_CLAIMED ? 'bad' : 'unknown';
  const head = `  ${mark(mood, io)} ${claim.claim.padEnd(28)} ${kind.padEnd(9)}`;
  if (result.kind === 'couldNotTell') return `${head} could not tell: ${result.reason}`;
  if (result.kind === 'untried') return `${head} not tried: ${result.why}`;
  const { run, unreached } = result;
  const differs = code === NOT_AS_CLAIMED && unreached.length === 0;
  const was = differs ? `, where ${recorded ? inWords(recorded) : 'nothing'} is recorded` : '';
  const text = `${run.bound === '' ? '' : `${run.bound}: `}${inWords(run)}${was}${unreached.map((sight) => `; ${sight}`).join('')}`;
  return `${head} ${code === NOT_AS_CLAIMED ? paint(text, 'bad', io) : text}  ${seconds(ms)}`;
}

/** `holds, 195,025 states, depth 46`; `violated, after 15 states`; `nothing found, stopped at 100,000 states, depth 9`. */
export function inWords({ verdict, property, length, states, depth, limit, atRandom }: BeyondRun): string {
  const counted = states.toLocaleString('en');
  if (verdict === 'violated') return `${property} violated, after ${length} states`;
  if (atRandom)
    return `nothing found in ${limit?.toLocaleString('en')} random behaviours, stopped at ${counted} states, depth ${depth}`;
  if (verdict === 'holds') return `holds, ${counted} states, depth ${depth}`;
  return `nothing found, stopped at ${counted} states, depth ${depth}`;
}
