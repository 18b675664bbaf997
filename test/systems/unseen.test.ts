import { describe, expect, test } from 'vitest';
import { KAFKA_PROFILES } from '../../src/commands/kafkaReleases.ts';
import { openSystem } from '../../src/open/index.ts';
import { replay } from '../../src/replay/index.ts';
import { run } from '../support/io.ts';
import { walk } from '../support/walk.ts';

/** They need Maven and a minute: `npm run test:kafka`. */
describe.skipIf(process.env.LEADER_EPOCH_KAFKA !== '1')("Kafka's own classes", () => {
  test.each(Object.entries(KAFKA_PROFILES))(
    'of %s do what %s says, on schedules that nobody has seen before',
    async (release, profile) => {
      const system = await openSystem(`kafka-classes@${release}`, process.env);
      try {
        for (const replicas of [
          ['A', 'B'],
          ['A', 'B', 'C'],
        ]) {
          // Other schedules by LEADER_EPOCH_SEED; the seed is in the message.
          const seed = Number(process.env.LEADER_EPOCH_SEED ?? 20786) * replicas.length;
          const trace = walk({ profile, seed, replicas, steps: 100 });
          const result = await replay(trace, system);
          expect(result.kind, `seed ${seed}: ${JSON.stringify('at' in result ? result.at : null)}`).toBe('conforms');
          expect(result.steps).toBeGreaterThan(40);
        }
      } finally {
        await system.close();
      }
    },
    180_000,
  );

  /** Step at which the property breaks, null where it is kept; in both cases every step was seen as predicted. */
  test.each([
    ['kip279-as-released', { '2.0.0': 11, '2.0.1': null }],
    // KAFKA-13141: the leader counts a fetch that it answers with "cut".
    ['counts-diverging', { '2.8.0': 9, '2.8.2': null, '3.4.0': null }],
    // KAFKA-14704, mended in 3.4.1 and 3.5.0: the follower takes the high watermark of a reply that tells it to cut.
    ['hw-before-truncation', { '2.8.0': 13, '2.8.2': 13, '3.4.0': 13, '3.9.1': null, '4.4.0': null }],
  ] satisfies [string, Record<string, number | null>][])(
    '%s breaks on %o, and is kept where there is no step',
    async (claim, steps) => {
      const { exitCode, out } = await run(['kafka', '--release', ...Object.keys(steps), '--claim', claim, '--json']);
      const cells = JSON.parse(out).cells as { release: string; seen: string; brokenAt: { index: number } | null }[];
      expect(cells.map(({ seen }) => seen)).toEqual(cells.map(() => 'conforms'));
      expect(Object.fromEntries(cells.map(({ release, brokenAt }) => [release, brokenAt?.index ?? null]))).toEqual(
        steps,
      );
      expect(exitCode).toBe(0);
    },
    300_000,
  );
});
