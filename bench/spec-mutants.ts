/**
 * Mutants of the specification: every guard, alternative and update of the next-state relation, left out one at a time, by
 * SANY's syntax tree. Each must turn a claim red: a property breaks, the graph has more states or fewer, or TLC cannot go on.
 *
 * npm run spec-mutants                    all, claim by claim until each is settled; writes spec/mutants.json
 * npm run spec-mutants -- --claim <name>  only this claim, of those that are open
 * npm run spec-mutants -- --check <n>     every n-th, held against what spec/mutants.json says of it; writes nothing
 * npm run spec-mutants -- --show <n>      one of them, as a difference
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadClaims, pickClaims, specFolder } from '../src/claims/index.ts';
import {
  type Fate,
  isSettled,
  type Listed,
  listOf,
  mutated,
  printList,
  readList,
  readSpecMutants,
  runBatch,
} from '../src/specMutants/index.ts';

/** Small models first: most mutants are settled by the first two, and are not run again. */
const CLAIMS = [
  ...['joins-isr', 'hw-on-isr-reply', 'undefined-epoch-guarded', 'delayed-high-watermark', 'late-news-kip320'],
  ...['asks-for-isr', 'consumer-aware', 'kip320-lost-messages', 'eligible-leaders', 'checked-broker-epoch'],
  ...['inside-fetch-power-loss', 'noticed-bounce', 'fast-leader-change-kip279', 'kip320-lazy'],
];
const FILE = join(specFolder, 'mutants.json');

const { values } = parseArgs({
  options: { claim: { type: 'string' }, check: { type: 'string' }, show: { type: 'string' } },
});
const mutants = await readSpecMutants(specFolder);
const recorded = existsSync(FILE) ? readList(readFileSync(FILE, 'utf8'), FILE) : [];
const list = listOf(mutants, recorded);

if (values.show !== undefined) show(Number(values.show));
else if (values.check !== undefined) await checkEvery(Number(values.check));
else await runAll(values.claim === undefined ? CLAIMS : [values.claim]);

function show(number: number): void {
  const mutant = mutants.get(number);
  if (mutant === undefined) throw new Error(`There are mutants from 1 to ${mutants.size}.`);
  const source = readFileSync(join(specFolder, `${mutant.place.module}.tla`), 'utf8');
  const after = mutated(source, mutant).split('\n');
  const { line, endLine, module } = mutant.place;
  console.log(`${module}.tla, line ${line}, ${mutant.definition}:`);
  for (const text of source.split('\n').slice(line - 1, endLine)) console.log(`- ${text}`);
  console.log(`+ ${after[line - 1]}`);
}

async function runAll(names: readonly string[]): Promise<void> {
  for (const claim of pickClaims(loadClaims(), names, () => false)) {
    const open = [...list].filter(([, { fate }]) => !isSettled(fate)).map(([number]) => number);
    if (open.length === 0) break;
    const started = performance.now();
    const fates = await runBatch(claim, mutants, open);
    for (const [number, fate] of fates) note(number, claim.claim, fate);
    writeFileSync(FILE, printList(list.values()));
    const left = [...list.values()].filter(({ fate }) => !isSettled(fate)).length;
    const seconds = ((performance.now() - started) / 1000).toFixed(0);
    console.log(
      `${claim.claim.padEnd(28)} ${open.length} mutants, ${open.length - left} settled, ${left} open  ${seconds} s`,
    );
  }
  console.log(summary());
}

function note(number: number, claim: string, fate: Fate): void {
  const { notSeenBy = [], ...one } = list.get(number) as Listed;
  if (fate.kind === 'same') list.set(number, { ...one, notSeenBy: [...new Set([...notSeenBy, claim])] });
  else list.set(number, { ...one, claim, fate: fate.kind, ...('property' in fate ? { property: fate.property } : {}) });
}

/** Each against the claim that settled it. */
async function checkEvery(n: number): Promise<void> {
  const asked = [...list].filter(([number, { fate }]) => number % n === 0 && isSettled(fate));
  const byClaim = new Map<string, number[]>();
  for (const [number, { claim = '' }] of asked) byClaim.set(claim, [...(byClaim.get(claim) ?? []), number]);
  let wrong = 0;
  for (const claim of pickClaims(loadClaims(), CLAIMS, () => false)) {
    const numbers = byClaim.get(claim.claim) ?? [];
    // The small models have most of them.
    if (numbers.length === 0 || (claim.counts.states ?? 0) > 6_000) continue;
    for (const [number, fate] of await runBatch(claim, mutants, numbers)) {
      const one = list.get(number) as Listed;
      if (one.fate === fate.kind) continue;
      wrong++;
      console.log(`mutant ${number} (${one.definition}: ${one.text}) is ${fate.kind}, not ${one.fate} as recorded`);
    }
    console.log(`${claim.claim}: ${numbers.length} mutants looked at`);
  }
  process.exitCode = wrong === 0 ? 0 : 1;
}

function summary(): string {
  const count = (kind: string): number => [...list.values()].filter(({ fate }) => fate === kind).length;
  const killed = [...list.values()].filter(({ fate }) => isSettled(fate)).length;
  return `${killed} of ${list.size} turn a claim red: ${count('breaks')} break a property, ${count('halts')} cannot be evaluated, ${count('more')} have more states, ${count('fewer')} fewer.`;
}
