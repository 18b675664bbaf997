import { describe, expect, test } from 'vitest';
import { type Ghosts, noGhosts, observeStep } from '../../src/replay/index.ts';
import type { Observation } from '../../src/systems/system.ts';
import { step } from '../support/traces.ts';

const m1 = { id: 1, epoch: 1 };
const m2 = { id: 2, epoch: 1 };

/** A leads in epoch 1, B follows; both are in sync. */
function seen(changed: Record<string, unknown> = {}): Observation {
  return {
    log: { A: [m1, m2], B: [m1] },
    hw: { A: 1, B: 0 },
    role: { A: 'leader', B: 'follower' },
    leaderEpoch: { A: 1, B: 1 },
    controller: { epoch: 1, leader: 'A', isr: ['A', 'B'] },
    ...changed,
  };
}

const ghosts: Ghosts = { ...noGhosts, written: 2, committed: [{ offset: 0, id: 1 }] };

describe('the observer counts', () => {
  test('what clients write', () => {
    const before = seen({ log: { A: [m1], B: [m1] } });
    const after = observeStep(ghosts, step('Write', 'A', 'all'), [], before, seen());
    expect(after).toEqual({ ...ghosts, written: 3 });
  });

  test('what producers were told', () => {
    const effects = [{ kind: 'acknowledged', id: 1, acks: 'all' } as const];
    const after = observeStep(ghosts, step('HandleFetch', 'A', 'B'), effects, seen(), seen());
    expect(after?.acked).toEqual([{ id: 1, acks: 'all' }]);
  });

  test.each([
    ['Crash', 'crashes'],
    ['PowerLoss', 'powerLosses'],
    ['ElectUnclean', 'unclean'],
    ['PartitionOffline', 'offline'],
    ['LoseMessage', 'lostMessages'],
  ])('each %s', (action, fault) => {
    const after = observeStep(ghosts, step(action, 'B', 1), [], seen(), seen());
    expect(after?.faults).toEqual({ crashes: 0, powerLosses: 0, unclean: 0, offline: 0, lostMessages: 0, [fault]: 1 });
  });

  test('nothing else as a fault', () => {
    expect(observeStep(ghosts, step('Restart', 'B'), [], seen(), seen())?.faults).toEqual(noGhosts.faults);
  });
});

describe('a record is committed', () => {
  test('once the high watermark of the elected leader covers it', () => {
    const after = observeStep(ghosts, step('HandleFetch', 'A', 'B'), [], seen(), seen({ hw: { A: 2, B: 1 } }));
    expect(after?.committed).toEqual([
      { offset: 0, id: 1 },
      { offset: 1, id: 2 },
    ]);
  });

  test('not by the high watermark of a follower', () => {
    const after = observeStep(ghosts, step('HandleFetchResponse', 'B'), [], seen(), seen({ hw: { A: 1, B: 2 } }));
    expect(after?.committed).toEqual([{ offset: 0, id: 1 }]);
  });

  test('not by a leader that has been replaced', () => {
    const zombie = seen({ hw: { A: 2, B: 0 }, controller: { epoch: 2, leader: 'B', isr: ['B'] } });
    const after = observeStep(ghosts, step('HandleFetch', 'A', 'B'), [], seen(), zombie);
    expect(after?.committed).toEqual([{ offset: 0, id: 1 }]);
  });

  test('for ever, and another one at the same offset as well', () => {
    const m3 = { id: 3, epoch: 2 };
    const other = seen({
      log: { A: [m1], B: [m3] },
      hw: { A: 1, B: 1 },
      role: { A: 'follower', B: 'leader' },
      leaderEpoch: { A: 2, B: 2 },
      controller: { epoch: 2, leader: 'B', isr: ['B'] },
    });
    const after = observeStep(ghosts, step('BecomeLeader', 'B', 2), [], seen(), other);
    expect(after?.committed).toEqual([
      { offset: 0, id: 1 },
      { offset: 0, id: 3 },
    ]);
  });

  test('at no offset past the end of the log', () => {
    const emptied = seen({ log: { A: [], B: [m1] }, hw: { A: 1, B: 1 } });
    expect(observeStep(noGhosts, step('Flush', 'A'), [], seen(), emptied)?.committed).toEqual([]);
  });
});

describe('a record is destroyed', () => {
  test('by a loss of power that takes the last copy in the ISR', () => {
    const after = observeStep(ghosts, step('PowerLoss', 'A', 0), [], seen(), seen());
    expect(after?.destroyed).toEqual([2]);
  });

  test('not by one that keeps it', () => {
    expect(observeStep(ghosts, step('PowerLoss', 'A', 2), [], seen(), seen())?.destroyed).toEqual([]);
  });

  test('not while another replica in the ISR has it', () => {
    expect(observeStep(ghosts, step('PowerLoss', 'B', 0), [], seen(), seen())?.destroyed).toEqual([]);
    const both = seen({ log: { A: [m1, m2], B: [m1, m2] } });
    expect(observeStep(ghosts, step('PowerLoss', 'A', 0), [], both, both)?.destroyed).toEqual([]);
  });

  test('also where a replica outside the ISR has it', () => {
    const alone = seen({ log: { A: [m1, m2], B: [m1, m2] }, controller: { epoch: 1, leader: 'A', isr: ['A'] } });
    expect(observeStep(ghosts, step('PowerLoss', 'A', 1), [], alone, alone)?.destroyed).toEqual([2]);
  });

  test('by an unclean election of a replica that does not have it, if it was committed', () => {
    const dead = seen({ log: { A: [m1, m2], B: [] }, role: { A: 'down', B: 'starting' }, leaderEpoch: { A: 0, B: 0 } });
    expect(observeStep(ghosts, step('ElectUnclean', 'B'), [], dead, dead)?.destroyed).toEqual([1]);
    const has = seen({ role: { A: 'down', B: 'starting' }, leaderEpoch: { A: 0, B: 0 } });
    expect(observeStep(ghosts, step('ElectUnclean', 'B'), [], has, has)?.destroyed).toEqual([]);
  });

  test('not by a crash', () => {
    expect(observeStep(ghosts, step('Crash', 'A'), [], seen(), seen())?.destroyed).toEqual([]);
  });
});

test.each(['log', 'hw', 'role', 'leaderEpoch', 'controller'])('a system that hides its %s has no ghosts', (name) => {
  const { [name]: _, ...rest } = seen();
  expect(observeStep(ghosts, step('Flush', 'A'), [], seen(), rest)).toBeNull();
  expect(observeStep(ghosts, step('Flush', 'A'), [], rest, seen())).toBeNull();
});
