import { describe, expect, it } from 'vitest';
import { parseZkRelease } from '../../src/brokers/releases.ts';

describe('the name of a release', () => {
  it.each([
    ['0.10.2.2', { version: '0.10.2.2', format: 1, isr: 'written', settings: {} }],
    ['0.11.0.3', { version: '0.11.0.3', format: 2, isr: 'written', settings: {} }],
    [
      '1.1.1+0.10.2',
      {
        version: '1.1.1',
        format: 1,
        settings: { 'inter.broker.protocol.version': '0.10.2', 'log.message.format.version': '0.10.2' },
      },
    ],
    ['2.0.1+1.1', { version: '2.0.1', format: 2, isr: 'written' }],
    ['2.8.2', { version: '2.8.2', format: 2, isr: 'askedAgain' }],
    ['3.9.1', { version: '3.9.1', isr: 'asked' }],
    // The older protocol has leaders write to ZooKeeper.
    ['2.8.2+2.0', { version: '2.8.2', isr: 'written', consumersReadFollowers: true }],
  ])('%s', (text, expected) => {
    expect(parseZkRelease(text)).toMatchObject(expected);
  });

  it.each(['9.9.9', '', '2.0.1+', '2.0.1+x', '2.0.1+1.1+1.0'])('is not "%s"', (text) => {
    expect(() => parseZkRelease(text)).toThrow(expect.objectContaining({ problem: 'unknownRelease' }));
  });
});

describe('a fetcher begins anew', () => {
  const heard = { epoch: 1, leader: 1, isr: [1, 2] };
  const sameLeader = (epoch: number) => ({ epoch, leader: 1, isr: [1, 2] });

  it.each([
    ['2.0.0', [false, false]],
    ['2.0.1', [false, true]],
    ['2.8.2', [true, true]],
  ])('in %s, with the same leader in the next epoch, and in one after that: %j', (release, expected) => {
    const { beginsAnew } = parseZkRelease(release);
    expect([beginsAnew(heard, sameLeader(2)), beginsAnew(heard, sameLeader(3))]).toEqual(expected);
  });

  it.each(['0.10.2.2', '2.0.1', '3.9.1'])('in %s with another leader, and after a start', (release) => {
    const { beginsAnew } = parseZkRelease(release);
    expect([beginsAnew(heard, { ...heard, epoch: 2, leader: 2 }), beginsAnew(null, heard)]).toEqual([true, true]);
  });
});
