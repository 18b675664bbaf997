/**
 * How states, time and memory of TLC grow with the bound: some rules, each in a row of bounds. Measured once and kept in
 * docs/images/growth.json, of which growth.svg and the table of docs/trust.md are made.
 *
 * npm run bench:growth                       what is not measured yet; written after each run
 * npm run bench:growth -- --anew <word>      once more, the runs whose name has the word
 * npm run bench:growth -- --seconds 900      each at most so long; a run that does not end says how far it came
 * npm run bench:growth -- --elections 2      only up to so many elections
 * npm run bench:growth -- --draw             the plot and the table, from what is kept
 *
 * Seconds are of the processor, so that they mean the same on a machine that has other work; one worker. Memory is the most
 * that Java had of the machine's, with a heap of at most 4 GB. Both are read from /proc: on Linux.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { loadClaims, pickClaims } from '../src/claims/index.ts';
import { drawGrowth, type Measured, readGrowth, tableOf } from './growth/draw.ts';
import { measureModel } from './growth/measureModel.ts';
import { interruptible, interruption, orExit } from './interruptible.ts';

const FILE = fileURLToPath(new URL('../docs/images/growth.json', import.meta.url));
const TRUST = fileURLToPath(new URL('../docs/trust.md', import.meta.url));

/** A claim's model with other constants: the profile and its properties are the claim's. */
const ROWS: readonly { readonly claim: string; readonly bounds: readonly Readonly<Record<string, number>>[] }[] = [
  { claim: 'kip320-clean', bounds: elections(0, 1, 2, 3) },
  { claim: 'inside-fetch-three', bounds: elections(0, 1, 2, 3) },
  { claim: 'eligible-leaders', bounds: elections(0, 1, 2, 3) },
];

function elections(...counts: readonly number[]): Readonly<Record<string, number>>[] {
  return counts.map((MaxElections) => ({ MaxElections }));
}

const { values } = orExit(() =>
  parseArgs({
    options: {
      anew: { type: 'string' },
      seconds: { type: 'string', default: '600' },
      elections: { type: 'string', default: '3' },
      draw: { type: 'boolean', default: false },
    },
  }),
);

const kept = existsSync(FILE) ? readGrowth(readFileSync(FILE, 'utf8'), FILE) : [];
if (!values.draw) await interruptible(`What was measured is in ${FILE}.`, measureAll);
writeFileSync(FILE.replace(/json$/, 'svg'), drawGrowth(kept));
const text = readFileSync(TRUST, 'utf8');
writeFileSync(TRUST, text.replace(/(<!-- growth -->\n)[\s\S]*(<!-- \/growth -->)/, `$1${tableOf(kept)}$2`));

/** The small bounds of all rules before the large ones. */
async function measureAll(): Promise<void> {
  for (let place = 0; place <= Number(values.elections); place++) {
    for (const { claim: name, bounds } of ROWS) {
      const [claim] = pickClaims(loadClaims(), [name], () => false);
      const constants = bounds[place];
      if (claim === undefined || constants === undefined) continue;
      const bound = Object.entries(constants)
        .map(([constant, value]) => `${constant} = ${value}`)
        .join(', ');
      const at = kept.findIndex((one) => one.profile === claim.profile && one.bound === bound);
      const isAsked = values.anew !== undefined && `${name} ${bound}`.includes(values.anew);
      if (at !== -1 && !isAsked) continue;
      const measured = await measure(claim.model, constants);
      interruption.throwIfAborted();
      kept.splice(at === -1 ? kept.length : at, at === -1 ? 0 : 1, {
        profile: claim.profile,
        claim: name,
        bound,
        ...measured,
      });
      kept.sort((a, b) => rowOf(a) - rowOf(b) || a.bound.localeCompare(b.bound));
      writeFileSync(FILE, `[\n${kept.map((one) => `  ${JSON.stringify(one)}`).join(',\n')}\n]\n`);
      console.log(JSON.stringify(kept.find((one) => one.claim === name && one.bound === bound)));
    }
  }
}

function rowOf({ claim }: Measured): number {
  return ROWS.findIndex((row) => row.claim === claim);
}

async function measure(
  model: string,
  bound: Readonly<Record<string, number>>,
): Promise<Omit<Measured, 'profile' | 'claim' | 'bound'>> {
  const constants = Object.fromEntries(Object.entries(bound).map(([name, value]) => [name, String(value)]));
  const { outcome, statistics, cpuSeconds, peakMb } = await measureModel(
    model,
    { ...constants, Watch: '{}' },
    { seconds: Number(values.seconds), signal: interruption },
  );
  const ended = outcome.kind === 'success';
  if (!ended && outcome.kind !== 'timeout' && outcome.kind !== 'cancelled')
    throw new Error(`${model}: ${outcome.kind}`);
  return { states: statistics.distinct ?? 0, depth: statistics.depth ?? 0, ended, cpuSeconds, peakMb };
}
