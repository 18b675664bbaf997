import { readdirSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseTlcOutput } from '../../src/tlc/index.ts';
import { assertTrace } from '../../src/trace/index.ts';
import { FIXTURES, fixture } from './support.ts';

const outputs = readdirSync(FIXTURES, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.out'))
  .sort()
  .map((path) => fixture(path.slice(0, -'.out'.length)).output.toString('utf8').split('\n'));

type Edit = { at: number; what: 'drop' | 'double' | 'swap' | 'cut' | 'noise' | 'chop'; other: number; noise: string };

const edit: fc.Arbitrary<Edit> = fc.record({
  at: fc.nat(10_000),
  what: fc.constantFrom('drop', 'double', 'swap', 'cut', 'noise', 'chop'),
  other: fc.nat(10_000),
  noise: fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.constantFrom(
      '@!@!@STARTMSG 2217:4 @!@!@',
      '@!@!@ENDMSG 2217 @!@!@',
      '@!@!@STARTMSG 2110:1 @!@!@',
      '1: <',
      '/\\ x = <<',
      '*** Errors: 9',
    ),
  ),
});

function apply(lines: readonly string[], edits: readonly Edit[]): string[] {
  const edited = [...lines];
  for (const { at, what, other, noise } of edits) {
    if (edited.length === 0) break;
    const index = at % edited.length;
    const line = edited[index]!;
    if (what === 'drop') edited.splice(index, 1);
    else if (what === 'double') edited.splice(index, 0, line);
    else if (what === 'swap') edited.splice(index, 1, ...edited.splice(other % edited.length, 1, line));
    else if (what === 'cut') edited.length = index;
    else if (what === 'noise') edited.splice(index, 0, noise);
    else edited[index] = line.slice(0, other % (line.length + 1));
  }
  return edited;
}

test('no output makes it throw, and every violation has a trace that is whole', () => {
  fc.assert(
    fc.property(
      fc.nat(outputs.length - 1),
      fc.array(edit, { minLength: 1, maxLength: 6 }),
      fc.constantFrom(null, 0, 1, 12, 13, 75, 137, 143, 255),
      (which, edits, exitCode) => {
        const report = parseTlcOutput(apply(outputs[which]!, edits).join('\n'), exitCode);
        for (const outcome of [report.outcome, ...report.further]) {
          if ('trace' in outcome && outcome.trace !== null) assertTrace(outcome.trace);
          if (outcome.kind === 'parse') expect(outcome.errors.length).toBeGreaterThan(0);
          if (outcome.kind === 'success') expect([null, 0]).toContain(exitCode);
        }
      },
    ),
    { seed: 20260101, numRuns: 4_000 },
  );
});

/** Texts that a backtracking expression, or one that grows a text piece by piece, takes minutes for. */
test('no text of one thing over and over takes longer than its length asks for', () => {
  const message = (code: number, text: string) => `@!@!@STARTMSG ${code}:1 @!@!@\n${text}\n@!@!@ENDMSG ${code} @!@!@\n`;
  const heads: [code: number, text: string][] = [
    [2109, 'The following variable is not assigned: '],
    [2110, 'Invariant '],
    [2116, 'Temporal property '],
    [2122, '1: Back to state: '],
    [2193, 'val = '],
    [2199, ''],
    [2217, '1: <Next '],
    [2217, '1: <Initial predicate>\nx = '],
  ];
  for (const fill of ['9', '9,', ' ', '\n', 'line 1, col 2 ', '<', '> ', ': ', 'and ', '\\']) {
    const text = fill.repeat(200_000 / fill.length);
    const output = heads.map(([code, head]) => message(2110, 'Invariant A is violated.') + message(code, head + text));
    const report = parseTlcOutput(`${output.join('')}${message(2186, 'Finished in 1ms at (x)')}`, null);
    expect(report.outcome.kind).toMatch(/^(invariant|toolFailure)$/);
  }
}, 20_000);
