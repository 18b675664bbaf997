import { describe, expect, test } from 'vitest';
import { differences } from '../../src/report/index.ts';
import { splitPath } from '../../src/report/path.ts';
import { diff, diffStates, int, parse, str } from '../../src/tla/index.ts';
import { fixture } from './support.ts';

const options = {
  colour: false,
  width: 80,
  step: 9,
  action: 'BecomeFollower',
  args: [str('B'), int(1)],
  system: 'memory',
};

/** Between two values, each as a variable `v`. */
function shown(before: string, after: string): string {
  return `\n${differences(diff(parse(before), parse(after), 'v'), options)
    .slice(1)
    .join('\n')}\n`;
}

test('a replay that kept a record which the specification cuts', () => {
  const { states } = fixture('FastRestartTold');
  const spec = states[9]!;
  const system = new Map(spec).set('log', states[8]!.get('log')!).set('hw', parse('[A |-> 1, B |-> 1]'));
  expect(differences(diffStates(spec, system), options).join('\n')).toBe(
    `After step 9, BecomeFollower(B, 1), memory differs in 2 places:
  hw["B"]      expected 0                     got 1
  log["B"][1]  expected nothing
               got      [epoch |-> 1, id |-> 1]`,
  );
});

test('at the beginning there was no step', () => {
  const [line] = differences(diff(int(0), int(1), 'written'), { ...options, step: 0 });
  expect(line).toBe('At the beginning memory differs in one place:');
});

describe('paths', () => {
  test('what is common is said once', () => {
    expect(shown('[hw |-> [A |-> 0, B |-> 1], leo |-> 3]', '[hw |-> [A |-> 1, B |-> 0], leo |-> 4]')).toBe(`
  v
    .hw
      ["A"]  expected 0                     got 1
      ["B"]  expected 1                     got 0
    .leo     expected 3                     got 4
`);
  });

  test('the element of a set is shown as a value', () => {
    expect(shown('{"A", "B"}', '{"A"}')).toBe(`
  v{…}  expected "B"                   got nothing
`);
  });

  test('one element in place of another is one that changed', () => {
    expect(shown('{[type |-> "FetchResponse", hw |-> 0]}', '{[type |-> "FetchResponse", hw |-> 1]}')).toBe(`
  v{…}.hw  expected 0                     got 1
`);
  });

  test('are split where TLA+ would', () => {
    expect(splitPath('log["A"][1].epoch')).toEqual(['log', '["A"]', '[1]', '.epoch']);
    expect(splitPath('net{[a |-> {1, 2}, b |-> "}."]}.x')).toEqual(['net', '{[a |-> {1, 2}, b |-> "}."]}', '.x']);
    expect(splitPath('f["a\\"]["].b')).toEqual(['f', '["a\\"]["]', '.b']);
  });
});

test('a long value is cut after three lines', () => {
  const lines = differences(
    diff(parse('<<>>'), parse(`<<[id |-> 1, text |-> "${'word '.repeat(99)}"]>>`), 'v'),
    options,
  );
  expect(lines).toHaveLength(5);
  expect(lines.at(-1)).toMatch(/…$/);
  for (const line of lines) expect([...line].length).toBeLessThanOrEqual(80);
});

test('a long name has a line of its own', () => {
  expect(
    shown('[aVeryLongNameOfAField |-> [anotherOne |-> 1]]', '[aVeryLongNameOfAField |-> [anotherOne |-> 2]]'),
  ).toBe(`
  v.aVeryLongNameOfAField.anotherOne
                            expected 1                     got 2
`);
});

test('with colour the same text', () => {
  const list = diff(int(0), int(1), 'v');
  expect(differences(list, { ...options, colour: true }).join('\n')).toContain('\u001b');
  expect(differences(list, options).join('\n')).not.toContain('\u001b');
});
