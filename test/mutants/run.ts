/**
 * Plants mistakes in src/replica, one at a time, and lets whole-graph conformance judge, smallest model first.
 *
 *   npm run mutants -- --mistakes           the hand list: all must be caught
 *   npm run mutants                         and every small change of every file: at least 95 % must be caught
 *   npm run mutants -- --file truncation.ts of one file; the option may come several times
 *   npm run mutants -- --sample 20          every twentieth
 *   npm run mutants -- --rungs 4           judged by the first four models alone
 *   npm run mutants -- --graphs <folder>    keep TLC's graphs there, and use those that are there
 */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import ts from 'typescript';
import { dumpGraph } from '../../src/conform/index.ts';
import { type Mutant, mistakes } from './mistakes.ts';
import { mutantsOf } from './operators.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const LEAST_SHARE = 0.95;
const TIMEOUT_MS = 180_000;
/** What no step depends on: names, checks of a configuration, and how states are told apart, which is the judge's own. */
const NOT_BEHAVIOUR = new Set([
  ...['index.ts', 'key.ts', 'hash.ts', 'equal.ts', 'state.ts', 'messages.ts', 'profiles.ts', 'config.ts'],
]);

interface Graph {
  readonly model: string;
  readonly profile: string | null;
  readonly file: string;
}

/** Small models that together tell the rules apart, then larger ones for what survives. */
const LADDER: readonly (readonly [model: string, profile: string | null])[] = [
  ['SecondRoundTold', null],
  ['MinIsrAlone', 'Kafka_2_0_1'],
  ['MinIsrAlone', 'Kafka_4_4'],
  ['MinIsrAlone', null],
  ['MinIsrAlone', 'Kafka_1_1_0'],
  ['MinIsrAlone', 'Kafka_2_8_0'],
  ['PowerLossTakesAll', null],
  ['PowerLossTakesAll', 'Kafka_2_0_0'],
  ['LateNewsKip320', null],
  ['FastLeaderChange111', null],
  ['InsideFetchPowerLoss', null],
  ['FastLeaderChangeKip279', null],
];

const { values } = parseArgs({
  options: {
    mistakes: { type: 'boolean' },
    file: { type: 'string', multiple: true },
    sample: { type: 'string' },
    graphs: { type: 'string' },
    rungs: { type: 'string' },
  },
});
const own = mkdtempSync(join(tmpdir(), 'leader-epoch-mutants-'));
process.on('exit', () => rmSync(own, { recursive: true, force: true }));

const graphs = await makeGraphs();
const base = transpiled();
const survivors: Mutant[] = [];
const mutants = values.mistakes === true ? mistakes.map(inPlace) : chosen();
const unchanged = await judged(inPlace({ ...mistakes[0]!, name: 'no change', after: mistakes[0]!.before }), -1);
if (unchanged !== null) throw new Error(`The implementation as it is does not conform: ${unchanged}`);
let done = 0;
await Promise.all([worker(), worker()]);
report();

async function worker(): Promise<void> {
  for (let index = done++; index < mutants.length; index = done++) {
    const mutant = mutants[index]!;
    const killedBy = await judged(mutant, index);
    if (killedBy === null) survivors.push(mutant);
    console.log(
      `${killedBy === null ? 'SURVIVES' : 'caught  '} ${mutant.file} ${mutant.name}${killedBy === null ? '' : `: ${killedBy}`}`,
    );
  }
}

function report(): void {
  const share = 1 - survivors.length / mutants.length;
  console.log(`${mutants.length - survivors.length} of ${mutants.length} caught (${(share * 100).toFixed(1)} %).`);
  for (const { file, name } of survivors) console.log(`  ${file} ${name}`);
  process.exitCode = share >= (values.mistakes === true ? 1 : LEAST_SHARE) ? 0 : 1;
}

async function makeGraphs(): Promise<Graph[]> {
  const made: Graph[] = [];
  for (const [model, profile] of LADDER.slice(0, Number(values.rungs ?? LADDER.length))) {
    const file = join(values.graphs ?? own, `${model}-${profile}.dot`);
    if (existsSync(file)) {
      made.push({ model, profile, file });
      continue;
    }
    const dump = await dumpGraph(model, { file, ...(profile === null ? {} : { profile }) });
    if (dump.kind !== 'graph') throw new Error(`${model}: ${dump.reason}`);
    made.push({ model, profile, file });
  }
  return made;
}

/** All of src as JavaScript, once: a mutant's copy differs in one file. */
function transpiled(): string {
  const folder = join(own, 'base');
  const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.tsx?$/.test(name),
  );
  for (const file of files) {
    const target = join(folder, 'src', file.replace(/\.tsx?$/, '.js'));
    mkdirSync(join(target, '..'), { recursive: true });
    writeFileSync(target, toJs(readFileSync(join(ROOT, 'src', file), 'utf8')));
  }
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  symlinkSync(join(ROOT, 'spec'), join(folder, 'spec'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

function toJs(text: string): string {
  const compilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    verbatimModuleSyntax: true,
    rewriteRelativeImportExtensions: true,
  };
  return ts.transpileModule(text, { compilerOptions }).outputText;
}

function chosen(): Mutant[] {
  const all = readdirSync(join(ROOT, 'src/replica'))
    .filter((file) => (values.file === undefined ? !NOT_BEHAVIOUR.has(file) : values.file.includes(file)))
    .flatMap((file) => mutantsOf(file, readFileSync(join(ROOT, 'src/replica', file), 'utf8')));
  const every = Number(values.sample ?? 1);
  return all.filter((_, index) => index % every === 0);
}

/** A mistake of the list as a change of the whole file. */
function inPlace(mistake: Mutant): Mutant {
  const text = readFileSync(join(ROOT, 'src/replica', mistake.file), 'utf8');
  if (text.split(mistake.before).length !== 2) throw new Error(`${mistake.file} has "${mistake.before}" not once`);
  return { ...mistake, before: text, after: text.replace(mistake.before, () => mistake.after) };
}

/** The graph that tells it from the original; null if none does. */
async function judged(mutant: Mutant, index: number): Promise<string | null> {
  const folder = join(own, `mutant-${index}`);
  cpSync(base, folder, { recursive: true, verbatimSymlinks: true });
  writeFileSync(join(folder, 'src/replica', mutant.file.replace('.ts', '.js')), toJs(mutant.after));
  const thread = new Worker(new URL('./judgeWorker.mjs', import.meta.url), {
    workerData: { folder, graphs },
    execArgv: [],
  });
  try {
    return await new Promise((resolve, reject) => {
      const timer = setTimeout(() => resolve('it never ends'), TIMEOUT_MS);
      const settle = (killedBy: string | null): void => {
        clearTimeout(timer);
        resolve(killedBy);
      };
      thread.once('message', ({ killedBy }) => settle(killedBy));
      thread.once('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'ERR_MODULE_NOT_FOUND' || error.code === 'ENOENT') reject(error);
        else settle(`an exception: ${error.message}`);
      });
    });
  } finally {
    await thread.terminate();
    rmSync(folder, { recursive: true, force: true });
  }
}
