import { describe, expect, test } from 'vitest';
import { KAFKA_PROFILES } from '../../src/commands/kafka.ts';
import { replay } from '../../src/replay/index.ts';
import { openSystem } from '../../src/systems/open.ts';
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
          // Another schedule every day; the seed is in the message.
          const seed = Math.floor(Date.now() / 86_400_000) * replicas.length;
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

  test('of 2.0.0 fork where KIP-279 as first released does, and those of 2.0.1 do not', async () => {
    const argv = ['kafka', '--release', '2.0.0', '2.0.1', '--claim', 'kip279-as-released', '--json'];
    const { exitCode, out } = await run(argv);
    expect(exitCode).toBe(0);
    expect(JSON.parse(out).cells).toMatchObject([
      { release: '2.0.0', predicted: 'broken', brokenAt: { index: 11 }, seen: 'conforms', steps: 20 },
      { release: '2.0.1', predicted: 'kept', brokenAt: null, seen: 'conforms', steps: 20 },
    ]);
  }, 180_000);
});
