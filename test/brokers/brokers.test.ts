import { spawn } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { BROKER_PROFILES } from '../../src/commands/kafkaReleases.ts';
import { openSystem } from '../../src/open/index.ts';
import { replay } from '../../src/replay/index.ts';
import { run } from '../support/io.ts';
import { walk } from '../support/walk.ts';

/** They fetch Kafka with Maven and start brokers: `npm run test:kafka`. */
const enabled = process.env.LEADER_EPOCH_KAFKA === '1';
const TIMEOUT_MS = 15 * 60_000;

describe.skipIf(!enabled)('real brokers', () => {
  test(
    'of each rule do in the cells that tell most what the specification predicts',
    async () => {
      const { exitCode, out } = await run(['kafka', '--brokers', '--json']);
      const cell = (release: string, claim: string, predicted: string, steps: number) => ({
        ...{ release, claim, predicted, steps },
        ...{ seen: 'conforms', runs: 1, different: 0 },
      });
      expect(JSON.parse(out).cells).toMatchObject([
        cell('0.10.2.2', 'fast-restart-told', 'broken', 17),
        cell('0.10.2.2', 'hard-failures-told', 'broken', 19),
        cell('0.11.0.3', 'fast-restart-told', 'kept', 23),
        cell('0.11.0.3', 'hard-failures-told', 'kept', 25),
        cell('1.1.1', 'fast-leader-change-1-1-1', 'broken', 20),
        cell('2.0.1', 'fast-leader-change-1-1-1', 'kept', 20),
        cell('4.4.0', 'fast-leader-change', 'kept', 19),
        cell('4.4.0', 'fast-leader-change-1-1-1', 'kept', 20),
        cell('4.4.0', 'hard-failures-told', 'kept', 25),
      ]);
      expect(exitCode).toBe(0);
    },
    TIMEOUT_MS,
  );

  test(
    'that are fenced wait for news, and a step that no broker can be brought to take is told apart from a wrong one',
    async () => {
      const { exitCode, out } = await run([
        ...['kafka', '--brokers', '--all', '--json', '--release', '3.9.1'],
        ...['--claim', 'late-news-unfenced', 'stale-fetch'],
      ]);
      expect(JSON.parse(out).cells).toMatchObject([
        { claim: 'late-news-unfenced', predicted: 'kept', seen: 'conforms', steps: 18 },
        { claim: 'stale-fetch', predicted: '?', seen: 'refused', steps: 14, at: { action: 'ShrinkIsr' } },
      ]);
      expect(exitCode).toBe(0);
    },
    TIMEOUT_MS,
  );

  // Without what makes the ISR smaller: docs/real-kafka.md says why.
  const calm = { ShrinkIsr: 0, Crash: 0, PowerLoss: 0, ElectUnclean: 0, PartitionOffline: 0 };

  test.each(['0.11.0.3', '2.0.1'])(
    'of %s do what their profile says, on schedules that nobody has seen before',
    async (release) => {
      const system = await openSystem(`kafka@${release}`, process.env);
      const profile = BROKER_PROFILES[release] ?? '';
      try {
        // Other schedules by LEADER_EPOCH_SEED; the seed is in the message.
        const first = Number(process.env.LEADER_EPOCH_SEED ?? 20786) * 10;
        for (const replicas of [
          ['A', 'B'],
          ['A', 'B', 'C'],
        ]) {
          for (let seed = first; seed < first + 3; seed++) {
            const result = await replay(walk({ profile, seed, replicas, steps: 60, budget: calm }), system);
            expect(result, `seed ${seed}`).toMatchObject({ kind: 'conforms', steps: 60 });
          }
        }
      } finally {
        await system.close();
      }
    },
    TIMEOUT_MS,
  );

  test(
    'that do not start show why, in the words of their log',
    async () => {
      const system = await openSystem('kafka@2.0.1+9.9', process.env);
      const config = { replicas: ['A', 'B'], firstLeader: 'A', profileOf: {}, minIsr: 1 };
      const rest = { lazyCheckpoint: false, resumeSameEpoch: false, oldNews: false };
      try {
        await expect(system.reset({ ...config, ...rest })).rejects.toMatchObject({
          name: 'BrokerError',
          message: expect.stringMatching(
            /^broker [AB] has ended \(exit code 1\)[\s\S]*Version `9\.9` is not a valid version/,
          ),
        });
      } finally {
        await system.close();
      }
    },
    TIMEOUT_MS,
  );

  test.each(['SIGINT', 'SIGKILL'] as const)(
    'are gone with all their files when the command ends by %s',
    async (signal) => {
      const folder = await mkdtemp(join(tmpdir(), 'leader-epoch-interrupted-'));
      const cli = fileURLToPath(new URL('../../bin/leader-epoch.js', import.meta.url));
      const args = [cli, 'kafka', '--brokers', '--release', '0.10.2.2', '--claim', 'fast-restart-told'];
      const child = spawn(process.execPath, args, {
        env: { ...process.env, TMPDIR: folder },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const ended = new Promise((resolve) => child.once('exit', resolve));
      const brokers = async () => {
        const [run] = (await readdir(folder)).filter((name) => name.startsWith('leader-epoch-brokers-'));
        return run === undefined ? [] : (await readdir(join(folder, run))).filter((name) => name.startsWith('broker-'));
      };
      while ((await brokers()).length < 2) await delay(50);
      child.kill(signal);
      await ended;
      while ((await readdir(folder)).some((name) => name.startsWith('leader-epoch-brokers-'))) await delay(50);
      await rm(folder, { recursive: true });
    },
    TIMEOUT_MS,
  );
});
