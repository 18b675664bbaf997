import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { run } from '../support/io.ts';
import { ownFolder } from '../support/spec.ts';
import { describeWithTlc, PATIENCE_MS, quickJava } from '../support/tlc.ts';
import { logOf } from '../validate/logs.ts';

const at = ownFolder();
afterAll(at.remove);
const file = (name: string, text: string): string => {
  writeFileSync(join(at.path, name), text);
  return join(at.path, name);
};

test('a log that is not there is a mistake of usage', async () => {
  const { err, exitCode } = await run(['validate', 'nowhere.ndjson']);
  expect([exitCode, err]).toEqual([2, expect.stringContaining('There is no log nowhere.ndjson.')]);
});

test('a profile that is not there too', async () => {
  const { err, exitCode } = await run(['validate', file('a.ndjson', logOf({ by: 'A' })), '--profile', 'Kip102']);
  expect([exitCode, err]).toEqual([2, expect.stringContaining('Kip102')]);
});

describeWithTlc('leader-epoch validate', () => {
  test(
    'accepts what leader-epoch simulate logs',
    async () => {
      const log = join(at.path, 'run.ndjson');
      const simulated = await run(['simulate', '--runs', '1', '--steps', '40', '--log', log]);
      expect([simulated.exitCode, simulated.err]).toEqual([0, '']);
      const { exitCode, out } = await run(['validate', log], { env: quickJava });
      expect(out.split('\n')[0]).toMatch(
        /run\.ndjson: \d+ events of \d processes are a behaviour of the specification under Kip320\.$/,
      );
      expect(exitCode).toBe(0);
    },
    PATIENCE_MS,
  );

  test(
    'shows how far a log goes, what nothing explains, and where that leaves the cluster',
    async () => {
      const log = logOf(
        { by: 'A', action: 'Write', args: ['A', 'all'], id: 7 },
        { by: 'B', action: 'SendFetch', args: ['B'] },
        { by: 'A', action: 'HandleFetch', args: ['A', 'B'], state: { hw: 1 } },
        { by: 'B', action: 'HandleFetchResponse', args: ['B'] },
      );
      const { exitCode, out } = await run(['validate', file('b.ndjson', log)], { env: quickJava });
      expect(out.split('\n').slice(0, -1)).toEqual([
        expect.stringMatching(
          /no behaviour of the specification: 2 of 4 events are explained \(A to line 2, B to line 3\)\.$/,
        ),
        '',
        'Nothing explains line 4: A: HandleFetch(A, B).',
        '  HandleFetch(A, B) can be taken, but leads elsewhere:',
        '    hw of A: 0, and the log shows 1',
        expect.stringMatching(
          /^Nor line 5: B: HandleFetchResponse\(B\)\. HandleFetchResponse\(B\) cannot be taken: .+\.$/,
        ),
        '',
        'What comes before leads to one state:',
        '  A  leader    e1  LEO 1  HW 0  7·e1',
        '  B  follower  e1  LEO 0  HW 0',
        '  the controller: e1, leader A, ISR A B',
      ]);
      expect(exitCode).toBe(1);
    },
    PATIENCE_MS,
  );
});
