/** Output of TLC without `-tool`, and parts of any output. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseTlcOutput, type TlcOutcome, tracesIn } from '../../src/tlc/index.ts';
import { FIXTURES, fixture, names, outcomeOf } from './support.ts';

const consoles = readdirSync(FIXTURES, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.console'))
  .map((path) => path.slice(0, -'.console'.length))
  .sort();
const read = (name: string): string => readFileSync(`${FIXTURES}${name}.console`, 'utf8');

/** A console does not tell the code of every error. */
function withoutCode(outcome: TlcOutcome): object {
  const { code: _, ...rest } = { code: null, ...outcome };
  return rest;
}

describe('without -tool', () => {
  test('there are twenty-three recorded outputs', () => expect(consoles).toHaveLength(23));

  test.each(consoles)('%s comes to the same as with it', (name) => {
    const console = parseTlcOutput(read(name), null);
    const tool = parseTlcOutput(fixture(name).output, null);
    expect(withoutCode(console.outcome)).toEqual(withoutCode(tool.outcome));
    expect(console.further.map(withoutCode)).toEqual(tool.further.map(withoutCode));
    expect(console.userOutput).toEqual(tool.userOutput);
    expect(console.warnings.map(({ message }) => message.split('\n')[0])).toEqual(
      tool.warnings.map(({ message }) => message),
    );
  });

  test('a later release names the property', () => {
    const later = read('kinds/Lasso').replace(
      'Temporal properties were violated.',
      'Temporal property Live was violated.',
    );
    expect(parseTlcOutput(later, 13).outcome).toMatchObject({ kind: 'temporal', names: ['Live'] });
  });

  test.each([
    ['Progress: 6001 states checked.', 6001],
    ['Progress: 5,001 states checked, 200 traces generated (trace length: mean=30, var(x)=0, sd=0)', 5001],
  ])('a simulation counts what it has looked at: %s', (progress, generated) => {
    const text = `TLC2 Version 2.18\nRunning Random Simulation with seed 1\n${progress}\nFinished in 02s at (…)\n`;
    const report = parseTlcOutput(text, 0);
    expect([report.outcome, report.statistics.generated]).toEqual([{ kind: 'success', exhaustive: false }, generated]);
  });

  test('coverage is nothing that the specification prints', () => {
    const whole = read('kinds/Abs');
    const report =
      '<Init line 4, col 1 to line 4, col 4 of module Abs>: 1:1\n  |line 4, col 9 to line 4, col 13 of module Abs: 1';
    const covered = whole.replace(
      /^\d+ states generated/m,
      `The coverage statistics at 12:00\n${report}\nEnd of statistics.\n$&`,
    );
    expect(covered).not.toBe(whole);
    expect(parseTlcOutput(covered, null)).toEqual(parseTlcOutput(whole, null));
  });

  test('cut, it is no verdict', () => {
    const whole = read('kinds/Abs');
    const cut = whole.slice(0, whole.indexOf('State 3:'));
    expect(parseTlcOutput(cut, null).outcome).toMatchObject({ kind: 'toolFailure', cause: 'incompleteOutput' });
  });
});

describe('the traces in a part of an output', () => {
  test('each behaviour that it shows, whatever for', () => {
    const whole = read('kinds/ContinueMany');
    expect(tracesIn(whole).map((trace) => ('states' in trace ? trace.states.length : trace.problem))).toEqual([
      2, 3, 4, 5,
    ]);
    const part = whole.slice(whole.lastIndexOf('State 1:'), whole.lastIndexOf('State 4:'));
    const [trace, ...more] = tracesIn(part);
    expect(more).toEqual([]);
    expect(trace).toMatchObject({ actions: [null, { name: 'Next' }, { name: 'Next' }] });
  });

  test('with -tool, too, and its lasso', () => {
    const [trace] = tracesIn(fixture('kinds/Lasso').output.toString('utf8'));
    expect(trace).toEqual(outcomeOf('kinds/Lasso', 'temporal').trace);
    if (trace === undefined || !('states' in trace)) throw new Error('no trace');
    expect(names(trace)).toEqual([null, 'Up', 'Up', 'Up']);
  });

  test.each(['kinds/Lasso', 't03-stutter/Idle'])(
    'without the markers of -tool, as in the console of the Toolbox: %s',
    (name) => {
      const text = fixture(name).output.toString('utf8');
      expect(tracesIn(text.replace(/^@!@!@.*\n/gm, ''))).toEqual(tracesIn(text));
    },
  );

  test('the states that -dump lists are none', () => {
    expect(tracesIn('State 1:\nx = 0\n\nState 2:\nx = 1\n\n')).toEqual([]);
  });

  test('one that cannot be read says why', () => {
    expect(tracesIn('State 1: <Initial predicate>\nx = {\n\n')).toEqual([
      { problem: 'state 1 cannot be read: line 1, column 6: expected a value, found the end of the text' },
    ]);
    expect(tracesIn('nothing of the kind')).toEqual([]);
  });
});
