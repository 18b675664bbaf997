import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, it, test } from 'vitest';
import { encodeBatch, MemoryFiles, realFiles } from '../../src/disk/index.ts';
import { kafkaClassPath } from '../../src/systems/kafkaBuild.ts';
import { disk, logOf, oneBatchEach, open, options } from './support.ts';

const FIXTURES = join(import.meta.dirname, 'fixtures');

const epochCache = [
  { epoch: 1, start: 0 },
  { epoch: 2, start: 2 },
];

describe.each(['2.0.1', '4.4.0'])('the files of Kafka %s', (release) => {
  const folder = join(FIXTURES, `kafka-${release}`);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const image = new Map(files.map((file) => [file.replace(folder, 'data'), readFileSync(file)]));

  it('are read as what they are, and need no repair', () => {
    expect(open(new MemoryFiles(image), { topic: 't0' })).toMatchObject({
      disk: { log: logOf(1, 1, 2, 2), epochCache, checkpoint: 3, flushed: 0 },
      repairs: [],
    });
  });

  it('have the very bytes that are written here for the same records', () => {
    const log = logOf(1, 1, 2, 2);
    const batches = log.map(({ id, epoch }, baseOffset) =>
      encodeBatch({ baseOffset, epoch, records: [{ value: Buffer.from(String(id)), timestamp: 1n }] }),
    );
    expect(Buffer.concat(batches)).toEqual(image.get('data/t0-0/00000000000000000000.log'));
    const ours = new MemoryFiles();
    open(ours, { topic: 't0' }).store.write(disk({ log, epochCache, checkpoint: 3 }), oneBatchEach);
    for (const file of ['data/t0-0/leader-epoch-checkpoint', 'data/replication-offset-checkpoint']) {
      expect(Buffer.from(ours.read(file) ?? [])).toEqual(image.get(file));
    }
  });
});

describe.skipIf(!process.env.LEADER_EPOCH_KAFKA)("Kafka's own tools on files that were written here", () => {
  test.each(['0.11.0.3', '4.4.0'])('%s finds nothing wrong with them', async (version) => {
    const folder = await mkdtemp(join(tmpdir(), 'leader-epoch-'));
    try {
      const { store } = open(realFiles({ sync: true }), { folder });
      const key = Buffer.from('k');
      const headers = [{ key: 'h', value: Buffer.from('v') }];
      store.write(disk({ log: logOf(1, 1, 2, 2, 7), epochCache: [...epochCache, { epoch: 7, start: 4 }] }), () => [
        encodeBatch({
          ...{ baseOffset: 0, epoch: 1 },
          records: [
            { key, value: Buffer.from('one'), timestamp: 1700000000000n, headers },
            { value: null, key },
          ],
        }),
        ...oneBatchEach(logOf(1, 1, 2, 2, 7).slice(2), 2),
      ]);
      store.shutDown();
      const classPath = await kafkaClassPath({ family: 'files', version, shape: null }, process.env);
      const logFolder = join(folder, `${options.topic}-0`);
      const { stdout } = await execa('java', ['-cp', classPath, 'leaderepoch.ReadFiles', logFolder]);
      expect(stdout.match(/isvalid: true/g)?.length).toBeGreaterThanOrEqual(4);
      expect(stdout).not.toMatch(/isvalid: false|[Ee]xception|[Mm]ismatch|Non-consecutive|corrupt/);
      expect(stdout.match(/payload: (one|3|4|5)$/gm)).toEqual([
        'payload: one',
        'payload: 3',
        'payload: 4',
        'payload: 5',
      ]);
      expect(stdout).toMatch(/^epochs .*EpochEntry.*1\b.*\b0\b.*EpochEntry.*2\b.*\b2\b.*EpochEntry.*7\b.*\b4\b/m);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
