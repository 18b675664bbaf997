import { describe, expect, it, test } from 'vitest';
import { MemoryFiles } from '../../src/disk/index.ts';
import { type ActionName, Cluster, profiles } from '../../src/replica/index.ts';
import { type Crashing, careless, contentOf, cutsOf, cutsOfRecovery, wrongAfter } from './crashes.ts';
import { oneBatchEach, open } from './support.ts';

/** The first cut after which something is found that may not be. */
function firstWrong(run: Crashing): string | null {
  for (const cut of cutsOf(run)) {
    const wrong = wrongAfter(cut, { epochs: run.profile !== 'kafka_0_10_2', ...run.options });
    if (wrong !== null) return wrong;
  }
  return null;
}

const runs = (['kafka_0_10_2', 'kip101', 'kafka_2_0_1', 'kip320', 'kafka_3_5', 'kafka_4_4'] as const).flatMap(
  (profile) => [1, 2].map((seed) => ({ profile, seed, steps: 60 })),
);

describe('wherever the process or the machine stops, recovery finds what the specification allows', () => {
  test.each(runs)('$profile, run $seed', (run) => {
    expect(firstWrong(run)).toBeNull();
  });

  // Some are cut within a batch: the rule before KIP-101 cuts wherever the high watermark is.
  test.each(runs)('$profile, run $seed, with batches of up to three records', (run) => {
    expect(firstWrong({ ...run, batch: 3, options: { segmentBytes: 250 } })).toBeNull();
  });

  it.each(['kip101', 'kip320', 'kafka_4_4'] as const)('also where it stops while it recovers, %s', (profile) => {
    const cuts = cutsOf({ profile, seed: 1, steps: 60, batch: 3, options: { segmentBytes: 250 } });
    const seen = new Set<string>();
    const wrong = new Set<string>();
    for (const cut of cuts) {
      const content = contentOf(cut);
      if (seen.has(content)) continue;
      seen.add(content);
      for (const image of cutsOfRecovery(cut)) wrong.add(wrongAfter({ ...cut, image }) ?? 'nothing');
    }
    expect([...wrong]).toEqual(['nothing']);
  });

  it('and there are many places', () => {
    const cuts = cutsOf({ profile: 'kip320', seed: 1, steps: 60 });
    expect(cuts.length).toBeGreaterThan(1000);
    const found = new Set(cuts.map(contentOf));
    expect(found.size).toBeGreaterThan(200);
  });
});

describe('the check finds what a store does wrong', () => {
  const many = [1, 2, 3, 4].map((seed) => ({ profile: 'kip320', seed, steps: 60 }) as const);
  const found = (more: Partial<Crashing>) =>
    many.map((run) => firstWrong({ ...run, ...more })).find((wrong) => wrong !== null);

  it('a checkpoint that is renamed before its data is synced', () => {
    const syncOf = (path: string) => path.endsWith('.tmp');
    expect(found({ through: (files) => careless(files, { syncOf }) })).toMatch(/found$|checkpoint/);
  });

  it('a flush that does not sync the log', () => {
    const syncOf = (path: string) => path.endsWith('.log');
    expect(found({ through: (files) => careless(files, { syncOf }) })).toMatch(/and the log was flushed to offset/);
  });

  it('a truncation that is not durable, as in Kafka: records that were cut come back', () => {
    expect(found({ through: (files) => careless(files, { cuts: true }) })).toMatch(/found$/);
  });

  it('a folder that is not synced: a new segment is gone, though it was flushed', () => {
    expect(found({ through: (files) => careless(files, { folders: true }) })).toMatch(/found$|flushed to offset/);
  });
});

describe('epochs that reach the disk late after a truncation (KAFKA-15046, since 3.7)', () => {
  /** Clean elections only; B is cut at m4, and sent m3 of an older epoch. */
  const schedule: [ActionName, ...(string | number)[]][] = [
    ...[1, 2].flatMap((): [ActionName, ...string[]][] => [['Write', 'A', '1'], ...fetched('B', 'A')]),
    ['Write', 'A', '1'],
    ['Elect', 'B'],
    ['BecomeLeader', 'B', 2],
    ['Write', 'B', '1'],
    ['Elect', 'A'],
    ['BecomeLeader', 'A', 3],
    ['BecomeFollower', 'B', 3],
    ...fetched('B', 'A'),
    ...fetched('B', 'A'),
  ];

  function filesAfter(lateEpochs: boolean): MemoryFiles {
    const files = new MemoryFiles();
    const { store } = open(files, { lateEpochs });
    const profileOf = { A: profiles.kafka_4_4, B: profiles.kafka_4_4 };
    const fixed = { minIsr: 1, lazyCheckpoint: true, resumeSameEpoch: false, oldNews: false };
    const cluster = new Cluster({ replicas: ['A', 'B'], firstLeader: 'A', profileOf, ...fixed });
    let id = 0;
    for (const [action, ...args] of schedule) {
      cluster.step({ action, args, ...(action === 'Write' && { id: ++id }) });
      store.write(cluster.observe().replicas.B!.disk, oneBatchEach);
    }
    return files;
  }

  const log = [1, 2, 3].map((one) => ({ id: one, epoch: 1 }));

  it('name the wrong epoch for a record that came meanwhile, if the process dies first', () => {
    expect(open(filesAfter(true)).disk).toMatchObject({
      log,
      epochCache: [
        { epoch: 1, start: 0 },
        { epoch: 2, start: 2 },
      ],
    });
  });

  it('are right where they are written at once', () => {
    expect(open(filesAfter(false)).disk).toMatchObject({ log, epochCache: [{ epoch: 1, start: 0 }] });
  });
});

function fetched(follower: string, leader: string): [ActionName, ...string[]][] {
  return [
    ['SendFetch', follower],
    ['HandleFetch', leader, follower],
    ['HandleFetchResponse', follower],
  ];
}
