import fc from 'fast-check';
import { bool, fn, int, isName, model, parse, record, set, str, tuple, type Value } from '../../src/tla/index.ts';

/** Strings that break parsers, beside any others. */
export const text = fc.oneof(
  fc.constantFrom(
    '',
    'x',
    'TRUE',
    '1',
    '"',
    '\\',
    '\\n',
    '\n\t\f\r',
    '>>',
    ' @@ ',
    'a |-> 1',
    '__proto__',
    '#set',
    'é',
    '本',
  ),
  fc.string({ unit: 'binary' }),
);

const name = fc
  .oneof(fc.constantFrom('mv', 'A_1', 'True1', 'r1', '__proto__', '1st'), fc.stringMatching(/^[a-z][A-Za-z0-9_]{0,4}$/))
  .filter(isName);

/** Known by their text only. */
const unevaluated = fc
  .constantFrom(
    'Nat',
    'SUBSET Nat',
    '[1..9 -> Nat]',
    '(Nat \\X 1..9)',
    '1..100000000',
    'Nat \\ {0}',
    'Seq({mv})',
    '<LAZY x>',
  )
  .map(parse);

const scalar: fc.Arbitrary<Value> = fc.oneof(
  fc.boolean().map(bool),
  fc.oneof(fc.integer({ min: -2, max: 3 }), fc.maxSafeInteger()).map(int),
  fc.bigInt().map(int),
  text.map(str),
  name.map(model),
  unevaluated,
);

/** A value of any kind, a few levels deep. Small integers and names come often, so that equal values do too. */
export const value: fc.Arbitrary<Value> = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }).map(set),
    fc.array(tie('value'), { maxLength: 4 }).map(tuple),
    fc.array(fc.tuple(fc.oneof(name, text), tie('value')), { maxLength: 3 }).map(record),
    fc.array(fc.tuple(tie('value'), tie('value')), { maxLength: 3 }).map(fn),
  ),
})).value;
