import { describe, expect, test } from 'vitest';
import { run } from '../support/io.ts';

/** They fetch Kafka with Maven and start brokers: `npm run test:kafka`. */
const enabled = process.env.LEADER_EPOCH_KAFKA === '1';
const TIMEOUT_MS = 15 * 60_000;

describe.skipIf(!enabled)('real brokers', () => {
  test(
    'of 0.10.2.2 lose an acknowledged record, and those of 0.11.0.3 keep it',
    async () => {
      const { exitCode, out } = await run([
        ...['kafka', '--brokers', '--json', '--release', '0.10.2.2', '0.11.0.3'],
        ...['--claim', 'fast-restart-told', 'hard-failures-told'],
      ]);
      expect(JSON.parse(out).cells).toMatchObject([
        { release: '0.10.2.2', claim: 'fast-restart-told', predicted: 'broken', seen: 'conforms', steps: 17 },
        { release: '0.10.2.2', claim: 'hard-failures-told', predicted: 'broken', seen: 'conforms', steps: 19 },
        { release: '0.11.0.3', claim: 'fast-restart-told', predicted: 'kept', seen: 'conforms', steps: 23 },
        { release: '0.11.0.3', claim: 'hard-failures-told', predicted: 'kept', seen: 'conforms', steps: 25 },
      ]);
      expect(exitCode).toBe(0);
    },
    TIMEOUT_MS,
  );
});
