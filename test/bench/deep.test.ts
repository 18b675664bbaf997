import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type DeepRun, deepTable, inWords, readDeep } from '../../bench/deep/table.ts';
import { configWith } from '../../bench/growth/measureModel.ts';
import { ROOT } from '../support/spec.ts';

const text = (...path: string[]): string => readFileSync(join(ROOT, 'docs', ...path), 'utf8');
const kept = readDeep(text('deep.json'), 'deep.json');

describe('docs/deep.json', () => {
  test('is what the table of docs/trust.md says: else `npm run bench:deep -- --write`', () => {
    expect(text('trust.md')).toContain(`<!-- deep -->\n${deepTable(kept)}<!-- /deep -->`);
  });

  test('has three replicas, three records and three elections at least, with min ISR 1 and 2, and nothing was found', () => {
    const bounds = kept.map(({ claim, bound }) => `${claim}: ${bound}`);
    for (const claim of ['kip320-clean', 'inside-fetch-three'])
      for (const minIsr of [1, 2])
        expect(bounds).toContain(`${claim}: 3 replicas, 3 records, 3 elections, 1 crash, min ISR ${minIsr}`);
    expect(kept.filter(({ how }) => typeof how === 'object').length).toBeGreaterThan(0);
    expect(kept.filter(({ violated }) => violated !== undefined)).toEqual([]);
  });
});

const run: DeepRun = {
  claim: 'c',
  profile: 'P',
  bound: '3 replicas',
  states: 1_000,
  depth: 9,
  how: 'stopped',
  reached: 2,
  watched: 3,
  cpuSeconds: 61.4,
  peakMb: 2_048,
};

test('what a run came to is told in words', () => {
  expect(inWords(run)).toBe('nothing found; stopped at 1,000 states, depth 9');
  expect(inWords({ ...run, how: 'ended' })).toBe('nothing found; all 1,000 states, depth 9');
  expect(inWords({ ...run, how: { random: 50 } })).toBe(
    'nothing found; 50 random behaviours of up to 9 steps, 1,000 states',
  );
  expect(inWords({ ...run, violated: { property: 'LogMatching', length: 7 } })).toMatch(
    /^LogMatching violated after 7 states; /,
  );
  expect(deepTable([run])).toContain(
    '| P | `c` | 3 replicas | nothing found; stopped at 1,000 states, depth 9 | 2 of 3 | 61 s | 2,048 MB |',
  );
});

test('a model is measured with other constants and one invariant more', () => {
  const config = 'CONSTANTS\n    MaxRecords = 2\n    MinIsr = 1\nINVARIANTS TypeOk LogMatching\n';
  expect(configWith(config, { MaxRecords: '3' }, 'Enough ')).toBe(
    'CONSTANTS\n    MaxRecords = 3\n    MinIsr = 1\nINVARIANTS Enough TypeOk LogMatching\n',
  );
});

test('a figure that is missing is told by its path', () => {
  expect(() => readDeep('[{"profile":"P"}]', 'deep.json')).toThrow(/^deep\.json: at 0\.claim: /);
});
