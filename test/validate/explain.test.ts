import { expect, test } from 'vitest';
import { Run } from '../../src/replay/run.ts';
import { blockedAt } from '../../src/validate/explain.ts';
import { readLog } from '../../src/validate/index.ts';
import { reachOf } from '../../src/validate/steps.ts';
import { logOf } from './logs.ts';

test('a record that is logged as written twice is told as that, not as late', () => {
  const write = { by: 'A', action: 'Write', args: ['A', 'all'], id: 'first' };
  const log = readLog(logOf(write, write), 'run.ndjson');
  const run = new Run(log.header.config);
  run.step({ action: 'Write', args: ['A', 'all'], id: 1 });
  const place = { explained: new Map([['A', 1]]), names: [1], state: run.state(), shown: {} };
  expect(blockedAt(log, reachOf(log), [place])).toMatchObject([
    {
      event: { line: 3 },
      nearest: { kind: 'refused', reason: 'the record first is written already, and each is written once' },
    },
  ]);
});
