import { expect, test } from 'vitest';
import { tracePage } from '../../src/report/index.ts';
import { fixture } from './support.ts';

const claim = {
  claim: 'hard-failures-told',
  title: 'Divergence after hard failures, as told by KIP-101',
  story: 'The very schedule of the proposal: both lose power, the shorter one leads and writes, the other returns.',
  property: 'FollowerAgrees',
  profile: 'Kafka_0_10_2',
  verdict: 'violated',
  command: 'npx leader-epoch check hard-failures-told',
  bound: 'one schedule of 16 steps',
};

/** To update: `npx vitest run test/report/page.test.ts -u`, and read what changed. */
test('the page of a recorded trace', async () => {
  const why = 'With one loss of power the other replica, whose log is whole, leads.';
  const page = tracePage(fixture('HardFailuresTold'), { ...claim, why });
  expect(page).toBe(tracePage(fixture('HardFailuresTold'), { ...claim, why }));
  await expect(page).toMatchFileSnapshot('golden/hard-failures-told-page.txt');
});

test('without a reason why smaller bounds miss it', () => {
  const page = tracePage(fixture('HardFailuresTold'), claim);
  expect(page).not.toContain('smaller bounds');
  expect(page.endsWith('```\n')).toBe(true);
});

test('columns for as many replicas as there are', () => {
  const page = tracePage(fixture('joins-below-the-epoch-start'), {
    ...claim,
    property: ['LogMatching', 'NoDivergence'],
  });
  expect(page).toContain(
    "| No | Action | What happens | A's log | A's HW | B's log | B's HW | C's log | C's HW |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n",
  );
  expect(page).toContain(
    '## What comes out\n\nLogMatching is not broken in the last state.\n\nNoDivergence is not broken',
  );
});

test('no cell breaks the table', () => {
  const page = tracePage(fixture('HardFailuresTold'), { ...claim, bound: 'this | that\nand more' });
  expect(page).toContain('| Bound | this \\| that and more |');
});
