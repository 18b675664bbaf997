import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  apply,
  bool,
  compare,
  entriesOf,
  equal,
  fn,
  int,
  key,
  model,
  parse,
  parseState,
  print,
  printPretty,
  printState,
  record,
  set,
  str,
  tuple,
  type Value,
} from '../../src/tla/index.ts';
import { value } from './arbitrary.ts';

describe('values that TLA+ calls equal are the same data', () => {
  test('a set has neither order nor repetition', () => {
    expect(set([int(3), int(1), int(3), int(-20)])).toEqual({ kind: 'set', elements: [int(-20), int(1), int(3)] });
    expect(set([set([int(1), int(2)]), set([int(2), int(1)])])).toEqual(set([set([int(1), int(2)])]));
  });

  test('the fields of a record are in code unit order', () => {
    const fields = record({ hw: int(1), LEO: int(2), epoch: int(3) });
    expect(fields.kind === 'record' && [...fields.fields.keys()]).toEqual(['LEO', 'epoch', 'hw']);
    expect(fields).toEqual(
      record(
        new Map([
          ['epoch', int(3)],
          ['hw', int(1)],
          ['LEO', int(2)],
        ]),
      ),
    );
  });

  test('a function takes the kind that its domain asks for', () => {
    expect(
      fn([
        [int(2), str('b')],
        [int(1), str('a')],
      ]),
    ).toEqual(tuple([str('a'), str('b')]));
    expect(
      fn([
        [str('b'), int(2)],
        [str('a'), int(1)],
      ]),
    ).toEqual(record({ a: int(1), b: int(2) }));
    expect(
      fn([
        [str('1'), int(2)],
        [int(1), int(1)],
      ]).kind,
    ).toBe('function');
    expect(fn([[model('a'), int(1)]]).kind).toBe('function');
    expect(
      fn([
        [int(1n), str('first')],
        [int(1), str('second')],
      ]),
    ).toEqual(tuple([str('first')]));
  });

  test('a model value is no string, and an integer is no text of one', () => {
    expect(equal(model('a'), str('a'))).toBe(false);
    expect(equal(int(1), str('1'))).toBe(false);
    expect(equal(model('TRUE'), bool(true))).toBe(false);
    expect(equal(set([]), tuple([]))).toBe(false);
  });

  test('integers are exact', () => {
    expect(equal(int(9007199254740993n), int(9007199254740992n))).toBe(false);
    expect(() => int(2 ** 53)).toThrow('int(9007199254740992): a number must be a safe integer; pass a bigint');
    expect(() => int(0.5)).toThrow(RangeError);
  });
});

describe('a function can be applied', () => {
  test('whatever its kind', () => {
    expect(apply(tuple([str('a'), str('b')]), int(2))).toEqual(str('b'));
    expect(apply(tuple([str('a')]), int(0))).toBeUndefined();
    expect(apply(record({ hw: int(3) }), str('hw'))).toEqual(int(3));
    expect(apply(record({ hw: int(3) }), model('hw'))).toBeUndefined();
    expect(apply(fn([[set([int(1), int(2)]), str('x')]]), set([int(2), int(1)]))).toEqual(str('x'));
    expect(apply(set([]), int(1))).toBeUndefined();
  });

  test('to each argument of its domain', () => {
    const holds = (f: Value) => (entriesOf(f) ?? []).every(([argument, result]) => apply(f, argument) === result);
    fc.assert(fc.property(value, holds));
  });
});

describe('print', () => {
  test('writes what TLC evaluates, with :> where a name would not do', () => {
    expect(
      print(
        fn([
          [model('r1'), tuple([])],
          [int(-1), set([bool(false)])],
        ]),
      ),
    ).toBe('(-1 :> {FALSE} @@ r1 :> <<>>)');
    expect(print(record({ hw: int(1), b_1: str('"\\\t\n\f\r') }))).toBe(String.raw`[b_1 |-> "\"\\\t\n\f\r", hw |-> 1]`);
    expect(print(record({ IF: int(1), x: int(2) }))).toBe('("IF" :> 1 @@ "x" :> 2)');
    expect(print(record({ 'topic-0': tuple([tuple([])]) }))).toBe('("topic-0" :> <<<<>>>>)');
    expect(print(record({ WF_x: int(1) }))).toBe('("WF_x" :> 1)');
  });

  test('spreads what does not fit over lines', () => {
    const log = tuple([record({ epoch: int(0), id: int(1) }), record({ epoch: int(1), id: int(2) })]);
    const state = record({ hw: int(1), log });
    expect(printPretty(state, 80)).toBe('[hw |-> 1, log |-> <<[epoch |-> 0, id |-> 1], [epoch |-> 1, id |-> 2]>>]');
    expect(printPretty(state, 40)).toBe(`[
  hw |-> 1,
  log |->
    <<
      [epoch |-> 0, id |-> 1],
      [epoch |-> 1, id |-> 2]
    >>
]`);
  });

  test('round trips: parse reads back what print writes', () => {
    fc.assert(
      fc.property(value, (v) => {
        expect(parse(print(v))).toEqual(v);
        expect(parse(printPretty(v, 20))).toEqual(v);
      }),
    );
  });

  test('round trips for states', () => {
    const state = fc.array(fc.tuple(fc.constantFrom('log', 'hw', 'isr', 'net'), value)).map((pairs) => new Map(pairs));
    fc.assert(
      fc.property(state, (s) => {
        expect([...parseState(printState(s))]).toEqual([...s]);
      }),
    );
  });
});

describe('compare is a total order, and key its shadow', () => {
  const pool = fc.array(value, { minLength: 3, maxLength: 6 });

  test('literally: by kind, then size, then content', () => {
    const ordered = [
      'FALSE',
      'TRUE',
      '-2',
      '10',
      '"B"',
      '"a"',
      'a',
      '{}',
      '{9}',
      '{1, 2}',
      '{1, 3}',
      '<<>>',
      '<<9>>',
      '<<1, 1>>',
      '[a |-> 9]',
      '[b |-> 1]',
      '[b |-> 2]',
      '(0 :> 1)',
      '(0 :> 2)',
      '(2 :> 0)',
    ];
    const values = ordered.map(parse);
    expect([...values].reverse().sort(compare).map(print)).toEqual(ordered);
  });

  test('antisymmetric and transitive', () => {
    fc.assert(
      fc.property(pool, (values) => {
        for (const a of values) {
          for (const b of values) {
            expect(Math.sign(compare(a, b))).toBe(0 - Math.sign(compare(b, a)));
            for (const c of values)
              if (compare(a, b) <= 0 && compare(b, c) <= 0) expect(compare(a, c)).toBeLessThanOrEqual(0);
          }
        }
      }),
    );
  });

  test('equal, compare and key agree, also with the printed text', () => {
    fc.assert(
      fc.property(pool, (values) => {
        for (const a of values) {
          for (const b of [...values, parse(print(a))]) {
            const same = print(a) === print(b);
            expect([equal(a, b), compare(a, b) === 0, key(a) === key(b)]).toEqual([same, same, same]);
          }
        }
      }),
    );
  });
});
