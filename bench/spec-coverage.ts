/**
 * Every action and every branch of the specification is reached by some quick claim: actions by TLC's own coverage, branches
 * (arms of IF and CASE, disjuncts) by marks that SANY's syntax tree tells where to put. (TLC's coverage counts no arm that is a
 * constant, and counts what properties evaluate.)
 *
 * npm run spec-coverage                 what is not reached yet, claim by claim, small ones first; writes spec/coverage.json
 * npm run spec-coverage -- --anew       all of it
 * npm run spec-coverage -- <claim>…     by these claims
 * npm run spec-coverage -- --check <n>  what is recorded of claims of up to n states, once more; writes nothing
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Claim, loadClaims, pickClaims, specFolder } from '../src/claims/index.ts';
import { coverageOf, printCoverage, reachedBy, readBranches, readCoverage } from '../src/specMutants/index.ts';
import { interruptible, interruption, orExit } from './interruptible.ts';

const FILE = join(specFolder, 'coverage.json');

const { values, positionals } = orExit(() =>
  parseArgs({
    options: { check: { type: 'string' }, anew: { type: 'boolean', default: false } },
    allowPositionals: true,
  }),
);
const options = { signal: interruption };

const branches = await readBranches(specFolder);
const recorded = orExit(() =>
  existsSync(FILE) && !values.anew ? readCoverage(readFileSync(FILE, 'utf8'), FILE) : null,
);
const coverage = coverageOf(specFolder, branches, recorded);

await interruptible(`What was reached so far is in ${FILE}.`, async () => {
  if (values.check !== undefined) await check(Number(values.check));
  else await run();
});

/** Those whose models are of the protocol; the states of a counterexample's search are not recorded. */
function claimsInOrder(): Claim[] {
  const size = ({ counts, set }: Claim): number => (counts.states ?? 5_000) + (set === 'deep' ? 1_000_000 : 0);
  return pickClaims(loadClaims(), positionals, () => true)
    .filter(({ claim }) => !claim.startsWith('look-ups-'))
    .sort((a, b) => size(a) - size(b));
}

async function run(): Promise<void> {
  for (const claim of claimsInOrder()) {
    const open = new Map([...branches].filter(([number]) => coverage.branches[number - 1]?.claim === undefined));
    const openActions = coverage.actions.filter((one) => one.claim === undefined);
    if (open.size === 0 && openActions.length === 0) break;
    const started = performance.now();
    const reached = await reachedBy({ claim, constants: {} }, open, options);
    let news = 0;
    for (const one of openActions)
      if (reached.actions.has(one.action)) {
        one.claim = claim.claim;
        news++;
      }
    for (const number of open.keys()) {
      const one = coverage.branches[number - 1];
      if (one === undefined || !reached.branches.has(number)) continue;
      one.claim = claim.claim;
      news++;
    }
    writeFileSync(FILE, printCoverage(coverage));
    const seconds = ((performance.now() - started) / 1000).toFixed(0);
    const left = open.size + openActions.length - news;
    console.log(`${claim.claim.padEnd(28)} ${news} reached, ${left} left  ${seconds} s`);
  }
  for (const { kind, definition, when, claim } of coverage.branches)
    if (claim === undefined) console.log(`not reached: ${definition}, ${kind}: ${when}`);
}

async function check(maxStates: number): Promise<void> {
  let wrong = 0;
  for (const claim of claimsInOrder()) {
    const own = new Map([...branches].filter(([number]) => coverage.branches[number - 1]?.claim === claim.claim));
    const actions = coverage.actions.filter((one) => one.claim === claim.claim);
    if (own.size + actions.length === 0 || (claim.counts.states ?? 5_000) > maxStates) continue;
    const reached = await reachedBy({ claim, constants: {} }, own, options);
    for (const { action } of actions)
      if (!reached.actions.has(action)) {
        wrong++;
        console.log(`${claim.claim} does not take ${action}, as recorded`);
      }
    for (const [number, { definition, kind, when }] of own)
      if (!reached.branches.has(number)) {
        wrong++;
        console.log(`${claim.claim} does not reach ${definition}, ${kind}: ${when}, as recorded`);
      }
    console.log(`${claim.claim}: ${actions.length} actions and ${own.size} branches looked at`);
  }
  process.exitCode = wrong === 0 ? 0 : 1;
}
