import { describe, expect, test } from 'vitest';
import { type Mutant, mutated, parseXml, SyntaxTreeError, schemataOf, wrapped } from '../../src/specMutants/index.ts';

const source = ['Step ==', '    /\\ \\/ a = 1', '       \\/ b = 2 /\\ c = 3', "    /\\ x' = x + 1"].join('\n');

function mutant(line: number, column: number, endLine: number, endColumn: number, becomes: string): Mutant {
  const place = { module: 'M', line, column, endLine, endColumn };
  return { kind: 'guard', definition: 'Step', place, text: '', becomes };
}

const guard = mutant(3, 20, 3, 24, 'TRUE');
const alternative = mutant(3, 11, 3, 24, 'FALSE');
const update = mutant(4, 8, 4, 17, "x' = x");

function withSchemata(mutants: readonly { readonly mutant: Mutant; readonly number: number }[]): string {
  return wrapped(source, schemataOf(new Map(mutants.map(({ mutant, number }) => [number, mutant]))));
}

describe('schemata', () => {
  test('keep the text in its columns, so that bulleted lists stay what they are', () => {
    expect(
      withSchemata([{ mutant: update, number: 7 }])
        .split('\n')
        .slice(3),
    ).toEqual(["    /\\ (IF Mutated(7) THEN x' = x ELSE", "       x' = x + 1)"]);
  });

  test('nest a mutant in another one', () => {
    const nested = withSchemata([
      { mutant: guard, number: 1 },
      { mutant: alternative, number: 2 },
    ]);
    expect(nested.split('\n').slice(2, 5)).toEqual([
      '       \\/ (IF Mutated(2) THEN FALSE ELSE',
      '          b = 2 /\\ (IF Mutated(1) THEN TRUE ELSE',
      '                   c = 3))',
    ]);
  });

  test('nest one that begins where the outer one begins', () => {
    const inner = mutant(3, 11, 3, 15, 'TRUE');
    const both = [
      { mutant: alternative, number: 2 },
      { mutant: inner, number: 3 },
    ];
    expect(withSchemata(both).split('\n').slice(2, 5)).toEqual([
      '       \\/ (IF Mutated(2) THEN FALSE ELSE',
      '          (IF Mutated(3) THEN TRUE ELSE',
      '          b = 2) /\\ c = 3)',
    ]);
  });

  test('are the text itself without a mutant', () => {
    expect(withSchemata([])).toBe(source);
  });
});

test('one mutant alone takes the place of the text', () => {
  expect(mutated(source, alternative).split('\n')[2]).toBe('       \\/ FALSE');
  const whole = mutant(2, 8, 3, 24, 'TRUE');
  expect(mutated(source, whole).split('\n')).toEqual(['Step ==', '    /\\ TRUE', "    /\\ x' = x + 1"]);
});

describe("SANY's XML", () => {
  test('is read element by element', () => {
    expect(parseXml('<?xml version="1.0"?><a><b>1 &lt; 2</b><c/></a>')).toEqual({
      tag: 'a',
      text: '',
      children: [
        { tag: 'b', text: '1 < 2', children: [] },
        { tag: 'c', text: '', children: [] },
      ],
    });
  });

  test('that is cut off is told', () => {
    expect(() => parseXml('<a><b>1</b>')).toThrow(SyntaxTreeError);
  });
});
