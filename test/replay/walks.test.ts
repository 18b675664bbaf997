import { describe, expect, test } from 'vitest';
import { accept } from '../../src/claims/index.ts';
import { replay } from '../../src/replay/index.ts';
import { memorySystem } from '../../src/systems/memory.ts';
import { describeWithTlc, inTurn, PATIENCE_MS, quickJava } from '../support/tlc.ts';
import { stepsOf } from '../support/traces.ts';
import { walk } from '../support/walk.ts';

const THREE = ['A', 'B', 'C'];

/** Random runs of the implementation, with everything that can fail: each must be a behaviour of the specification. */
const walks = [
  { profile: 'Kip320', seed: 1, replicas: THREE, options: { oldNews: true } },
  { profile: 'Kafka_2_0_1', seed: 2, options: { lazyCheckpoint: true } },
  { profile: 'Kip101', seed: 3, replicas: THREE, options: { minIsr: 2, lazyCheckpoint: true } },
  { profile: 'Kafka_0_10_2', seed: 4, options: { oldNews: true } },
  { profile: 'Kafka_2_8_0', seed: 5, replicas: THREE, options: { minIsr: 2, resumeSameEpoch: true } },
  { profile: 'Kafka_3_9', seed: 6, options: { minIsr: 2, lazyCheckpoint: true, oldNews: true } },
  { profile: 'Kafka_2_0_0', seed: 7, replicas: THREE, options: { lazyCheckpoint: true, oldNews: true } },
].map((options) => ({
  ...options,
  title: `${options.profile}, ${options.replicas?.length ?? 2} replicas`,
  trace: walk({ ...options, steps: 130 }),
}));

test('together the walks take every step that there is', () => {
  const taken = new Set(walks.flatMap(({ trace }) => stepsOf(trace).map(([action]) => action)));
  expect([...taken].sort()).toEqual([
    ...['BecomeFollower', 'BecomeLeader', 'CheckpointHighWatermark', 'Crash', 'Elect', 'ElectUnclean', 'ExpandIsr'],
    ...['Flush', 'HandleFetch', 'HandleFetchResponse', 'HandleOffsetsForLeaderEpoch'],
    ...['HandleOffsetsForLeaderEpochResponse', 'LoseMessage', 'PartitionOffline', 'PowerLoss', 'Restart', 'SendFetch'],
    ...['SendOffsetsForLeaderEpoch', 'ShrinkIsr', 'Write'],
  ]);
});

test.each(walks)(
  'the walk of $title is long enough to be worth it, and the same each time',
  ({ trace, title, ...options }) => {
    expect(trace.states.length).toBeGreaterThan(100);
    expect(walk({ ...options, steps: 130 })).toEqual(trace);
  },
);

describeWithTlc('TLC accepts a random walk', () => {
  describe.concurrent('of', () => {
    test.each(walks)(
      '$title',
      async ({ trace }) => {
        const invariants = ['TypeOk'];
        expect(await inTurn(() => accept(trace, { invariants, env: quickJava }))).toEqual({ kind: 'accepted' });
      },
      PATIENCE_MS,
    );
  });
});

test.each(walks)('the walk of $title can be replayed from its steps', async ({ trace }) => {
  expect(await replay(trace, memorySystem())).toMatchObject({ kind: 'conforms', steps: trace.states.length - 1 });
});
