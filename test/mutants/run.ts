/**
 * Plants mistakes in src/replica, one at a time, and lets whole-graph conformance judge, smallest model first; what survives the
 * largest one, too, is held against the tests of src/replica.
 *
 *   npm run mutants -- --mistakes            the hand list: conformance must catch all
 *   npm run mutants                          every small change of every file: at least 95 % must be caught, and each that
 *                                            survives must be explained in survivors.ts
 *   npm run mutants -- --file truncation.ts  of one file; the option may come several times
 *   npm run mutants -- --sample 20           every twentieth
 *   npm run mutants -- --rungs 4             judged by the first four models alone
 *   npm run mutants -- --out <file>          each verdict is added there; what is there already is not judged again
 *   npm run mutants -- --report <file>       writes what became of them (Markdown)
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { hashOfFiles } from '../../src/tlc/index.ts';
import { Judges } from './judges.ts';
import { type Mutant, mistakes } from './mistakes.ts';
import { mutantsOf } from './operators.ts';
import { reportOf } from './report.ts';
import { checkLadder, LADDER, makeGraph, nameOf, type Rung, rungOf, SMALL } from './rungs.ts';
import { REPLICA, ROOT } from './sandbox.ts';
import { survivors } from './survivors.ts';
import { failedTest } from './unitTests.ts';
import { Verdicts } from './verdicts.ts';

const LEAST_SHARE = 0.95;
const TESTS = 'tests';
/**
 * What no step depends on. Names (index); checks of a configuration; how states are told apart, which is the judge's own (equal,
 * hash, key); and the switches of the releases, which test/names.test.ts holds against the specification's one by one.
 */
const NOT_BEHAVIOUR = new Set(['index.ts', 'config.ts', 'equal.ts', 'hash.ts', 'key.ts', 'profiles.ts']);

const { values } = parseArgs({
  options: {
    mistakes: { type: 'boolean' },
    file: { type: 'string', multiple: true },
    sample: { type: 'string' },
    rungs: { type: 'string' },
    jobs: { type: 'string' },
    out: { type: 'string' },
    report: { type: 'string' },
  },
});

checkLadder();
const started = performance.now();
const isHandList = values.mistakes === true;
const ladder = isHandList ? SMALL : LADDER;
const rungs = await Promise.all(ladder.slice(0, Number(values.rungs ?? ladder.length)).map(rungOf));
const mutants = isHandList ? mistakes.map(inPlace) : generated();
const sources = ['src/conform', 'src/replay', 'src/replica'];
const verdicts = new Verdicts(values.out, (await hashOfFiles(ROOT, sources, [])).slice(0, 16));

const original = readFileSync(join(REPLICA, 'leader.ts'), 'utf8');
const unchanged: Mutant = { name: 'unchanged', file: 'leader.ts', before: original, after: original };
const judges = new Judges(values.jobs === undefined ? undefined : Number(values.jobs));
for (const rung of rungs) {
  const name = basename(rung.file);
  const open = mutants.filter((mutant) => isAlive(mutant) && !verdicts.of(mutant).judges.includes(name));
  if (open.length === 0) continue;
  console.log(`${nameOf(rung)} judges ${open.length}`);
  await makeGraph(rung);
  // The implementation as it is comes first: what it does not conform to tells nothing.
  if (!verdicts.of(unchanged).judges.includes(name)) await judged([unchanged], rung, name);
  if (!isAlive(unchanged)) throw new Error('The implementation as it is does not conform.');
  await judged(open, rung, name);
}
await judges.close();
if (!isHandList && rungs.length === LADDER.length) {
  for (const mutant of mutants.filter(isAlive)) {
    if (verdicts.of(mutant).judges.includes(TESTS)) continue;
    verdicts.add(mutant, await failedTest(mutant), [TESTS]);
    tell(mutant);
  }
}
const result = reportOf(mutants, verdicts, survivors);
const took = ((performance.now() - started) / 1000).toFixed(0);
console.log(`${result.caught} of ${mutants.length} caught (${(result.share * 100).toFixed(1)} %), in ${took} s.`);
for (const { file, name } of result.unexplained) console.log(`  survives: ${file} ${name}`);
if (values.report !== undefined) writeFileSync(values.report, result.markdown);
process.exitCode = result.share >= (isHandList ? 1 : LEAST_SHARE) && isExplained() ? 0 : 1;

/** An explanation is taken for a survivor of the whole ladder only. */
function isExplained(): boolean {
  const isWhole = ![values.file, values.sample, values.rungs, values.mistakes].some((value) => value !== undefined);
  for (const { file, name } of isWhole ? result.stale : []) console.log(`  does not survive: ${file} ${name}`);
  return !isWhole || result.unexplained.length + result.stale.length === 0;
}

async function judged(some: readonly Mutant[], rung: Rung, name: string): Promise<void> {
  const tasks = some.map((mutant) => ({ mutant, file: mutant.file, text: mutant.after, rung }));
  await judges.all(tasks, ({ mutant }, killedBy) => {
    verdicts.add(mutant, killedBy, [name]);
    if (killedBy !== null) tell(mutant);
  });
}

function isAlive(mutant: Pick<Mutant, 'file' | 'name'>): boolean {
  return verdicts.of(mutant).killedBy === null;
}

function tell(mutant: Mutant): void {
  const { killedBy } = verdicts.of(mutant);
  console.log(
    `${killedBy === null ? 'SURVIVES' : 'caught  '} ${mutant.file} ${mutant.name}${killedBy === null ? '' : `: ${killedBy}`}`,
  );
}

function generated(): Mutant[] {
  const all = readdirSync(REPLICA)
    .filter((file) => (values.file === undefined ? !NOT_BEHAVIOUR.has(file) : values.file.includes(file)))
    .flatMap((file) => mutantsOf(file, readFileSync(join(REPLICA, file), 'utf8')));
  const every = Number(values.sample ?? 1);
  return all.filter((_, index) => index % every === 0);
}

/** A mistake of the list as a change of the whole file. */
function inPlace(mistake: Mutant): Mutant {
  const text = readFileSync(join(REPLICA, mistake.file), 'utf8');
  if (text.split(mistake.before).length !== 2) throw new Error(`${mistake.file} has "${mistake.before}" not once`);
  return { ...mistake, before: text, after: text.replace(mistake.before, () => mistake.after) };
}
