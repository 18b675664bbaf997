import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Outcome } from '../../src/commands/conformGraph.ts';
import { Results } from '../../src/commands/conformResume.ts';
import { ownFolder } from '../support/spec.ts';

describe('results that a file keeps', () => {
  const own = ownFolder();
  const file = (name: string) => join(own.path, name);
  afterAll(own.remove);

  test('a model that conforms is not run again, for this system and this profile', async () => {
    const first = await Results.in(file('a'));
    expect(first.outcomeOf('M', undefined, 'memory')).toBeNull();
    first.add('M', undefined, 'memory', checked());

    const then = await Results.in(file('a'));
    expect(then.outcomeOf('M', undefined, 'memory')).toEqual({
      kind: 'kept',
      states: 340,
      steps: 900,
      times: { tlc: 1_200, check: 31 },
    });
    expect(then.outcomeOf('M', undefined, 'disk')).toBeNull();
    expect(then.outcomeOf('M', 'Kip320', 'memory')).toBeNull();
    expect(then.outcomeOf('N', undefined, 'memory')).toBeNull();
  });

  test('a model that differs, or could not be told, is run again', async () => {
    const results = await Results.in(file('b'));
    results.add('M', undefined, 'memory', checked({ missing: 1 }));
    results.add('N', undefined, 'memory', { kind: 'couldNotTell', reason: 'no Java' });
    expect((await Results.in(file('b'))).outcomeOf('M', undefined, 'memory')).toBeNull();
    expect((await Results.in(file('b'))).outcomeOf('N', undefined, 'memory')).toBeNull();
  });

  test('a model that was too large is run once it no longer is', async () => {
    const results = await Results.in(file('c'));
    results.add('M', undefined, 'memory', { kind: 'leftOut', maxStates: 1_000 });
    const then = await Results.in(file('c'));
    expect(then.outcomeOf('M', undefined, 'memory', 1_000)).toEqual({ kind: 'leftOut', maxStates: 1_000 });
    expect(then.outcomeOf('M', undefined, 'memory', 500)).toEqual({ kind: 'leftOut', maxStates: 500 });
    expect(then.outcomeOf('M', undefined, 'memory', 2_000)).toBeNull();
    expect(then.outcomeOf('M', undefined, 'memory')).toBeNull();
  });

  test('results of other sources are no results', async () => {
    (await Results.in(file('d'))).add('M', undefined, 'memory', checked());
    const [line = ''] = readFileSync(file('d'), 'utf8').split('\n');
    writeFileSync(file('d'), `${JSON.stringify({ ...JSON.parse(line), of: 'another' })}\n`);
    expect((await Results.in(file('d'))).outcomeOf('M', undefined, 'memory')).toBeNull();
  });

  test('a last line that was cut off is left alone; another file is named with its line', async () => {
    (await Results.in(file('e'))).add('M', undefined, 'memory', checked());
    appendFileSync(file('e'), '{"model":"N","prof');
    const then = await Results.in(file('e'));
    expect(then.outcomeOf('M', undefined, 'memory')).toMatchObject({ kind: 'kept' });
    then.add('N', undefined, 'memory', checked());
    expect((await Results.in(file('e'))).outcomeOf('N', undefined, 'memory')).toMatchObject({ kind: 'kept' });
    writeFileSync(file('f'), 'broker.id=1\nport=9092\n');
    await expect(Results.in(file('f'))).rejects.toThrow(/f, line 1: expected a result that an earlier run has kept/);
  });
});

function checked({ missing = 0 } = {}): Outcome {
  const counts = { states: 340, steps: 900, transitions: 900, missing, extra: 0, depth: 19 };
  const result = { system: 'memory', ...counts, deviations: [], notObservable: [] };
  const none = { actions: new Map(), branches: new Map(), outcomes: new Map(), pairs: new Map() };
  return { kind: 'checked', result, coverage: none, times: { tlc: 1_200.3, check: 30.6 } };
}
