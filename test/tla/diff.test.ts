import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  diff,
  diffStates,
  equal,
  int,
  parse,
  parseState,
  print,
  record,
  set,
  str,
  tuple,
} from '../../src/tla/index.ts';
import { value } from './arbitrary.ts';

describe('diff', () => {
  test('points at the nested place, also of what is gone (vscode-tlaplus#164)', () => {
    const before = parse('[b1 |-> [members |-> {"b1"}], b2 |-> [members |-> {"b2", "b3"}, note |-> 1]]');
    const after = parse('[b1 |-> [members |-> {"b1"}], b2 |-> [members |-> {"b2"}]]');
    expect(diff(before, after, 'isr')).toEqual([
      { path: 'isr["b2"].members{"b3"}', kind: 'removed', before: str('b3') },
      { path: 'isr["b2"].note', kind: 'removed', before: int(1) },
    ]);
  });

  test('counts the places of a sequence from 1, as TLA+ does', () => {
    const before = parse('[A |-> <<[epoch |-> 0], [epoch |-> 0], [epoch |-> 1]>>]');
    const after = parse('[A |-> <<[epoch |-> 2], [epoch |-> 0]>>]');
    expect(diff(before, after, 'log')).toEqual([
      { path: 'log["A"][1].epoch', kind: 'changed', before: int(0), after: int(2) },
      { path: 'log["A"][3]', kind: 'removed', before: parse('[epoch |-> 1]') },
    ]);
  });

  test('sees a sequence that starts, and one that is emptied', () => {
    expect(diff(tuple([]), tuple([int(7)]))).toEqual([{ path: '[1]', kind: 'added', after: int(7) }]);
    expect(diff(parse('(0 :> 5 @@ 1 :> 6)'), parse('<<6>>'), 'f')).toEqual([
      { path: 'f[0]', kind: 'removed', before: int(5) },
    ]);
  });

  test('takes another kind for another value', () => {
    expect(diff(int(1), str('1'), 'x')).toEqual([{ path: 'x', kind: 'changed', before: int(1), after: str('1') }]);
    expect(diff(set([]), tuple([]), 'x')).toEqual([{ path: 'x', kind: 'changed', before: set([]), after: tuple([]) }]);
  });

  test('a set printed in another order is no change', () => {
    expect(diff(parse('{3, 1, 2}'), parse('{1, 2, 3, 1}'))).toEqual([]);
  });

  test('is empty for equal values and for no others', () => {
    fc.assert(
      fc.property(value, value, value, (a, b, same) => {
        expect(diff(a, parse(print(a)))).toEqual([]);
        expect(diff(a, b).length === 0).toBe(equal(a, b));
        // Likewise below what the two have in common.
        expect(diff(record({ same, other: a }), record({ same, other: b })).length === 0).toBe(equal(a, b));
      }),
    );
  });

  test('names each place once', () => {
    const isUnique = (paths: string[]) => new Set(paths).size === paths.length;
    fc.assert(fc.property(value, value, (a, b) => isUnique(diff(a, b).map(({ path }) => path))));
  });
});

test('diffStates goes through the variables in the order of the states', () => {
  const before = parseState('/\\ net = {[to |-> "A"]}\n/\\ hw = [A |-> 0, B |-> 0]\n/\\ old = 1');
  const after = parseState('/\\ net = {}\n/\\ hw = [A |-> 0, B |-> 1]\n/\\ new = 2');
  expect(diffStates(before, after)).toEqual([
    { path: 'net{[to |-> "A"]}', kind: 'removed', before: parse('[to |-> "A"]') },
    { path: 'hw["B"]', kind: 'changed', before: int(0), after: int(1) },
    { path: 'old', kind: 'removed', before: int(1) },
    { path: 'new', kind: 'added', after: int(2) },
  ]);
});
