import { join } from 'node:path';
import { type Claim, loadClaims, pickClaims } from '../claims/index.ts';
import { type Explored, explore, loadModel } from '../conform/index.ts';
import { printItf } from '../trace/index.ts';
import { AS_CLAIMED, COULD_NOT_TELL, type Io, NOT_AS_CLAIMED, printJson, worst } from './io.ts';
import { needWritableFolder, save } from './output.ts';
import { startProgress } from './progress.ts';
import { mark, paint, plural, seconds } from './show.ts';
import { ITF_ENDING } from './traces.ts';

export interface ExploreCommand {
  readonly deep?: boolean;
  readonly profile?: string;
  readonly whole?: boolean;
  readonly out?: string;
  readonly json?: boolean;
}

/** A claim, as the implementation's own search settles it: the model check's stand-in where there is no Java. */
export interface Search {
  readonly claim: Claim;
  readonly found: Explored;
  readonly exitCode: number;
  /** What is not as claimed, or could not be told. */
  readonly reasons: readonly string[];
  readonly durationMs: number;
}

/** `leader-epoch explore [claim…]`: the implementation by itself, breadth first, within the bounds of each model. */
export async function exploreClaims(names: readonly string[], options: ExploreCommand, io: Io): Promise<number> {
  const claims = pickClaims(loadClaims(), names, ({ set }) => options.deep === true || set !== 'deep');
  if (options.out !== undefined) await needWritableFolder(options.out);
  const started = performance.now();
  const searches = await runSearches(claims, options, io);
  if (options.out !== undefined) await writeTraces(searches, options.out);
  const exitCode = worst([
    ...searches.map((search) => search.exitCode),
    ...(searches.length < claims.length ? [COULD_NOT_TELL] : []),
  ]);
  if (options.json === true) printJson(io, 'explore', exitCode, { results: searches.map(plainSearch) });
  else {
    const states = searches.reduce((sum, { found }) => sum + found.distinct, 0);
    const good = searches.filter((search) => search.exitCode === AS_CLAIMED).length;
    const what = `${good} of ${plural(claims.length, 'claim')} as claimed`;
    io.out(`${what}, ${states.toLocaleString('en')} states in ${seconds(performance.now() - started)}.`);
  }
  return exitCode;
}

export async function runSearches(
  claims: readonly Claim[],
  options: Pick<ExploreCommand, 'profile' | 'whole' | 'json'>,
  io: Io,
): Promise<Search[]> {
  const quiet: Io = options.json === true ? { ...io, isTerminal: false, out: () => {} } : io;
  const progress = await startProgress(quiet, 'exploring');
  const searches: Search[] = [];
  try {
    for (const claim of claims) {
      if (io.signal.aborted) break;
      const search = await searchClaim(claim, options, io, (states) =>
        progress.update(`${claim.claim}: ${states.toLocaleString('en')} states`),
      );
      searches.push(search);
      progress.done(searchLine(search, quiet));
    }
  } catch (error) {
    if (!io.signal.aborted) throw error;
  } finally {
    progress.stop();
  }
  return searches;
}

async function searchClaim(
  claim: Claim,
  { profile, whole }: Pick<ExploreCommand, 'profile' | 'whole'>,
  io: Io,
  onProgress: (states: number) => void,
): Promise<Search> {
  const started = performance.now();
  const model = loadModel(claim.model, profile === undefined ? {} : { profile });
  const properties = whole === true ? [] : claim.property;
  const found = await explore(model, { properties, onProgress, signal: io.signal });
  const reasons = whole === true || profile !== undefined ? [] : reasonsAgainst(claim, found);
  const cannotTell = found.notJudged.length > 0 && found.violation === null;
  const exitCode = reasons.length === 0 ? AS_CLAIMED : cannotTell ? COULD_NOT_TELL : NOT_AS_CLAIMED;
  return { claim, found, exitCode, reasons, durationMs: performance.now() - started };
}

/** The recorded counts are TLC's: the implementation must come to the same. */
function reasonsAgainst({ verdict, property, counts }: Claim, found: Explored): string[] {
  const { violation, notJudged } = found;
  if (violation === null && notJudged.length > 0) return [`${notJudged.join(', ')} cannot be judged without TLC`];
  if (violation !== null) {
    const states = violation.trace.states.length;
    if (verdict === 'holds') return [`${violation.property} is violated, after ${states} states: ${violation.what}`];
    return states === counts.length
      ? []
      : [`the shortest counterexample has ${states} states, and TLC's ${counts.length}`];
  }
  if (verdict === 'violated') return [`${property.join(', ')} holds, where a counterexample is claimed`];
  const differs = (what: string, own: number, recorded: number | undefined): string[] =>
    recorded === undefined || own === recorded ? [] : [`it has ${own} ${what}, and TLC's graph ${recorded}`];
  return [
    ...differs('distinct states', found.distinct, counts.states),
    ...differs('levels', found.depth, counts.depth),
  ];
}

function searchLine({ claim, found, exitCode, reasons, durationMs }: Search, io: Io): string {
  const mood = exitCode === AS_CLAIMED ? 'good' : exitCode === COULD_NOT_TELL ? 'unknown' : 'bad';
  const head = `  ${mark(mood, io)} ${claim.claim.padEnd(28)}`;
  if (mood === 'unknown') return `${head} could not tell: ${reasons.join('; ')}`;
  if (mood === 'bad') return `${head} ${paint(`NOT as claimed: ${reasons.join('; ')}`, 'bad', io)}`;
  const { violation, distinct } = found;
  const what =
    violation === null
      ? `holds: ${distinct.toLocaleString('en')} states`
      : `violated: ${violation.property}, after ${violation.trace.states.length} states`;
  return `${head} ${what.padEnd(46)} ${seconds(durationMs)}`;
}

async function writeTraces(searches: readonly Search[], folder: string): Promise<void> {
  for (const { claim, found } of searches) {
    if (found.violation === null) continue;
    const { trace } = found.violation;
    const described = { ...trace, meta: { ...trace.meta, claim: claim.claim, profile: claim.profile } };
    await save(join(folder, claim.claim + ITF_ENDING), printItf(described));
  }
}

export function plainSearch({ claim, found, exitCode, reasons, durationMs }: Search) {
  const { violation, ...counts } = found;
  return {
    claim: claim.claim,
    claimed: claim.verdict,
    property: claim.property,
    exitCode,
    reasons,
    ...counts,
    violation: violation && {
      property: violation.property,
      what: violation.what,
      states: violation.trace.states.length,
    },
    durationMs: Math.round(durationMs),
  };
}
