import { join } from 'node:path';
import { type Claim, type ClaimResult, loadClaims, pickClaims } from '../claims/index.ts';
import { cacheFolder, findJava } from '../tlc/index.ts';
import type { Trace } from '../trace/index.ts';
import { exitCodeOf, jarProblem, plainResult } from './check.ts';
import { runChecks } from './checks.ts';
import { plainSearch, runSearches, type Search } from './explore.ts';
import { AS_CLAIMED, COULD_NOT_TELL, type Io, printJson, UsageError, wantsColour, worst } from './io.ts';
import { type MendedRun, mendAndAccept, mendedLine } from './mended.ts';
import { inPool } from './pool.ts';
import { type Replay, replayLines, replayOnMemory } from './replays.ts';
import { paint, plural, seconds } from './show.ts';
import { readTrace, recordedTraces, traceName } from './traces.ts';

/** The counterexample that is told at the end. */
const TOLD = 'fast-restart-told';

export interface MainJob {
  readonly fresh?: boolean;
  readonly json?: boolean;
  readonly jobs: number;
}

/** Without arguments: check the main claims, replay every counterexample, tell the data loss. */
export async function mainJob(options: MainJob, io: Io): Promise<number> {
  const started = performance.now();
  const claims = loadClaims();
  const main = pickClaims(claims, [], ({ set }) => set === 'main');
  const quiet: Io = options.json === true ? { ...io, isTerminal: false, out: () => {}, err: () => {} } : io;
  const java = await findJava({ env: io.env });

  const jar = java.ok ? await jarProblem(quiet) : null;
  const hasTlc = java.ok && jar === null;

  let checked: ClaimResult[] = [];
  let explored: Search[] = [];
  if (hasTlc) {
    quiet.out(paint(`TLC settles ${plural(main.length, 'claim')}`, 'title', quiet));
    checked = await runChecks(main, quiet, { fresh: options.fresh === true, jobs: options.jobs });
  } else {
    quiet.out(`TLC is left out. ${java.ok ? jar : java.message}`);
    const title = `In its place the implementation's own search settles ${plural(main.length, 'claim')}`;
    quiet.out(paint(title, 'title', quiet));
    explored = await runSearches(main, {}, quiet);
  }
  quiet.out('');
  quiet.out(
    paint(
      'Each counterexample, replayed on the implementation, and its schedule under the rule that mends it',
      'title',
      quiet,
    ),
  );
  const replays = await replayAll(claims, checked, hasTlc, options.jobs, quiet);

  const told = replays.findLast(({ replay }) => replay.name === TOLD)?.replay.result.trace;
  if (told !== undefined) await tell(told, claims, quiet);

  if (options.json !== true) await showWhereThePageIs(io);

  const settled = hasTlc
    ? [exitCodeOf(checked, main.length)]
    : [...explored.map((search) => search.exitCode), ...(explored.length < main.length ? [COULD_NOT_TELL] : [])];
  // Without Java nobody expects TLC; a jar that is damaged is something to mend.
  const damaged = jar === null ? [] : [COULD_NOT_TELL];
  const codes = [...settled, ...damaged, ...replays.map(({ exitCode }) => exitCode)];
  const exitCode = worst(codes);
  quiet.out('');
  const done = hasTlc
    ? `${plural(checked.length, 'claim')} checked`
    : `${plural(explored.length, 'claim')} explored without TLC`;
  quiet.out(lastLine(exitCode, done, replays.length, performance.now() - started, quiet));
  if (options.json === true) {
    const plain = replays.map(({ replay, mended }) => ({
      trace: replay.name,
      replay: replay.result.kind,
      broken: replay.result.broken,
      mendedBy: mended?.result.profile ?? null,
      mended: mended?.result.kind ?? null,
      tlc: mended?.tlc ?? null,
    }));
    const claimed = { claims: checked.map(plainResult), ...(hasTlc ? {} : { explored: explored.map(plainSearch) }) };
    printJson(io, 'main', exitCode, { modelChecked: hasTlc, ...claimed, replays: plain });
  }
  return exitCode;
}

/** The same to look at and to try: a page beside the kept outcomes. That it cannot be written makes no claim wrong. */
async function showWhereThePageIs(io: Io): Promise<void> {
  const { writePage } = await import('./report.ts');
  const file = join(await cacheFolder(io.env), 'leader-epoch.html');
  io.out('');
  try {
    await writePage(file, io);
    io.out(`To watch it, to try it, to predict it: open ${file} in a browser.`);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    io.out(`The page was not written. ${error.message}`);
  }
}

interface Told {
  readonly replay: Replay;
  readonly mended: MendedRun | null;
  readonly exitCode: number;
}

/** The recorded ones and those that TLC has just found, each under the rule that mends it as well. */
async function replayAll(
  claims: readonly Claim[],
  checked: readonly ClaimResult[],
  hasJava: boolean,
  jobs: number,
  io: Io,
): Promise<Told[]> {
  const fresh = new Map(checked.flatMap(({ claim, trace }) => (trace ? [[claim.claim, trace] as const] : [])));
  const told = await inPool(await recordedTraces(), jobs, io.signal, async (file): Promise<Told> => {
    const name = traceName(file);
    const recorded = await replayOnMemory(name, await readTrace(file));
    const found = fresh.get(name);
    const replay =
      found === undefined || recorded.exitCode !== AS_CLAIMED ? recorded : await replayOnMemory(name, found);
    const { mendedBy, set } = claims.find(({ claim }) => claim === name) ?? {};
    const trusted = replay.exitCode === AS_CLAIMED && mendedBy !== undefined;
    // TLC takes a second for each: those of the main set.
    const asksTlc = hasJava && set === 'main';
    const mended = trusted ? await mendAndAccept(replay.result.trace, mendedBy, asksTlc, io) : null;
    return { replay, mended, exitCode: worst([replay.exitCode, mended?.exitCode ?? AS_CLAIMED]) };
  });
  for (const { replay, mended } of told) {
    for (const line of replayLines(replay, io)) io.out(`  ${line}`);
    if (mended !== null) io.out(`    ${mendedLine(mended, io)}`);
  }
  return told;
}

async function tell(trace: Trace, claims: readonly Claim[], io: Io): Promise<void> {
  const { tellStory } = await import('../report/index.ts');
  const claim = claims.find((one) => one.claim === TOLD);
  io.out('');
  const options = { colour: wantsColour(io), width: Math.min(io.columns, 100) };
  for (const line of tellStory(trace, { ...options, ...(claim && { title: claim.title }) })) io.out(line);
}

function lastLine(exitCode: number, claims: string, traces: number, ms: number, io: Io): string {
  const what = `${claims}, ${plural(traces, 'counterexample')} replayed`;
  return `${verdictOf(exitCode, io)}: ${what}, in ${seconds(ms)}.`;
}

function verdictOf(exitCode: number, io: Io): string {
  if (exitCode === AS_CLAIMED) return paint('All as claimed', 'good', io);
  return exitCode === COULD_NOT_TELL ? paint('Undecided', 'unknown', io) : paint('NOT all as claimed', 'bad', io);
}
