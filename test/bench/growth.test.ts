import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { drawGrowth, readGrowth, tableOf } from '../../bench/growth/draw.ts';
import { ROOT } from '../support/spec.ts';

const text = (...path: string[]): string => readFileSync(join(ROOT, 'docs', ...path), 'utf8');
const kept = readGrowth(text('images', 'growth.json'), 'growth.json');

test('the plot and the table of how models grow are made from what was measured: else `npm run bench:growth -- --draw`', () => {
  expect(text('images', 'growth.svg')).toBe(drawGrowth(kept));
  expect(text('trust.md')).toContain(`<!-- growth -->\n${tableOf(kept)}<!-- /growth -->`);
});

test('a run that was stopped is in the table, and not in the plot', () => {
  const row = {
    profile: 'P',
    claim: 'c',
    bound: 'MaxElections = 9',
    states: 1_000,
    depth: 3,
    cpuSeconds: 2,
    peakMb: 5,
  };
  expect(tableOf([{ ...row, ended: false }])).toContain('| stopped at 1,000 | 3 | 2 s | 5 MB |');
  const ended = kept.filter((one) => one.ended);
  expect(drawGrowth([...ended, { ...row, ended: false }])).toBe(drawGrowth(ended));
});

test('a figure that is missing is told by its path', () => {
  expect(() => readGrowth('[{"profile":"P"}]', 'growth.json')).toThrow(/^growth\.json: at 0\.claim: /);
});
