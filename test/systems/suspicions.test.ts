import { describe, expect, it } from 'vitest';
import { run } from '../support/io.ts';

/** They start JVMs of Kafka's own classes: `npm run test:kafka`. What docs/real-kafka.md says of each. */
const MINUTES = 60_000;

interface Shown {
  readonly claim: string;
  readonly release: string;
  readonly predicted: string;
  readonly seen: string;
  readonly at: { readonly index: number; readonly action: string } | null;
}

async function cells(profile: string, releases: readonly string[], claims: readonly string[]): Promise<Shown[]> {
  const argv = ['kafka', '--json', '--profile', profile, '--release', ...releases, '--claim', ...claims];
  return JSON.parse((await run(argv)).out).cells;
}

describe.skipIf(process.env.LEADER_EPOCH_KAFKA !== '1')("what today's Kafka is suspected of", () => {
  it(
    'an epoch file that is written later: 3.9.1 and 4.4.0 lose a committed record, if still in sync (KAFKA-15046)',
    async () => {
      const claims = ['epoch-file-later', 'epoch-file-later-loss'];
      const shown = await cells('FlushesEpochsLater', ['3.9.1', '4.4.0'], claims);
      expect(shown).toHaveLength(4);
      for (const cell of shown) expect(cell).toMatchObject({ predicted: 'broken', seen: 'conforms' });
    },
    10 * MINUTES,
  );

  it(
    'records that come late are appended up to 3.4.0, and dropped in 3.9.1 and 4.4.0 (KAFKA-18723)',
    async () => {
      const claims = ['late-records', 'late-records-cache'];
      for (const cell of await cells('Kafka_2_8_LateReplies', ['2.8.2', '3.4.0'], claims))
        expect(cell).toMatchObject({ predicted: 'broken', seen: 'conforms' });
      for (const cell of await cells('Kafka_2_8_LateReplies', ['3.9.1', '4.4.0'], claims))
        expect(cell).toMatchObject({ seen: 'diverged', at: { action: 'HandleFetchResponse' } });
    },
    10 * MINUTES,
  );
});
