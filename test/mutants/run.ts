/**
 * Plants mistakes in src/replica, one at a time, and lets whole-graph conformance judge, smallest model first. What survives the
 * models is held against the tests of src/replica, then against the largest quick model; and what nobody has explained then,
 * against walks that TLC follows.
 * `npm run mutants -- --help` lists the options.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { count } from '../../src/commandLine/line.ts';
import { hashOfFiles } from '../../src/tlc/index.ts';
import { Judges } from './judges.ts';
import { type Mutant, mistakes } from './mistakes.ts';
import { mutantsOf } from './operators.ts';
import { reportOf } from './report.ts';
import { checkLargest, LADDER, LARGEST, makeGraph, nameOf, type Rung, rungOf, SMALL } from './rungs.ts';
import { filesBehind, REPLICA, ROOT } from './sandbox.ts';
import { survivors } from './survivors.ts';
import { failedTest, UNIT_TESTS, WALKS } from './unitTests.ts';
import { Verdicts } from './verdicts.ts';

const LEAST_SHARE = 0.95;
/**
 * What no step depends on. Names (index); checks of a configuration; how states are told apart, which is the judge's own (equal,
 * hash, key); and the switches of the releases, which test/names.test.ts holds against the specification's one by one.
 */
const NOT_BEHAVIOUR = new Set(['index.ts', 'config.ts', 'equal.ts', 'hash.ts', 'key.ts', 'profiles.ts']);
/** A verdict holds as long as what takes and compares steps does not change; TLC's graphs are named after what makes them. */
const JUDGES = ['src/conform/subject.ts', 'src/conform/check.ts'];
const JUDGING = /^src\/(replica|replay|conform|systems|tla)\//;

const command = new Command('npm run mutants --')
  .description('plant mistakes in src/replica, and see what tells them from the original')
  .option('--mistakes', 'the hand list alone: conformance must catch all of it')
  .option('--file <name>', 'of this file of src/replica alone; may come several times', listed)
  .option('--sample <n>', 'every nth mutant alone', count, 1)
  .option('--rungs <n>', 'judged by the first n models alone', count)
  .option('--jobs <n>', 'mutants judged at a time', count)
  .option('--out <file>', 'add each verdict there; what is there already is not judged again')
  .option('--report <file>', 'write what became of them (Markdown)')
  .addHelpText(
    'after',
    '\nWithout options, every small change of every file: at least 95 % must be caught,\nand each survivor be explained in survivors.ts.',
  );
command.parse();
const options = command.opts<{
  mistakes?: true;
  file?: string[];
  sample: number;
  rungs?: number;
  jobs?: number;
  out?: string;
  report?: string;
}>();
const isHandList = options.mistakes === true;
/** Else some mutants or judges are left out, and what survives says little. */
const isWhole = !isHandList && options.file === undefined && options.sample === 1 && options.rungs === undefined;

checkLargest();
const started = performance.now();
const mutants = isHandList ? mistakes.map(inPlace) : generated();
const verdicts = new Verdicts(options.out, await hashOfJudges());
const judges = new Judges(options.jobs);
for (const step of (isHandList ? SMALL : LADDER).slice(0, options.rungs)) await judgeByModel(await rungOf(step));
if (!isHandList && options.rungs === undefined) {
  await judgeByTests('tests', UNIT_TESTS, mutants);
  await judgeByModel(await rungOf(LARGEST));
  await judges.close();
  await judgeByTests('walks', WALKS, mutants.filter(isUnexplained));
}
await judges.close();
const result = reportOf(mutants, verdicts, survivors);
const took = ((performance.now() - started) / 1000).toFixed(0);
console.log(`${result.caught} of ${mutants.length} caught (${(result.share * 100).toFixed(1)} %), in ${took} s.`);
for (const { file, name } of result.unexplained) console.log(`  survives: ${file} ${name}`);
for (const { file, name } of isWhole ? result.stale : []) console.log(`  does not survive: ${file} ${name}`);
if (options.report !== undefined) writeFileSync(options.report, result.markdown);
const isExplained = !isWhole || result.unexplained.length + result.stale.length === 0;
process.exitCode = result.share >= (isHandList ? 1 : LEAST_SHARE) && isExplained ? 0 : 1;

async function hashOfJudges(): Promise<string> {
  const files = filesBehind(JUDGES).filter((file) => JUDGING.test(file));
  return (await hashOfFiles(ROOT, [], files)).slice(0, 16);
}

async function judgeByModel(rung: Rung): Promise<void> {
  const name = basename(rung.file);
  const open = mutants.filter((mutant) => isOpenTo(name, mutant));
  if (open.length === 0) return;
  console.log(`${nameOf(rung)} judges ${open.length}`);
  await makeGraph(rung);
  // The implementation as it is comes first: what it does not conform to tells nothing.
  const original = readFileSync(join(REPLICA, 'leader.ts'), 'utf8');
  const unchanged: Mutant = { name: 'unchanged', file: 'leader.ts', before: original, after: original };
  if (!verdicts.of(unchanged).judges.includes(name)) await judged([unchanged], rung, name);
  if (!isAlive(unchanged)) throw new Error('The implementation as it is does not conform.');
  await judged(open, rung, name);
}

async function judgeByTests(name: string, tests: readonly string[], some: readonly Mutant[]): Promise<void> {
  const open = some.filter((mutant) => isOpenTo(name, mutant));
  if (open.length > 0) console.log(`${tests.join(', ')} judge ${open.length}`);
  for (const mutant of open) {
    verdicts.add(mutant, await failedTest(mutant, tests), [name]);
    tell(mutant);
  }
}

function isUnexplained({ file, name }: Mutant): boolean {
  return !survivors.some((one) => one.file === file && one.name === name);
}

function isOpenTo(judge: string, mutant: Mutant): boolean {
  return isAlive(mutant) && !verdicts.of(mutant).judges.includes(judge);
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
    .filter((file) => (options.file === undefined ? !NOT_BEHAVIOUR.has(file) : options.file.includes(file)))
    .flatMap((file) => mutantsOf(file, readFileSync(join(REPLICA, file), 'utf8')));
  return all.filter((_, index) => index % options.sample === 0);
}

/** A mistake of the list as a change of the whole file. */
function inPlace(mistake: Mutant): Mutant {
  const text = readFileSync(join(REPLICA, mistake.file), 'utf8');
  if (text.split(mistake.before).length !== 2) throw new Error(`${mistake.file} has "${mistake.before}" not once`);
  return { ...mistake, before: text, after: text.replace(mistake.before, () => mistake.after) };
}

function listed(name: string, before: readonly string[] = []): string[] {
  const all = readdirSync(REPLICA);
  if (!all.includes(name)) throw new InvalidArgumentError(`src/replica has ${all.join(', ')}.`);
  return [...before, name];
}
