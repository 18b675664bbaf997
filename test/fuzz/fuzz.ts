/**
 * Mutates recorded outputs of TLC, printed values, ITF files, JSON dumps and graphs, and reads them: nothing but typed errors, less than a
 * second of computing for each, at most 1 GiB of memory. Seeded: the same runs give the same texts.
 *
 * npm run fuzz [-- --runs 1000000 --seed 1]
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { orExit } from '../../bench/interruptible.ts';
import { DotError, StateGraph } from '../../src/graph/index.ts';
import { parse, parseState, print, TlaSyntaxError } from '../../src/tla/index.ts';
import { parseTlcOutput, tracesIn } from '../../src/tlc/index.ts';
import { assertTrace, parseItf, parseTlcJson, printItf, TraceError } from '../../src/trace/index.ts';
import { mutate, type Random, random } from './mutate.ts';

const TYPED = [TlaSyntaxError, TraceError, DotError];
const MAX_TEXT = 20_000;
const MAX_MS = 1_000;
const MAX_RSS = 1024 ** 3;

const { values: options } = orExit(() =>
  parseArgs({
    options: { runs: { type: 'string', default: '1000000' }, seed: { type: 'string', default: '1' } },
  }),
);
const [runs, seed] = [Number(options.runs), Number(options.seed)];

/** Reads a text; a typed error is an answer, anything else goes on to the caller. */
type Target = {
  readonly name: string;
  readonly texts: readonly string[];
  readonly share: number;
  read(text: string): void;
};

const fixtures = (folder: string, ending: string): string[] => {
  const root = fileURLToPath(new URL(`../fixtures/${folder}/`, import.meta.url));
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith(ending));
  return names
    .sort()
    .map((name) => readFileSync(join(root, name), 'utf8'))
    .filter((text) => text !== '' && text.length <= MAX_TEXT);
};
const outputs = [...fixtures('tlc', '.out'), ...fixtures('tlc', '.console')];
const traces = outputs.flatMap((output) => tracesIn(output)).flatMap((trace) => ('states' in trace ? [trace] : []));
const states = outputs.flatMap((output) => [...output.matchAll(/^\d+: <.*>\n((?:.+\n)+)/gm)].map((match) => match[1]!));
const values = traces.flatMap((trace) =>
  trace.states.slice(-1).flatMap((state) => [...state.values()].map((value) => print(value))),
);
const UNLISTED = [
  'SUBSET (1..9)',
  '[1..9 -> {a, b}]',
  '[f: 1..3, g: Nat]',
  '(1..50 \\X Nat)',
  '{x \\in Nat : <expression 1>}',
];

const targets: readonly Target[] = [
  { name: 'values', share: 3, texts: [...values, ...UNLISTED], read: (text) => void parse(text) },
  { name: 'states', share: 2, texts: states, read: (text) => void parseState(text) },
  { name: 'outputs', share: 3, texts: outputs, read: readOutput },
  {
    name: 'ITF',
    share: 2,
    texts: [
      ...fixtures('itf', '.json'),
      ...traces.map((trace) => printItf(trace)).filter((text) => text.length <= MAX_TEXT),
    ],
    read: (text) => assertTrace(parseItf(text)),
  },
  {
    name: 'JSON dumps',
    share: 1,
    texts: [...fixtures('tlc/later', '.json'), ...traces.map(dumped)],
    read: (text) => assertTrace(parseTlcJson(text)),
  },
  { name: 'graphs', share: 1, texts: fixtures('graph', '.dot'), read: readWholeGraph },
];

/** In two chunks, and every state of it. */
function readWholeGraph(text: string): void {
  const bytes = Buffer.from(text);
  const graph = new StateGraph('given.dot');
  graph.push(bytes.subarray(0, bytes.length >> 1));
  graph.push(bytes.subarray(bytes.length >> 1));
  graph.finish();
  for (let state = 0; state < graph.stateCount; state++) graph.stateAt(state);
}

/** Never throws; what it says of a trace is whole. */
function readOutput(text: string): void {
  const report = parseTlcOutput(text, null);
  for (const outcome of [report.outcome, ...report.further])
    if ('trace' in outcome && outcome.trace !== null) assertTrace(outcome.trace);
  for (const trace of tracesIn(text)) if ('states' in trace) assertTrace(trace);
}

function dumped(trace: (typeof traces)[number]): string {
  const state = (index: number): string =>
    `[${index + 1},{${trace.vars.map((name) => `"${name}":[${index},{"a":"b"}]`).join(',')}}]`;
  const all = trace.states.map((_, index) => state(index));
  const steps = all.slice(1).map((to, index) => `[${all[index]},{"name":"Next"},${to}]`);
  return `{"counterexample":{"action":[${steps.join(',')}],"state":[${all.join(',')}]}}`;
}

function one(target: Target, text: string, isTyped: (error: unknown) => boolean): 'read' | 'refused' {
  const before = process.cpuUsage();
  const answer = attempt(target, text, isTyped);
  const { user } = process.cpuUsage(before);
  if (user / 1000 > MAX_MS) throw new Error(`${target.name}: ${Math.round(user / 1000)} ms for one text`);
  return answer;
}

function attempt(target: Target, text: string, isTyped: (error: unknown) => boolean): 'read' | 'refused' {
  try {
    target.read(text);
    return 'read';
  } catch (error) {
    if (isTyped(error)) return 'refused';
    throw error;
  }
}

function pick<T>(items: readonly T[], next: Random): T {
  return items[next(items.length)]!;
}

const weighted = targets.flatMap((target) => Array<Target>(target.share).fill(target));
const counts = new Map(targets.map(({ name }) => [name, { read: 0, refused: 0 }]));
const next = random(seed);
const started = performance.now();
for (let run = 1; run <= runs; run++) {
  const target = pick(weighted, next);
  const text = mutate(pick(target.texts, next), pick(target.texts, next), next);
  const isTyped = (error: unknown): boolean => target.name !== 'outputs' && TYPED.some((type) => error instanceof type);
  try {
    counts.get(target.name)![one(target, text, isTyped)]++;
    const { rss } = process.memoryUsage();
    if (run % 1_000 === 0 && rss > MAX_RSS)
      throw new Error(`${Math.round(rss / 1024 ** 2)} MiB of memory after run ${run}`);
  } catch (error) {
    const file = join(tmpdir(), `fuzz-${seed}-${run}.txt`);
    writeFileSync(file, text);
    console.error(`seed ${seed}, run ${run}, ${target.name}; the text is in ${file}`);
    throw error;
  }
  if (run % 100_000 === 0) console.log(`${run} of ${runs}, ${Math.round((performance.now() - started) / 1000)} s`);
}
for (const [name, { read, refused }] of counts)
  console.log(`${name.padEnd(12)} ${read} read, ${refused} refused with a typed error`);
console.log(
  `${runs} texts, seed ${seed}, ${Math.round((performance.now() - started) / 1000)} s, at most ${Math.round(process.resourceUsage().maxRSS / 1024)} MiB`,
);
