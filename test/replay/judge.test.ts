import { describe, expect, test } from 'vitest';
import { type Ghosts, judge, judges, LIVENESS, noGhosts } from '../../src/replay/index.ts';
import { listedClaim, recordedNames } from '../support/traces.ts';

const m1 = { id: 1, epoch: 1 };
const m2 = { id: 2, epoch: 2 };
const m3 = { id: 3, epoch: 2 };

/** B leads in epoch 2 with m2, and A, which has m1 at that offset, has not heard of it. */
function seen(changed: Record<string, unknown> = {}) {
  return {
    log: { A: [m1], B: [m2] },
    hw: { A: 1, B: 1 },
    role: { A: 'leader', B: 'leader' },
    leader: { A: 'A', B: 'B' },
    leaderEpoch: { A: 1, B: 2 },
    fetchState: { A: 'idle', B: 'idle' },
    controller: { epoch: 2, leader: 'B', isr: ['B'] },
    network: [],
    ...changed,
  };
}

const committed: Ghosts = { ...noGhosts, committed: [{ offset: 0, id: 1 }] };
const acked: Ghosts = { ...noGhosts, acked: [{ id: 1, acks: 'all' }] };

/** A follows B in epoch 2, and has finished its truncation. */
const following = {
  role: { A: 'follower', B: 'leader' },
  leader: { A: 'B', B: 'B' },
  leaderEpoch: { A: 2, B: 2 },
  fetchState: { A: 'fetching', B: 'idle' },
};

describe('CommittedSurvives', () => {
  test('is broken where the elected leader does not have what was committed', () => {
    const what = 'm1, committed at offset 0, is not in the log of the leader B';
    expect(judge('CommittedSurvives', seen(), committed)).toBe(what);
    expect(judge('CommittedSurvives', seen({ log: { A: [m1], B: [m2, m1] } }), committed)).toBe(what);
  });

  test('is kept where it has it, where it was destroyed, and where nobody leads', () => {
    expect(judge('CommittedSurvives', seen({ log: { A: [], B: [m1, m2] } }), committed)).toBeNull();
    expect(judge('CommittedSurvives', seen(), { ...committed, destroyed: [1] })).toBeNull();
    expect(judge('CommittedSurvives', seen({ role: { A: 'leader', B: 'starting' } }), committed)).toBeNull();
    expect(judge('CommittedSurvives', seen(), noGhosts)).toBeNull();
  });
});

describe('Refines', () => {
  const read = (id: number): Ghosts => ({ ...acked, readable: [{ offset: 0, id, epoch: 1 }] });

  test('is broken where the elected replica does not have what could be read, whether it has heard of that or not', () => {
    const what = 'm1 could be read at offset 0, and B, which holds the log now, has m2 of epoch 2 there';
    expect(judge('Refines', seen(), read(1))).toBe(what);
    const unheard = { log: { A: [m1], B: [] }, role: { A: 'leader', B: 'follower' } };
    expect(judge('Refines', seen(unheard), read(1))).toBe(what.replace('m2 of epoch 2', 'nothing'));
  });

  test('asks an in-sync replica where nobody leads', () => {
    const controller = (isr: string[]) => ({ controller: { epoch: 3, leader: 'none', isr } });
    expect(judge('Refines', seen(controller(['A'])), read(1))).toBeNull();
    expect(judge('Refines', seen(controller(['B'])), read(1))).toContain('and B, which holds the log now, has m2');
  });

  test('is broken where a producer was told of a record that nobody could ever read', () => {
    const what = 'm1 was acknowledged, and no consumer could ever read it';
    expect(judge('Refines', seen({ log: { A: [m1], B: [m1] } }), { ...acked, readable: [] })).toBe(what);
  });

  test('says nothing of a trace that does not remember what could be read', () => {
    expect(judge('Refines', seen(), acked)).toBeNull();
  });
});

describe('AckedSurvives', () => {
  test('is broken where the elected leader does not have what was acknowledged', () => {
    expect(judge('AckedSurvives', seen(), acked)).toBe('m1 was acknowledged, and is not in the log of the leader B');
  });

  test('is kept where it has it anywhere, where acks=1 was asked, and where it was destroyed', () => {
    expect(judge('AckedSurvives', seen({ log: { A: [], B: [m2, m1] } }), acked)).toBeNull();
    expect(judge('AckedSurvives', seen(), { ...noGhosts, acked: [{ id: 1, acks: '1' }] })).toBeNull();
    expect(judge('AckedSurvives', seen(), { ...acked, destroyed: [1] })).toBeNull();
  });
});

describe('FollowerAgrees', () => {
  test('is broken where a follower that fetches differs from its leader', () => {
    const what = 'A has m1 of epoch 1 at offset 0, where B has m2 of epoch 2';
    expect(judge('FollowerAgrees', seen(following), noGhosts)).toBe(what);
  });

  test('is broken by another epoch of the same record', () => {
    const log = { A: [{ id: 2, epoch: 1 }], B: [m2] };
    expect(judge('FollowerAgrees', seen({ ...following, log }), noGhosts)).toBe(
      'A has m2 of epoch 1 at offset 0, where B has m2 of epoch 2',
    );
  });

  test('is kept while it truncates, in another epoch, and where one log goes on', () => {
    expect(
      judge('FollowerAgrees', seen({ ...following, fetchState: { A: 'truncating', B: 'idle' } }), noGhosts),
    ).toBeNull();
    expect(judge('FollowerAgrees', seen({ ...following, leaderEpoch: { A: 1, B: 2 } }), noGhosts)).toBeNull();
    expect(judge('FollowerAgrees', seen({ ...following, log: { A: [m2, m3], B: [m2] } }), noGhosts)).toBeNull();
    expect(judge('FollowerAgrees', seen(), noGhosts)).toBeNull();
  });
});

describe('AppendAgrees', () => {
  const reply = {
    type: 'FetchResponse',
    follower: 'A',
    leader: 'B',
    error: 'none',
    diverging: { epoch: -1, endOffset: -1 },
    offset: 1,
    records: [] as object[],
  };

  test('is broken where records are under way to a log that differs', () => {
    expect(judge('AppendAgrees', seen({ ...following, network: [reply] }), noGhosts)).toBe(
      'A has m1 of epoch 1 at offset 0, where B has m2 of epoch 2',
    );
  });

  test('is broken where records come late, and another leader has others there (KAFKA-18723)', () => {
    const logs = { log: { A: [], B: [m2] } };
    const late = { ...reply, offset: 0, records: [m1] };
    expect(judge('AppendAgrees', seen({ ...following, ...logs, network: [late] }), noGhosts)).toBe(
      'A has m1 of epoch 1 at offset 0, where B has m2 of epoch 2',
    );
    expect(judge('AppendAgrees', seen({ ...following, network: [late] }), noGhosts)).toBeNull();
  });

  test('is kept while nothing is, or it is told to cut, or refused', () => {
    const said = (message: object) => judge('AppendAgrees', seen({ ...following, network: [message] }), noGhosts);
    expect(judge('AppendAgrees', seen(following), noGhosts)).toBeNull();
    expect(said({ ...reply, diverging: { epoch: 1, endOffset: 0 } })).toBeNull();
    expect(said({ ...reply, error: 'OFFSET_OUT_OF_RANGE' })).toBeNull();
    expect(said({ ...reply, type: 'FetchRequest' })).toBeNull();
  });
});

describe('NoDivergence', () => {
  test('is broken where two logs differ below both high watermarks', () => {
    expect(judge('NoDivergence', seen(), noGhosts)).toBe('A has m1 of epoch 1 at offset 0, where B has m2 of epoch 2');
  });

  test('is kept above one of them, and says nothing after an unclean election', () => {
    expect(judge('NoDivergence', seen({ hw: { A: 1, B: 0 } }), noGhosts)).toBeNull();
    expect(judge('NoDivergence', seen({ hw: { A: 0, B: 1 } }), noGhosts)).toBeNull();
    const unclean = { ...noGhosts, faults: { ...noGhosts.faults, unclean: 1 } };
    expect(judge('NoDivergence', seen(), unclean)).toBeNull();
  });
});

describe('LogMatching', () => {
  test('is broken where logs differ below an offset at which their epochs are the same', () => {
    const log = { A: [m1, m2], B: [m3, m2] };
    expect(judge('LogMatching', seen({ log }), noGhosts)).toBe(
      'A has m1 of epoch 1 at offset 0, where B has m3 of epoch 2',
    );
    expect(judge('LogMatching', seen({ log: { A: [m2], B: [m3] } }), noGhosts)).toBe(
      'A has m2 of epoch 2 at offset 0, where B has m3 of epoch 2',
    );
  });

  test('is kept where their epochs are different from some offset on', () => {
    expect(judge('LogMatching', seen(), noGhosts)).toBeNull();
    expect(judge('LogMatching', seen({ log: { A: [m1, m2], B: [m1, { id: 4, epoch: 3 }] } }), noGhosts)).toBeNull();
  });
});

test('a property that is not judged here is neither broken nor kept', () => {
  expect(judge('EpochsMonotone', seen(), committed)).toBeNull();
});

test.each(recordedNames)('the property that %s breaks can be judged without TLC', (name) => {
  // What an answer will cut depends on the follower's rule, which no observation shows.
  const judged = [...Object.keys(judges), ...LIVENESS, 'CutsOnlyWhatDiverges'];
  expect(judged).toContain(listedClaim(name).property[0]);
});
