import { expect, test } from 'vitest';
import { paletteFor, table } from '../../src/report/index.ts';

const rows = [
  ['fast-restart-loss', 'violated', '12', 'A follower cuts its log to its own high watermark, which lags by a fetch.'],
  ['kip320', 'holds', '48056', 'All properties.'],
];

test('columns are aligned, numbers to the right', () => {
  expect(
    table(
      rows.map((row) => row.slice(0, 3)),
      { header: ['claim', 'verdict', 'states'], right: [2] },
    ),
  ).toEqual([
    'claim              verdict   states',
    '─────────────────  ────────  ──────',
    'fast-restart-loss  violated      12',
    'kip320             holds      48056',
  ]);
});

test('the last column is wrapped', () => {
  expect(table(rows, { right: [2], width: 70 })).toEqual([
    'fast-restart-loss  violated     12  A follower cuts its log to its own',
    '                                    high watermark, which lags by a',
    '                                    fetch.',
    'kip320             holds     48056  All properties.',
  ]);
});

test('colours take no room', () => {
  const { bold } = paletteFor(true);
  expect(
    table([
      [bold('a'), 'x'],
      ['bcd', 'y'],
    ]),
  ).toEqual([`${bold('a')}    x`, 'bcd  y']);
});

test('rows may be short, or none', () => {
  expect(table([['a'], ['b', 'c']])).toEqual(['a', 'b  c']);
  expect(table([])).toEqual([]);
});
