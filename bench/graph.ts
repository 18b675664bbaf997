/**
 * How fast TLC's graphs are read: two of 100 MB, which TLC makes in this run: one whose lines come again and again, and one with
 * hardly a line that comes twice. Beside it a plain reader that cuts lines and interns their parts. Asserted: rates and peak memory.
 *
 * npm run bench:graph [-- --mb 100]
 */
import { createReadStream, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { readGraphFile } from '../src/graph/index.ts';
import { orExit } from './interruptible.ts';
import { best, check, checkMemory, checkShare, MB, rate, shown, withTlc } from './measure.ts';

const { values: options } = orExit(() => parseArgs({ options: { mb: { type: 'string', default: '100' } } }));
const mb = Number(options.mb);
/** MB for each second of computing, on one core: below what was measured, to hold on a slow machine. */
const LEAST = { repeated: 80, unlike: 50 };
const MOST_MEMORY_MB = 1_024;

const ROW =
  '[epoch |-> n, log |-> <<n, n + 1, n + 2>>, isr |-> {n, n + 5}, note |-> "a text of some length, as labels are"]';

/** Four variables of some 130 bytes; a state has one of `size` values in each of three, so lines come again and again. */
function repeated(size: number): string {
  return [
    '---- MODULE Wide ----',
    'EXTENDS Naturals',
    'VARIABLES a, b, c, d',
    `N == ${size}`,
    `Row(n) == ${ROW}`,
    'Init == a = Row(0) /\\ b = Row(0) /\\ c = Row(0) /\\ d = Row(0)',
    "A == a' = Row((a.epoch + 1) % N) /\\ UNCHANGED <<b, c, d>>",
    "B == b' = Row((b.epoch + 1) % N) /\\ UNCHANGED <<a, c, d>>",
    "C == c' = Row((c.epoch + 1) % N) /\\ UNCHANGED <<a, b, d>>",
    'Next == A \\/ B \\/ C',
    '====',
    '',
  ].join('\n');
}

/** A chain of states; each has another value in every variable. */
function unlike(steps: number): string {
  return [
    '---- MODULE Wide ----',
    'EXTENDS Naturals',
    'VARIABLES a, b, c, d',
    `Last == ${4 * steps}`,
    `Row(n) == ${ROW}`,
    'Init == a = Row(0) /\\ b = Row(1) /\\ c = Row(2) /\\ d = Row(3)',
    "Next == a.epoch < Last /\\ a' = Row(a.epoch + 4) /\\ b' = Row(b.epoch + 4) /\\ c' = Row(c.epoch + 4) /\\ d' = Row(d.epoch + 4)",
    '====',
    '',
  ].join('\n');
}

/** What anybody would write first. */
async function plainReader(file: string): Promise<number> {
  const lines = new Map<string, number>();
  const states = new Map<string, number[]>();
  for await (const line of createInterface({ input: createReadStream(file, { highWaterMark: 4 * 1024 * 1024 }) })) {
    const match = /^(-?\d+) \[label="(.*)"(?:,style = filled)?\];?$/.exec(line);
    if (match === null) continue;
    const parts = match[2]!.split('\\n').map((part) => {
      const known = lines.get(part) ?? lines.size;
      lines.set(part, known);
      return known;
    });
    states.set(match[1]!, parts);
  }
  return states.size;
}

for (const [kind, text] of [
  ['repeated', repeated(Math.ceil(((mb * MB) / 750) ** (1 / 3)))],
  ['unlike', unlike(Math.ceil((mb * MB) / 600))],
] as const) {
  await withTlc(
    'Wide',
    text,
    'INIT Init\nNEXT Next\nCHECK_DEADLOCK FALSE\n',
    (folder) => ({ dumpDot: { file: join(folder, 'wide.dot'), options: ['actionlabels'] } }),
    async ({ outcome, durationMs, statistics }, folder) => {
      if (outcome.kind !== 'success') throw new Error(`TLC came to ${outcome.kind}`);
      const file = join(folder, 'wide.dot');
      const size = statSync(file).size / MB;
      const tlcMs = durationMs ?? 0;
      let told = '';
      const ours = await best(2, async () => {
        const graph = await readGraphFile(file);
        check(graph.stateCount === statistics.distinct, 'as many states as TLC counts');
        told = `${graph.stateCount} states, ${graph.lineCount} lines that differ`;
      });
      console.log(`${kind}: ${size.toFixed(1)} MB, ${told}; TLC made it in ${(tlcMs / 1000).toFixed(1)} s`);
      check(size >= mb * 0.9, `at least ${mb * 0.9} MB`);
      console.log(`  readGraphFile    ${shown(size, ours)}`);
      const plain = await best(1, () => plainReader(file));
      console.log(`  a plain reader   ${shown(size, plain)}   ours is ${(plain / ours).toFixed(1)} times as fast`);
      check(rate(size, ours) >= LEAST[kind], `at least ${LEAST[kind]} MB/s`);
      checkShare(ours, tlcMs, 1 / 5);
    },
  );
}
checkMemory(MOST_MEMORY_MB);
