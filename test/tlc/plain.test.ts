import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { plainReport, reportSchema } from '../../src/tlc/index.ts';
import { parseItf } from '../../src/trace/index.ts';
import { FIXTURES, reportOf, state } from './support.ts';

const outputs = readdirSync(FIXTURES, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.out'))
  .map((path) => path.slice(0, -'.out'.length))
  .sort();

test('every report is JSON by the schema, with nothing left out and its trace whole', () => {
  const kinds = new Set<string>();
  for (const name of outputs) {
    const report = reportOf(name);
    const plain = JSON.parse(JSON.stringify(plainReport(report)));
    expect(reportSchema.parse(plain)).toEqual(plain);
    kinds.add(plain.outcome.kind);
    const { outcome } = report;
    if (!('trace' in outcome) || outcome.trace === null) continue;
    const again = parseItf(JSON.stringify(plain.outcome.trace));
    expect([again.states, again.loop, again.actions]).toEqual([
      outcome.trace.states,
      outcome.trace.loop,
      outcome.trace.actions,
    ]);
  }
  expect(kinds.size).toBeGreaterThanOrEqual(14);
});

test('a state that is not whole has its values in ITF', () => {
  const { outcome } = plainReport(reportOf('t13-exit/partial'));
  expect(outcome).toMatchObject({
    kind: 'incompleteNext',
    action: 'NextPartial',
    partialState: { x: { '#bigint': '1' } },
  });
  expect(reportOf('t13-exit/partial').outcome).toMatchObject({ partialState: state('x = 1') });
});
