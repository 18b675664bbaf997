/** Sets and functions that TLC prints without listing their elements. */
import { describe, expect, test } from 'vitest';
import {
  equal,
  int,
  model,
  parse,
  parseState,
  print,
  record,
  set,
  str,
  TlaLimitError,
  tuple,
} from '../../src/tla/index.ts';
import { outcomeOf } from '../tlc/support.ts';

const same = (text: string, other: string): void => expect(print(parse(text))).toBe(print(parse(other)));

describe('what TLC 2.18 leaves unevaluated in a state', () => {
  const state = outcomeOf('own/unevaluated-sets', 'invariant').trace.states[0]!;

  test('a large interval', () => expect(state.get('interval')).toEqual(model('1..100000000')));

  test('SUBSET, printed without the parentheses that TLA+ needs', () =>
    expect(state.get('subsets')).toEqual(model('SUBSET (1..8)')));

  test('a Cartesian product', () => expect(state.get('product')).toEqual(model('((1..50) \\X (-1..50))')));

  test('a set of functions', () => expect(state.get('functions')).toEqual(model('[1..7 -> 1..3]')));

  test('a set of records, its fields in order', () => {
    const numbers = Array.from({ length: 48 }, (_, index) => index + 1).join(', ');
    expect(state.get('records')).toEqual(model(`[a: {${numbers}, mv}, b: 1..50]`));
  });

  test('inside other values, in which small ones are listed', () => {
    expect(state.get('nested')).toEqual(
      tuple([
        parse('{{}, {1}, {2}, {1, 2}}'),
        set([set([]), set([1, 2, 3].map(int))]),
        record({ f: model('SUBSET {"a", "b", "c", "d", "e", "f", "g"}') }),
      ]),
    );
  });

  test('a function on an infinite set, in the text of an error', () => {
    const { trace } = outcomeOf('own/unevaluated-function', 'evaluation');
    const successor = '[n \\in Nat |-> <expression line 5, col 46 to line 5, col 50 of module LazyFn>]';
    expect(trace?.states[0]?.get('f')).toEqual(record({ successor: model(successor), all: set([model('Nat')]) }));
  });
});

describe('the same set is equal, however it was printed', () => {
  test('a small set is the set of its elements', () => {
    same('SUBSET {1, 2}', '{{}, {1}, {2}, {1, 2}}');
    same('[{1, 2} -> {FALSE}]', '{<<FALSE, FALSE>>}');
    same('[a: {1, 2}, b: {TRUE}]', '{[a |-> 1, b |-> TRUE], [a |-> 2, b |-> TRUE]}');
    same('BOOLEAN', '{TRUE, FALSE}');
    same('({1} \\X {2} \\X {3})', '{<<1, 2, 3>>}');
    same('(({1} \\X {2}) \\X {3})', '{<<<<1, 2>>, 3>>}');
    same('UNION({{1}, {2, 3}})', '1..3');
    same('{1, 2} \\cup {3} \\cap {3}', '{3}');
    same('1..4 \\ 2..3', '{1, 4}');
    same('[{} -> Nat]', '{<<>>}');
    same('{} \\X 1..5', '{}');
  });

  test('of a large one the text, in one way', () => {
    same('SUBSET {3, 1, 2, 4, 5, 6, 7}', 'SUBSET 1..7');
    same('[b: Nat, a: Int]', '[a:Int,b:Nat]');
    same('(Nat)', 'Nat');
    same('Nat \\cup {-1}', '(Nat  \\cup  {-1})');
    same('SUBSET Nat \\cup Int', '((SUBSET Nat) \\cup Int)');
    expect(equal(parse('SUBSET Nat'), parse('SUBSET Int'))).toBe(false);
    expect(equal(parse('SUBSET Nat'), str('SUBSET Nat'))).toBe(false);
  });

  test.each([
    'Seq((1..2))',
    'SUBSET SUBSET (1..7)',
    '{x \\in Nat : <expression line 1, col 2 to line 1, col 9 of module M>}',
    '[x, y \\in Nat, z \\in Int |-> <expression x + y>]',
    '<LAZY line 3, col 1 to line 3, col 2 of module M>',
    '<Operator f>',
    '<Java Method: public static tlc2.value.impl.Value tlc2.module.TLC.PrintT(tlc2.value.impl.Value)>',
    'UNION SUBSET Nat',
    '[SUBSET Nat -> (Nat \\ {0})]',
    '((1..3) \\X Nat)',
  ])('%s is read back as printed, in a set, a record and a function too', (text) => {
    const value = parse(text);
    expect(print(value)).toBe(text.replace('Seq((1..2))', 'Seq(1..2)'));
    for (const whole of [set([value, int(1)]), record({ a: value }), tuple([value, value])])
      expect(parse(print(whole))).toEqual(whole);
    expect(parse(`(${text} :> ${text})`)).toEqual(parse(`(${print(value)} :> ${print(value)})`));
  });
});

describe('what is wrong has its place', () => {
  test.each([
    ['SUBSET 5', 'line 1, column 8: expected a set, found "5"'],
    ['{1} \\cup <<2>>', 'line 1, column 10: expected a set, found "<<"'],
    ['[1..2 -> 3]', 'line 1, column 10: expected a set, found "3"'],
    ['[{1} |-> 3]', 'line 1, column 2: expected a field name, found "{"'],
    ['[a: {1}, b |-> 2]', 'line 1, column 12: expected :, found "|->"'],
    ['{x \\in Nat : TRUE}', 'line 1, column 14: expected <expression …>, found "TRUE"'],
    ['[x \\in Nat |-> 1]', 'line 1, column 16: expected <expression …>, found "1"'],
    ['<expression', 'line 1, column 1: expected a TLA+ value, found "<"'],
    ['SUBSET', 'line 1, column 7: expected a value, found the end of the text'],
  ])('%s', (text, message) => expect(() => parse(text)).toThrow(message));

  test('a small text cannot ask for much memory', () => {
    const text = `{${Array.from({ length: 2_000 }, (_, index) => `[1..9 -> ${index}..${index + 1}]`).join(', ')}}`;
    expect(() => parse(text)).toThrow(TlaLimitError);
    const state = `/\\ x = <<${Array.from({ length: 20 }, (_, index) => `${index}..90000`).join(', ')}>>`;
    expect(() => parseState(state)).toThrow(
      /^line 1, column \d+: expected sets that are not listed, of at most 1000000 elements in all, found more$/,
    );
  });

  test('SUBSET without end', () => {
    expect(() => parse('SUBSET '.repeat(100_000))).toThrow(TlaLimitError);
  });
});
