/**
 * Mutants of the specification: every guard, alternative and update of the next-state relation, left out one at a time, by
 * SANY's syntax tree. Each must turn a model red: a property breaks, the graph has more states or fewer, or TLC cannot go on;
 * else it must be shown to change nothing.
 *
 * npm run spec-mutants                     all that are open, model by model; writes spec/mutants.json after each run
 * npm run spec-mutants -- --model <word>   only models whose name has this word (or another one, with --model again)
 * npm run spec-mutants -- --mutant <n>     only this one (or another one, with --mutant again)
 * npm run spec-mutants -- --stronger       those that only the number of states settles, until a property breaks
 * npm run spec-mutants -- --same           whether the models that do not see an open one have the very same states with it, where the
 *                                          list has a reason why it should be harmless
 * npm run spec-mutants -- --check <n>      every n-th, held against what spec/mutants.json says of it; writes nothing
 * npm run spec-mutants -- --show <n>       one of them, as a difference
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { specFolder } from '../src/claims/index.ts';
import {
  type Fate,
  isSettled,
  type Listed,
  listOf,
  lookAt,
  type Model,
  type Mutant,
  mutantModels,
  mutated,
  nameOf,
  printList,
  reachNothingElse,
  readList,
  readSpecMutants,
  runBatch,
  TooLargeError,
} from '../src/specMutants/index.ts';
import { interruptible, interruption, orExit } from './interruptible.ts';

const FILE = join(specFolder, 'mutants.json');
/** States of one run, of all mutants together: a minute of one core. What it finds is written before the next one. */
const AT_ONCE = 100_000;
/** CI looks at the small models only; they have most of the mutants. */
const CHECKED_STATES = 6_000;

const { values } = orExit(() =>
  parseArgs({
    options: {
      model: { type: 'string', multiple: true, default: [''] },
      mutant: { type: 'string', multiple: true, default: [] },
      stronger: { type: 'boolean', default: false },
      same: { type: 'boolean', default: false },
      check: { type: 'string' },
      show: { type: 'string' },
    },
  }),
);
const options = { signal: interruption };

const mutants = await readSpecMutants(specFolder);
const recorded = orExit(() => (existsSync(FILE) ? readList(readFileSync(FILE, 'utf8'), FILE) : []));
const list = listOf(mutants, recorded);
// A reason that was written down since may be all that one lacked.
for (const [number, one] of list) if (one.fate === 'open') list.set(number, judged(one));
const models = mutantModels().filter((model) => values.model.some((word) => nameOf(model).includes(word)));

await interruptible(`What was settled so far is in ${FILE}.`, async () => {
  if (values.show !== undefined) show(Number(values.show));
  else if (values.check !== undefined) await checkEvery(Number(values.check));
  else if (values.same) await showSame();
  else await runAll();
});

function show(number: number): void {
  const mutant = mutants.get(number);
  if (mutant === undefined) {
    console.error(`There are mutants from 1 to ${mutants.size}.`);
    process.exitCode = 2;
    return;
  }
  const source = readFileSync(join(specFolder, `${mutant.place.module}.tla`), 'utf8');
  const after = mutated(source, mutant).split('\n');
  const { line, endLine, module } = mutant.place;
  console.log(`${module}.tla, line ${line}, ${mutant.definition}:`);
  for (const text of source.split('\n').slice(line - 1, endLine)) console.log(`- ${text}`);
  console.log(`+ ${after[line - 1]}`);
}

async function runAll(): Promise<void> {
  for (const model of models) {
    const asked = pick((one, number) => isAsked(one, number) && !one.notSeenBy?.includes(nameOf(model)));
    if (asked.size === 0) continue;
    const started = performance.now();
    const seconds = (): string => `${((performance.now() - started) / 1000).toFixed(0)} s`;
    const look = await lookAt(model, asked, options).catch((error: unknown) => {
      if (error instanceof TooLargeError) return error.message;
      throw error;
    });
    if (typeof look === 'string') {
      console.log(look);
      continue;
    }
    const differs = new Map([...asked].filter(([number]) => look.differs.has(number)));
    for (const number of look.evaluated) if (!differs.has(number)) noteSame(number, model);
    let settled = 0;
    for (const some of pieces(differs, Math.max(1, Math.floor(AT_ONCE / look.states)))) {
      for (const [number, fate] of await runBatch(model, some, look, options)) if (note(number, model, fate)) settled++;
      write();
    }
    const of = `${look.states.toLocaleString('en')} states`;
    console.log(
      `${nameOf(model)}, ${of}: ${asked.size} asked, ${look.evaluated.size} evaluated, ${differs.size} with another value, ${settled} settled  ${seconds()}`,
    );
  }
  console.log(summary());
}

function isAsked({ fate, notSeenBy = [], sameStates = [] }: Listed, number: number): boolean {
  if (values.mutant.length > 0) return values.mutant.includes(String(number));
  if (values.stronger) return fate === 'more' || fate === 'fewer';
  // Where three models have run one and did not see it, `--same` is to look whether they have the very same states.
  return fate === 'open' && notSeenBy.filter((name) => !sameStates.includes(name)).length < 3;
}

function pick(which: (one: Listed, number: number) => boolean): Map<number, Mutant> {
  return new Map([...mutants].filter(([number]) => which(list.get(number) as Listed, number)));
}

function* pieces<K, V>(all: ReadonlyMap<K, V>, size: number): Generator<Map<K, V>> {
  const entries = [...all];
  for (let at = 0; at < entries.length; at += size) yield new Map(entries.slice(at, at + size));
}

function write(): void {
  writeFileSync(FILE, printList(list.values()));
}

/** Whether it is news. A property that breaks says more than a number of states. */
function note(number: number, model: Model, fate: Fate): boolean {
  const { notSeenBy = [], ...one } = list.get(number) as Listed;
  const isStronger = fate.kind === 'breaks' || (fate.kind === 'halts' && one.fate !== 'breaks');
  if (isSettled(one.fate) && !isStronger) return false;
  const { sameStates: _, reason: __, ...rest } = one;
  if (fate.kind === 'same')
    list.set(number, judged({ ...one, notSeenBy: [...new Set([...notSeenBy, nameOf(model)])] }));
  else
    list.set(number, {
      ...rest,
      fate: fate.kind,
      model: nameOf(model),
      ...('property' in fate ? { property: fate.property } : {}),
    });
  return fate.kind !== 'same';
}

/** It has the very same states: its place is evaluated, and always has the mutant's own value. */
function noteSame(number: number, model: Model): void {
  const { notSeenBy = [], sameStates = [], ...one } = list.get(number) as Listed;
  if (isSettled(one.fate)) return;
  const add = (names: readonly string[]): string[] => [...new Set([...names, nameOf(model)])];
  list.set(number, judged({ ...one, notSeenBy: add(notSeenBy), sameStates: add(sameStates) }));
}

/** Of each model that does not see some open mutants: all of them together, and one by one if that is more than it has. */
async function showSame(): Promise<void> {
  for (const model of models) {
    const name = nameOf(model);
    const unseen = pick(
      ({ fate, reason, notSeenBy = [], sameStates = [] }) =>
        !isSettled(fate) && reason !== undefined && notSeenBy.includes(name) && !sameStates.includes(name),
    );
    if (unseen.size === 0) continue;
    const look = await lookAt(model, unseen, options);
    const all = await reachNothingElse(model, unseen, look, options);
    let same = 0;
    for (const one of pieces(unseen, 1)) {
      const [number = 0] = one.keys();
      const isSame = all || (await reachNothingElse(model, one, look, options));
      noteStates(number, model, isSame);
      if (isSame) same++;
      write();
    }
    console.log(`${name}: ${same} of ${unseen.size} have the very same ${look.states.toLocaleString('en')} states`);
  }
  console.log(summary());
}

function noteStates(number: number, model: Model, isSame: boolean): void {
  const one = list.get(number) as Listed;
  const { notSeenBy: _, sameStates: __, reason: ___, ...rest } = one;
  if (isSame) list.set(number, judged({ ...one, sameStates: [...(one.sameStates ?? []), nameOf(model)] }));
  else list.set(number, { ...rest, fate: 'others', model: nameOf(model) });
}

/** Harmless: every model that evaluates it has the very same states with it, and why that is so is written down. */
function judged(one: Listed): Listed {
  const { notSeenBy = [], sameStates = [], reason } = one;
  const isHarmless =
    reason !== undefined && notSeenBy.length > 0 && notSeenBy.every((each) => sameStates.includes(each));
  return { ...one, fate: isHarmless ? 'harmless' : 'open' };
}

/** Each against the model that settled it. */
async function checkEvery(n: number): Promise<void> {
  const asked = pick(({ fate }) => fate === 'breaks' || fate === 'halts' || fate === 'more' || fate === 'fewer');
  let wrong = 0;
  for (const model of models) {
    const here = new Map(
      [...asked].filter(([number]) => number % n === 0 && list.get(number)?.model === nameOf(model)),
    );
    if (here.size === 0) continue;
    const look = await lookAt(model, here, { ...options, maxStates: CHECKED_STATES }).catch((error: unknown) => {
      if (error instanceof TooLargeError) return null;
      throw error;
    });
    if (look === null) continue;
    for (const [number, fate] of await runBatch(model, here, look, options)) {
      const one = list.get(number) as Listed;
      if (one.fate === fate.kind) continue;
      wrong++;
      console.log(`mutant ${number} (${one.definition}: ${one.text}) is ${fate.kind}, not ${one.fate} as recorded`);
    }
    console.log(`${nameOf(model)}: ${here.size} mutants looked at`);
  }
  process.exitCode = wrong === 0 ? 0 : 1;
}

function summary(): string {
  const count = (...kinds: readonly string[]): number =>
    [...list.values()].filter(({ fate }) => kinds.includes(fate)).length;
  return (
    `${count('breaks', 'halts', 'more', 'fewer')} of ${list.size} turn a model red: ${count('breaks')} break a property, ` +
    `${count('halts')} cannot be evaluated, ${count('more')} have more states, ${count('fewer')} fewer. ` +
    `${count('others')} have as many states, but other ones. ${count('harmless')} are harmless, ${count('open')} open.`
  );
}
