/**
 * How fast traces are read: two of 10 MB and more, which TLC makes in this run, one in which a step changes little and one in which
 * it changes everything. Asserted: rates, and peak memory with a heap of 512 MB, which the script sets: with more, how much garbage
 * stands about is chance. With a checkout of the VS Code extension of TLA+, its value parser
 * reads the same values, by turns.
 *
 * npm run bench:trace [-- --vscode <folder>]
 */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import ts from 'typescript';
import { StateReader } from '../src/tla/index.ts';
import { parseTlcOutput } from '../src/tlc/index.ts';
import { orExit } from './interruptible.ts';
import { best, check, checkMemory, checkShare, MB, rate, shown, withTlc } from './measure.ts';

/** MB for each second of computing, on one core: far below what was measured, to hold on a slow machine. */
const LEAST = { littleChanges: 30, allChanges: 10 };
const MOST_MEMORY_MB = 1_024;
const ROUNDS = 3;

const { values: options } = orExit(() => parseArgs({ options: { vscode: { type: 'string' } } }));

/** Eight variables of 1.6 kB each; a step changes one of them, or all. */
function specification(steps: number, all: boolean): string {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  const row =
    '[k \\in 0..19 |-> [offset |-> n * 20 + k, epoch |-> n % 7, id |-> "record", acked |-> k % 2 = 0, isr |-> {k, k + n}]]';
  const changed = names.map((name, index) =>
    all ? `${name}' = Row(8 * step + ${index})` : `${name}' = (IF step % 8 = ${index} THEN Row(step) ELSE ${name})`,
  );
  return [
    '---- MODULE Wide ----',
    'EXTENDS Naturals',
    `VARIABLES step, ${names.join(', ')}`,
    `Row(n) == ${row}`,
    `Init == step = 0 /\\ ${names.map((name, index) => `${name} = Row(${index})`).join(' /\\ ')}`,
    `Next == step' = step + 1 /\\ ${changed.join(' /\\ ')}`,
    `Small == step < ${steps}`,
    '====',
    '',
  ].join('\n');
}

function outputOf(steps: number, all: boolean): Promise<{ text: string; tlcMs: number }> {
  const chunks: Uint8Array[] = [];
  return withTlc(
    'Wide',
    specification(steps, all),
    'INIT Init\nNEXT Next\nINVARIANT Small\n',
    () => ({ onOutput: (chunk) => chunks.push(chunk) }),
    ({ outcome, durationMs }) => {
      if (outcome.kind !== 'invariant') throw new Error(`TLC came to ${outcome.kind}`);
      return { text: Buffer.concat(chunks).toString('utf8'), tlcMs: durationMs ?? 0 };
    },
  );
}

type ParseVariable = (name: string, lines: string[]) => unknown;

/** The extension's `parseVariableValue`, out of its sources; what it does not need for that is a stand-in. */
function extensionParser(folder: string): ParseVariable {
  const root = resolve(folder);
  const loaded = new Map<string, unknown>();
  const Nothing = class {};
  const standIn = new Proxy({}, { get: (_, name) => (name === '__esModule' ? false : Nothing) });
  const load = (file: string): unknown => {
    if (loaded.has(file)) return loaded.get(file);
    const module = { exports: {} as unknown };
    loaded.set(file, module.exports);
    const code = ts.transpileModule(readFileSync(file, 'utf8'), {
      compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022, esModuleInterop: true },
    }).outputText;
    const need = (name: string): unknown => {
      if (name.startsWith('.')) {
        const path = resolve(dirname(file), name);
        return load(existsSync(`${path}.ts`) ? `${path}.ts` : join(path, 'index.ts'));
      }
      return name === 'path' ? createRequire(import.meta.url)('node:path') : standIn;
    };
    new Function('require', 'module', 'exports', code)(need, module, module.exports);
    loaded.set(file, module.exports);
    return module.exports;
  };
  return (load(join(root, 'src/parsers/tlcValues.ts')) as { parseVariableValue: ParseVariable }).parseVariableValue;
}

/** The states as they are printed, and each variable of them. */
function statesOf(text: string): { state: string; variables: [name: string, value: string][] }[] {
  return [...text.matchAll(/^\d+: <.*>\n((?:.+\n)+)/gm)].map(([, state = '']) => {
    const variables = state
      .trimEnd()
      .split(/^\/\\ /m)
      .slice(1)
      .map((part): [string, string] => [part.slice(0, part.indexOf(' = ')), part.slice(part.indexOf(' = ') + 3)]);
    return { state, variables };
  });
}

for (const [kind, steps] of [
  ['littleChanges', 900],
  ['allChanges', 900],
] as const) {
  const { text, tlcMs } = await outputOf(steps, kind === 'allChanges');
  const size = Buffer.byteLength(text) / MB;
  console.log(`${kind}: ${size.toFixed(1)} MB, which TLC made in ${(tlcMs / 1000).toFixed(1)} s`);
  check(size >= 10, 'at least 10 MB');
  const output = await best(ROUNDS, () => {
    const { outcome } = parseTlcOutput(text, 12);
    if (outcome.kind !== 'invariant' || outcome.trace.states.length !== steps + 1) throw new Error('another trace');
  });
  console.log(`  the whole output      ${shown(size, output)}`);
  check(rate(size, output) >= LEAST[kind], `at least ${LEAST[kind]} MB/s`);
  checkShare(output, tlcMs, 1 / 2);
  const states = statesOf(text);
  const mb = states.reduce((sum, { state }) => sum + state.length, 0) / MB;
  const ours = await best(ROUNDS, () => {
    const reader = new StateReader();
    for (const { state } of states) reader.read(state);
  });
  console.log(`  its values            ${shown(mb, ours)}`);
  if (options.vscode !== undefined) {
    const parseVariable = extensionParser(options.vscode);
    const theirs = await best(ROUNDS, () => {
      for (const { variables } of states) for (const [name, value] of variables) parseVariable(name, value.split('\n'));
    });
    console.log(`  the extension's       ${shown(mb, theirs)}   ours is ${(theirs / ours).toFixed(1)} times as fast`);
  }
}
checkMemory(MOST_MEMORY_MB);
