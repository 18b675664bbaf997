import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { tellStory } from '../../src/report/index.ts';
import { fixture } from './support.ts';

const plain = { colour: false, width: 80 };
const ALL = [
  ...['FastRestartTold', 'HardFailuresTold', 'SecondRoundTold', 'Kip279AsReleased', 'Kip101NotForEver'],
  ...['refused-for-the-epoch', 'lazy-checkpoint-and-isr', 'unclean-election', 'high-watermark-goes-back'],
];

/** To update: `npx vitest run test/report/story.test.ts -u`, then read what changed as one who has never seen Kafka. */
describe('the whole story', () => {
  test('of the data loss on fast restart', async () => {
    const title = 'Data loss on fast restart, as told by KIP-101';
    const lines = tellStory(fixture('FastRestartTold'), { ...plain, title, property: 'CommittedSurvives' });
    expect(lines.length).toBeLessThanOrEqual(60);
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('golden/fast-restart-told.txt');
  });

  test('of the divergence after hard failures', async () => {
    const title = 'Divergence after hard failures, as told by KIP-101';
    const lines = tellStory(fixture('HardFailuresTold'), { ...plain, title, property: 'FollowerAgrees' });
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('golden/hard-failures-told.txt');
  });

  test('of a second round, which ends well', async () => {
    const lines = tellStory(fixture('SecondRoundTold'), { ...plain, property: 'LogMatching' });
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('golden/second-round-told.txt');
  });
});

describe('any story', () => {
  test.each(ALL)('%s fits in 80 columns', (name) => {
    for (const line of tellStory(fixture(name), plain)) expect([...line].length, line).toBeLessThanOrEqual(80);
  });

  test.each(ALL)('%s fits in 60 columns, without old records if need be', (name) => {
    for (const line of tellStory(fixture(name), { ...plain, width: 60 })) {
      expect([...line].length, line).toBeLessThanOrEqual(60);
    }
  });

  test.each(ALL)('%s is the same without colour, and has no escape codes then', (name) => {
    const told = tellStory(fixture(name), plain);
    const coloured = tellStory(fixture(name), { ...plain, colour: true });
    expect(told.join('\n')).not.toContain('\u001b');
    expect(coloured.join('\n')).toContain('\u001b');
    expect(coloured.map(stripVTControlCharacters)).toEqual(told);
  });

  test('is told as far as it is known, of an action that came later', () => {
    const trace = fixture('FastRestartTold');
    const actions = trace.actions.map((action) => action && { ...action, name: 'Rebalance' });
    expect(tellStory({ ...trace, actions }, plain)).toContain('  2  Rebalance(B).');
  });

  test('of another specification is refused', () => {
    const trace = { vars: ['x'], states: [new Map()], actions: [null], meta: {} };
    expect(() => tellStory(trace, plain)).toThrow(
      'not a state of spec/LeaderEpoch.tla: expected the variable "log", found nothing',
    );
  });

  test('that goes round says so', () => {
    const trace = fixture('last-copy-destroyed');
    expect(tellStory({ ...trace, loop: 4 }, plain)).toContain('And so it stays for ever.');
    expect(tellStory({ ...trace, loop: 2 }, plain)).toContain('From here it goes on as after step 2, for ever.');
  });
});
