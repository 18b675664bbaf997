import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { keyOf, listOf, mutantModels, nameOf, readList, readSpecMutants } from '../../src/specMutants/index.ts';
import { SPEC } from '../support/spec.ts';
import { describeWithTlc, PATIENCE_MS } from '../support/tlc.ts';

const FILE = join(SPEC, 'mutants.json');
const list = readList(readFileSync(FILE, 'utf8'), FILE);

describe('spec/mutants.json', () => {
  test('says of each mutant what turned red, or why it changes nothing and where that was seen', () => {
    const names = mutantModels().map(nameOf);
    for (const { fate, model, property, notSeenBy = [], sameStates = [], reason } of list) {
      if (fate === 'harmless') {
        expect(reason).toMatch(/^[A-Z].*\.$/);
        expect(notSeenBy.length).toBeGreaterThan(0);
        expect(sameStates).toEqual(expect.arrayContaining(notSeenBy));
      } else expect(names).toContain(model);
      expect(fate).not.toBe('open');
      expect(names).toEqual(expect.arrayContaining(notSeenBy));
      expect(property !== undefined).toBe(fate === 'breaks');
    }
  });

  test('keeps what is known of a mutant when lines move, and takes a changed guard for a new one', () => {
    const [first] = list;
    const place = { module: first!.module, line: 999, column: 1, endLine: 999, endColumn: 2 };
    const { kind, definition, text, becomes } = first!;
    const moved = new Map([[1, { kind, definition, text, becomes, place }]]);
    expect(listOf(moved, list).get(1)).toEqual(first);
    const changed = new Map([[1, { kind, definition, text: `${text} `, becomes, place }]]);
    expect(listOf(changed, list).get(1)).toMatchObject({ fate: 'open' });
  });
});

describeWithTlc('the list', () => {
  test(
    'has every mutant of the specification: else run `npm run spec-mutants`',
    async () => {
      const mutants = [...(await readSpecMutants(SPEC)).values()];
      const now = mutants.map(({ place, ...rest }) => keyOf({ ...rest, module: place.module }));
      expect(list.map(keyOf)).toEqual(now);
    },
    PATIENCE_MS,
  );
});
