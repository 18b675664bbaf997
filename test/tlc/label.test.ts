import { describe, expect, test } from 'vitest';
import { int, model, parse, str } from '../../src/tla/index.ts';
import { parseCount } from '../../src/tlc/parse/counts.ts';
import { parseActionLabel } from '../../src/tlc/parse/label.ts';
import { nameOf, roleOf } from '../../src/tlc/parse/messageCodes.ts';

const PLACE = 'line 7, col 17 to line 8, col 62 of module Par';

describe('labels of actions (T22 tlaplus#853, #807)', () => {
  test.each([
    [`<Append ${PLACE}>`, { name: 'Append', location: PLACE }],
    [`<Ready(a) ${PLACE}>`, { name: 'Ready', args: [model('a')], location: PLACE }],
    [`<A(1) ${PLACE}>`, { name: 'A', args: [int(1n)], location: PLACE }],
    [
      `<A(1,"x, y)> line 1, col 2",{2}) ${PLACE}>`,
      { name: 'A', args: [int(1n), str('x, y)> line 1, col 2'), parse('{2}')], location: PLACE },
    ],
    [`<A([a |-> 1, b |-> <<2>>]) ${PLACE}>`, { name: 'A', args: [parse('[a |-> 1, b |-> <<2>>]')], location: PLACE }],
    [`<A((r1 :> 0 @@ r2 :> 1)) ${PLACE}>`, { name: 'A', args: [parse('(r1 :> 0 @@ r2 :> 1)')], location: PLACE }],
    [`<A(LAMBDA x : x) ${PLACE}>`, { name: 'A', location: PLACE }],
    [`<Inner!Step(3) ${PLACE}>`, { name: 'Inner!Step', args: [int(3n)], location: PLACE }],
    [`<Action ${PLACE}>`, { name: 'Action', location: PLACE }],
    ['<Ready(a) Unknown location>', { name: 'Ready', args: [model('a')] }],
    ['<Ready>', { name: 'Ready' }],
    ['<Initial predicate>', null],
    ['', null],
  ])('%s', (label, expected) => expect(parseActionLabel(label)).toEqual(expected));
});

test.each([
  ['5,001', 5001],
  ['5.001', 5001],
  ['5\u00a0001', 5001],
  ['5\u202f001', 5001],
  ['1’234’567', 1234567],
  ['0', 0],
  ['-1', null],
  ['', null],
  ['many', null],
])('a count printed as "%s"', (text, expected) => expect(parseCount(text)).toBe(expected));

test('message codes have their names and roles', () => {
  expect(nameOf(2114)).toBe('TLC_DEADLOCK_REACHED');
  expect(roleOf(2114)).toBe('deadlock');
  expect([2107, 2110].map(roleOf)).toEqual(['invariant', 'invariant']);
  expect(roleOf(2229)).toBe('config');
  expect(roleOf(31337)).toBeUndefined();
});

test('a label without a name is no action', () => {
  for (const label of ['<>', '< line 5, col 1 to line 5, col 2 of module M>'])
    expect(parseActionLabel(label)).toBeNull();
});
