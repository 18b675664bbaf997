import { describe, expect, test } from 'vitest';
import { type ClientEvent, Clients, judgeHistory } from '../../src/conform/index.ts';
import { Cluster, profileOfAll, profiles, type Step } from '../../src/replica/index.ts';
import { seeded } from '../support/walk.ts';

const sent = (id: number, acks: '1' | 'all' = 'all'): ClientEvent => ({ kind: 'sent', id, acks });
const acked = (id: number, offset: number): ClientEvent => ({ kind: 'acked', id, offset });
const read = (ids: number[], offset = 0): ClientEvent => ({ kind: 'read', offset, ids });
const lastRead = (ids: number[]): ClientEvent => ({ kind: 'lastRead', offset: 0, ids });

describe('a history is as it should be', () => {
  test.each<[string, ClientEvent[]]>([
    ['when every acknowledged record is read at last', [sent(1), acked(1, 0), read([]), read([1]), lastRead([1])]],
    [
      'when a read comes back shorter, for high watermarks lag',
      [sent(1), acked(1, 0), read([1]), read([]), lastRead([1])],
    ],
    ['when a record that timed out is there', [sent(1), { kind: 'unknown', id: 1 }, lastRead([1])]],
    ['and when it is not', [sent(1), { kind: 'unknown', id: 1 }, lastRead([])]],
    ['when one with acks=1 is lost', [sent(1, '1'), acked(1, 0), sent(2), acked(2, 0), lastRead([2])]],
    ['when reads begin in the middle', [sent(1), sent(2), acked(1, 0), acked(2, 1), read([2], 1), lastRead([1, 2])]],
  ])('%s', (_, events) => {
    expect(judgeHistory(events)).toEqual([]);
  });
});

describe('it is a breach', () => {
  test.each<[string, ClientEvent[], object[]]>([
    [
      'when an acknowledged record is gone',
      [sent(1), acked(1, 0), lastRead([])],
      [{ kind: 'lost', event: 2, id: 1, offset: 0, found: null }],
    ],
    [
      'when another record is where it was',
      [sent(1), sent(2), acked(1, 0), read([2])],
      [{ kind: 'lost', event: 3, id: 1, offset: 0, found: 2 }],
    ],
    [
      'when what was shown has changed',
      [sent(1), sent(2), read([1]), read([2])],
      [{ kind: 'changed', event: 3, offset: 0, before: 1, now: 2 }],
    ],
    [
      'when what was shown is gone at last',
      [sent(1), read([1]), lastRead([])],
      [{ kind: 'changed', event: 2, offset: 0, before: 1, now: null }],
    ],
    ['when a record comes twice', [sent(1), read([1, 1])], [{ kind: 'twice', event: 1, id: 1, offsets: [0, 1] }]],
    ['when nobody sent it', [read([7])], [{ kind: 'neverWritten', event: 0, id: 7, offset: 0 }]],
    [
      'when it was refused',
      [sent(1), { kind: 'refused', id: 1 }, read([1])],
      [{ kind: 'neverWritten', event: 2, id: 1, offset: 0 }],
    ],
    [
      'when two are acknowledged at one offset',
      [sent(1), sent(2), acked(1, 0), acked(2, 0)],
      [{ kind: 'sameOffset', event: 3, offset: 0, ids: [1, 2] }],
    ],
  ])('%s', (_, events, breaches) => {
    expect(judgeHistory(events)).toEqual(breaches);
  });
});

const REPLICAS = ['A', 'B', 'C'];

function clusterOf(profile: keyof typeof profiles, replicas = REPLICAS): Cluster {
  return new Cluster({
    replicas,
    firstLeader: 'A',
    profileOf: profileOfAll(profiles[profile], replicas),
    minIsr: 1,
    lazyCheckpoint: false,
    resumeSameEpoch: false,
    oldNews: false,
  });
}

function take(cluster: Cluster, clients: Clients, step: Step): void {
  clients.saw(step, cluster.step(step));
}

test('the fast restart as KIP-101 tells it loses a record for its clients too', () => {
  const cluster = clusterOf('kafka_0_10_2', ['A', 'B']);
  const clients = new Clients();
  const steps: [Step['action'], ...(string | number)[]][] = [
    ['Write', 'A', 'all'],
    ...[
      ['SendFetch', 'B'],
      ['HandleFetch', 'A', 'B'],
      ['HandleFetchResponse', 'B'],
    ].map((one) => one as ['SendFetch', string]),
    ['SendFetch', 'B'],
    ['HandleFetch', 'A', 'B'],
    ['Crash', 'B'],
    ['Restart', 'B'],
    ['BecomeFollower', 'B', 1],
    ['Crash', 'A'],
    ['Elect', 'B'],
    ['BecomeLeader', 'B', 2],
  ];
  for (const [action, ...args] of steps)
    take(cluster, clients, { action, args, ...(action === 'Write' ? { id: 1 } : {}) });
  clients.read(cluster, 'lastRead');
  expect(judgeHistory(clients.events)).toEqual([{ kind: 'lost', event: 2, id: 1, offset: 0, found: null }]);
});

test.each([1, 2, 3, 4, 5, 6])(
  'clients of the sound rule see nothing wrong in a random run without losses of power (seed %i)',
  (seed) => {
    const cluster = clusterOf('kip320');
    const clients = new Clients();
    const random = seeded(seed);
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
    let id = 0;
    for (let taken = 0; taken < 2_000; taken++) {
      const enabled = cluster.enabled().filter(({ action }) => action !== 'PowerLoss' && action !== 'ElectUnclean');
      const action = pick([...new Set(enabled.map((step) => step.action))]);
      const step = pick(enabled.filter((one) => one.action === action));
      take(cluster, clients, action === 'Write' ? { ...step, id: ++id } : step);
      if (taken % 5 === 0) clients.read(cluster);
    }
    expect(id).toBeGreaterThan(50);
    expect(clients.events.filter(({ kind }) => kind === 'acked').length).toBeGreaterThan(10);
    expect(judgeHistory(clients.events)).toEqual([]);
  },
);
