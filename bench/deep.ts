/**
 * The deep set: rules that must hold, with three replicas, three records and three elections, for both values of
 * min.insync.replicas; and random behaviours beyond that. Measured once and kept in docs/deep.json, of which the table of docs/trust.md
 * is made.
 *
 * npm run check:deep                        the deep claims, then all of this
 * npm run bench:deep                        all of this
 * npm run bench:deep -- --only <word>       runs whose claim or bound has the word
 * npm run bench:deep -- --states 1000000    each search to so many states; one that does not end says how far it came
 * npm run bench:deep -- --seconds 1200      ... or so long
 * npm run bench:deep -- --write             keeps what it finds
 *
 * One worker, a heap of at most 4 GB; seconds are of the processor, memory is the most that Java had: read from /proc, on Linux.
 * Exit code 1 if a property is violated, 2 if TLC could not go on.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ClaimsError, explainFailure, loadClaims, modelConfig, pickClaims } from '../src/claims/index.ts';
import { type DeepRun, deepTable, inWords, printDeep, readDeep } from './deep/table.ts';
import { type Constants, measureModel } from './growth/measureModel.ts';
import { interruptible, interruption, orExit } from './interruptible.ts';

const FILE = fileURLToPath(new URL('../docs/deep.json', import.meta.url));
const TRUST = fileURLToPath(new URL('../docs/trust.md', import.meta.url));

const THREE = { Replicas: '{"A", "B", "C"}', MaxRecords: '3', MaxElections: '3', MaxCrashes: '1' };
const BEYOND = { ...THREE, MaxRecords: '4', MaxElections: '5', MaxCrashes: '3', MinIsr: '2' };
const RANDOM = { count: 1_000, depth: 100 };

interface Deep {
  readonly claim: string;
  readonly bound: string;
  readonly constants: Constants;
  readonly isRandom?: boolean;
}

const RUNS: readonly Deep[] = [
  ...['kip320-clean', 'inside-fetch-three'].flatMap((claim) => [
    ...['1', '2'].map((MinIsr) => ({
      claim,
      bound: `3 replicas, 3 records, 3 elections, 1 crash, min ISR ${MinIsr}`,
      constants: { ...THREE, MinIsr },
    })),
    {
      claim,
      bound: '3 replicas, 4 records, 5 elections, 3 crashes, min ISR 2',
      constants: BEYOND,
      isRandom: true,
    },
  ]),
  {
    claim: 'eligible-leaders',
    bound: '3 replicas, 3 records, 3 elections, 1 crash, 1 loss of power, min ISR 2',
    constants: { ...THREE, MinIsr: '2' },
  },
];

const { values } = orExit(() =>
  parseArgs({
    options: {
      only: { type: 'string', default: '' },
      states: { type: 'string', default: '300000' },
      seconds: { type: 'string', default: '900' },
      write: { type: 'boolean', default: false },
    },
  }),
);

const [maxStates, seconds] = orExit(() => [whole('states'), whole('seconds')] as const);

/** @throws ClaimsError */
function whole(name: 'states' | 'seconds'): number {
  const text = values[name];
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  throw new ClaimsError(`--${name} must be a whole number from 1 on, not "${text}".`);
}

const kept = existsSync(FILE) ? readDeep(readFileSync(FILE, 'utf8'), FILE) : [];
await interruptible(values.write ? `What was measured is in ${FILE}.` : '', async () => {
  for (const deep of RUNS.filter(({ claim, bound }) => `${claim} ${bound}`.includes(values.only))) {
    const run = await measure(deep);
    if (run === null) continue;
    console.log(
      `${run.claim.padEnd(20)} ${run.bound}: ${inWords(run)}  ${Math.round(run.cpuSeconds)} s, ${run.peakMb} MB`,
    );
    if (run.violated !== undefined) process.exitCode = 1;
    if (values.write) keep(run);
  }
});

async function measure({ claim: name, bound, constants, isRandom = false }: Deep): Promise<DeepRun | null> {
  const [claim] = pickClaims(loadClaims(), [name], () => false);
  if (claim === undefined) return null;
  const { outcome, statistics, userOutput, cpuSeconds, peakMb } = await measureModel(claim.model, constants, {
    seconds,
    signal: interruption,
    ...(isRandom ? { behaviours: RANDOM } : { maxStates }),
  });
  interruption.throwIfAborted();
  const isViolated = outcome.kind === 'invariant';
  if (!isViolated && outcome.kind !== 'success' && outcome.kind !== 'timeout') {
    console.error(`${name}, ${bound}: ${explainFailure(outcome)}`);
    process.exitCode = 2;
    return null;
  }
  const watch = modelConfig(claim.model).constants.get('Watch');
  const hasEnded = outcome.kind === 'success' && outcome.exhaustive && (statistics.queueLeft ?? 0) === 0;
  return {
    claim: name,
    profile: claim.profile,
    bound,
    states: statistics.distinct ?? statistics.generated ?? 0,
    depth: isRandom ? RANDOM.depth : (statistics.depth ?? 0),
    how: hasEnded ? 'ended' : isRandom && outcome.kind === 'success' ? { random: RANDOM.count } : 'stopped',
    ...(isViolated && { violated: { property: outcome.name, length: outcome.trace.states.length } }),
    reached: new Set(userOutput.filter((line) => line.trim().startsWith('<<"reached"'))).size,
    watched: watch?.kind === 'set' ? watch.elements.length : 0,
    cpuSeconds,
    peakMb,
  };
}

/** Written after each run: all of them take long. */
function keep(run: DeepRun): void {
  const at = kept.findIndex(({ claim, bound }) => claim === run.claim && bound === run.bound);
  kept.splice(at === -1 ? kept.length : at, at === -1 ? 0 : 1, run);
  kept.sort((a, b) => placeOf(a) - placeOf(b));
  writeFileSync(FILE, printDeep(kept));
  const text = readFileSync(TRUST, 'utf8');
  writeFileSync(TRUST, text.replace(/(<!-- deep -->\n)[\s\S]*(<!-- \/deep -->)/, `$1${deepTable(kept)}$2`));
}

function placeOf(run: DeepRun): number {
  return RUNS.findIndex(({ claim, bound }) => claim === run.claim && bound === run.bound);
}
