import { describe, expect, it, test } from 'vitest';
import { accept } from '../../src/claims/index.ts';
import { seek, simulate } from '../../src/cluster/index.ts';
import { judgeHistory } from '../../src/conform/index.ts';
import { replay } from '../../src/replay/index.ts';
import { Recorder } from '../../src/replay/run.ts';
import { memorySystem } from '../../src/systems/memory.ts';
import type { Trace } from '../../src/trace/index.ts';
import { run } from '../support/io.ts';
import { describeWithTlc, inTurn, PATIENCE_MS, quickJava } from '../support/tlc.ts';
import { constantsOf } from '../support/walk.ts';

const THREE = ['A', 'B', 'C'];
const usual = { replicas: THREE, steps: 100 };

describe('a simulated cluster under faults', () => {
  test.each(['Kip320', 'Kafka_4_4', 'Kafka_2_1', 'AsksForIsr', 'Kafka_1_1_1_OldFormat'])(
    'goes the way of the protocol as a whole, %s',
    (profile) => {
      // Each step is compared: another way is a SimulationError.
      const { acknowledged, faults, steps } = seek({ ...usual, profile, firstSeed: 1, runs: 6 });
      expect([steps >= 600, faults > 0, acknowledged > 0]).toEqual([true, true, true]);
    },
  );

  it('breaks no promise under a sound profile', () => {
    expect(seek({ ...usual, profile: 'Kip320', firstSeed: 101, runs: 10 }).findings).toEqual([]);
  });

  it('loses what was committed under the rule of 0.10.2', () => {
    const { findings } = seek({ ...usual, profile: 'Kafka_0_10_2', firstSeed: 27, runs: 1 });
    expect(findings).toMatchObject([
      {
        property: 'CommittedSurvives',
        what: expect.stringMatching(/^m\d+, committed at offset \d+, is not in the log of/),
      },
    ]);
  });

  it('loses what was committed where a leader that waits for a larger ISR counts the one it has (KIP-497)', () => {
    const profiles = ['CountsConfirmedIsr', 'AsksForIsr'];
    const broken = profiles.map((profile) => seek({ ...usual, profile, firstSeed: 1, runs: 1 }).findings);
    expect(broken).toEqual([[expect.objectContaining({ property: 'CommittedSurvives' })], []]);
  });

  it('is the same each time for the same seed', () => {
    const once = () => simulate({ ...usual, seed: 5, profile: 'Kip320', minIsr: 2, powerLoss: true, properties: [] });
    expect(once()).toEqual(once());
  });
});

describe('what clients saw of a simulated run', () => {
  const historyOf = (profile: string, seed: number) =>
    simulate({ ...usual, seed, profile, minIsr: 1, powerLoss: false, properties: [] }).history;

  it('has what producers gave and were told, and what consumers read, to the last word', () => {
    const kinds = new Set([1, 3, 5].flatMap((seed) => historyOf('Kip320', seed).map(({ kind }) => kind)));
    expect([...kinds].sort()).toEqual(['acked', 'lastRead', 'read', 'sent', 'unknown']);
  });

  it('is right under a sound profile, and is not under the rule of 0.10.2', () => {
    const seeds = [3, 27, 119, 175];
    expect(seeds.flatMap((seed) => judgeHistory(historyOf('Kip320', seed)))).toEqual([]);
    const breaches = seeds.map((seed) => judgeHistory(historyOf('Kafka_0_10_2', seed)).map(({ kind }) => kind));
    expect(breaches.flat()).toContain('lost');
  });
});

describe('leader-epoch simulate', () => {
  it('says which rule brokers cannot follow', async () => {
    const { exitCode, err } = await run(['simulate', '--profile', 'DelayedHighWatermark', '--runs', '1']);
    const reason =
      "Brokers cannot follow DelayedHighWatermark: no version of Fetch carries a follower's high watermark.";
    expect([exitCode, err]).toEqual([2, expect.stringContaining(reason)]);
  });

  it('hears Ctrl-C within a long run', async () => {
    const { err, exitCode } = await run(['simulate', '--runs', '1', '--steps', '10000000'], {
      signal: AbortSignal.abort(),
    });
    expect([exitCode, err]).toEqual([2, 'Stopped after 0 of 1 run: of the others nothing is known.']);
  });

  it('finds loss and divergence under the rule of 0.10.2, and shows the steps that are enough', async () => {
    const { exitCode, out } = await run(['simulate', '--profile', 'Kafka_0_10_2', '--seed', '40', '--runs', '1']);
    expect(exitCode).toBe(1);
    expect(out).toMatch(/^FollowerAgrees, seed 40: A has m1 .*, after 62 steps$/m);
    expect(out).toMatch(/^ {2}18 of them are enough: A has m1 of epoch 1 at offset 0, where C has m2 of epoch 2$/m);
  });
});

function traceOf(seed: number, profile: string): Trace {
  let recorder: Recorder | null = null;
  const { config } = simulate({
    ...{ ...usual, seed, profile, minIsr: 1, powerLoss: seed % 2 === 0, properties: [] },
    onStart: (run) => {
      recorder = new Recorder(run.state());
    },
    onStep: (step, run) => recorder?.add(step, run.state()),
  });
  if (recorder === null) throw new Error('The run has no beginning');
  return (recorder as Recorder).trace(constantsOf(config, profile), {});
}

describe('the trace of a simulated run', () => {
  /** In every other run power is lost. A hundred of them with LEADER_EPOCH_ALL. */
  const runs = process.env.LEADER_EPOCH_ALL ? 100 : 2;
  const traces = Array.from({ length: runs }, (_, i) => ({
    seed: i + 1,
    profile: ['Kip320', 'Kafka_4_4', 'Kafka_2_8', 'Kafka_2_1'][i % 4]!,
  })).map((run) => ({ ...run, trace: traceOf(run.seed, run.profile) }));

  test.each(traces)('can be replayed, seed $seed under $profile', async ({ trace }) => {
    expect(await replay(trace, memorySystem())).toMatchObject({ kind: 'conforms', steps: trace.states.length - 1 });
  });

  describeWithTlc('is accepted by TLC', () => {
    test.each(traces)(
      'seed $seed under $profile',
      async ({ trace }) => {
        const invariants = ['TypeOk'];
        expect(await inTurn(() => accept(trace, { invariants, env: quickJava }))).toEqual({ kind: 'accepted' });
      },
      PATIENCE_MS,
    );
  });
});
