/**
 * Plants mistakes in src/replica, one at a time, and lets whole-graph conformance judge, smallest model first.
 *
 *   npm run mutants -- --mistakes            the hand list: all must be caught
 *   npm run mutants                          and every small change of every file: at least 95 % must be caught
 *   npm run mutants -- --file truncation.ts  of one file; the option may come several times
 *   npm run mutants -- --sample 20           every twentieth
 *   npm run mutants -- --rungs 4             judged by the first four models alone
 *   npm run mutants -- --out <file>          each verdict is added there; what is there already is not judged again
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { hashOfFiles } from '../../src/tlc/index.ts';
import { judgeAll } from './judges.ts';
import { type Mutant, mistakes } from './mistakes.ts';
import { mutantsOf } from './operators.ts';
import { LADDER, prepared } from './rungs.ts';
import { ROOT } from './sandbox.ts';
import { Verdicts } from './verdicts.ts';

const REPLICA = join(ROOT, 'src/replica');
const LEAST_SHARE = 0.95;
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
  },
});

const started = performance.now();
const rungs = await prepared(LADDER.slice(0, Number(values.rungs ?? LADDER.length)), console.log);
const mutants = values.mistakes === true ? mistakes.map(inPlace) : generated();
const verdicts = new Verdicts(values.out, await hashOfJudges());
await judgeAll([unchanged()], rungs, (_, killedBy) => {
  if (killedBy !== null) throw new Error(`The implementation as it is does not conform: ${killedBy}`);
});
const open = mutants.filter((mutant) => !verdicts.has(mutant));
if (open.length < mutants.length)
  console.log(`${mutants.length - open.length} of ${mutants.length} were judged before.`);
await judgeAll(
  open.map((mutant) => ({ ...mutant, text: mutant.after })),
  rungs,
  (mutant, killedBy) => {
    verdicts.add(mutant, killedBy);
    console.log(
      `${killedBy === null ? 'SURVIVES' : 'caught  '} ${mutant.file} ${mutant.name}${killedBy === null ? '' : `: ${killedBy}`}`,
    );
  },
  values.jobs === undefined ? undefined : Number(values.jobs),
);
report();

function report(): void {
  const survivors = mutants.filter((mutant) => verdicts.of(mutant) === null);
  const share = 1 - survivors.length / mutants.length;
  const took = ((performance.now() - started) / 1000).toFixed(0);
  console.log(
    `${mutants.length - survivors.length} of ${mutants.length} caught (${(share * 100).toFixed(1)} %), in ${took} s.`,
  );
  for (const { file, name } of survivors) console.log(`  ${file} ${name}`);
  process.exitCode = share >= (values.mistakes === true ? 1 : LEAST_SHARE) ? 0 : 1;
}

/** The sources and the graphs. */
async function hashOfJudges(): Promise<string> {
  const sources = await hashOfFiles(ROOT, ['src/conform', 'src/replay', 'src/replica'], ['src/systems/memory.ts']);
  const graphs = rungs.map(({ file }) => file);
  return createHash('sha256')
    .update(JSON.stringify([sources, graphs]))
    .digest('hex')
    .slice(0, 16);
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

function unchanged() {
  return { file: 'leader.ts', text: readFileSync(join(REPLICA, 'leader.ts'), 'utf8') };
}
