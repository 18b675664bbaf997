import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sameData } from '../../src/conform/sameData.ts';

describe('plain data is the same', () => {
  test.each([
    ['whatever the order of fields', { a: 1, b: [2] }, { b: [2], a: 1 }, true],
    ['but not of lists', [1, 2], [2, 1], false],
    ['no list is an object', [], {}, false],
    ['nor the other way round', {}, [], false],
    ['a field more', { a: 1 }, { a: 1, b: 1 }, false],
    ['a field less', { a: 1, b: 1 }, { a: 1 }, false],
    ['another field', { a: 1 }, { b: 1 }, false],
    ['a field that every object has', { toString: 1 }, {}, false],
    ['null is no object', null, {}, false],
  ])('%s', (_, a, b, same) => {
    expect(sameData(a, b)).toBe(same);
  });

  test('exactly when Node says so', () => {
    const json = fc.jsonValue({ maxDepth: 3 }).map((value): unknown => JSON.parse(JSON.stringify(value)));
    const pair = fc.oneof(
      fc.tuple(json, json),
      json.map((value): [unknown, unknown] => [value, JSON.parse(JSON.stringify(value))]),
    );
    fc.assert(
      fc.property(pair, ([a, b]) => sameData(a, b) === isDeepStrictEqual(a, b)),
      { numRuns: 500 },
    );
  });
});
