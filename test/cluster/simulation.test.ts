import { describe, expect, it, test } from 'vitest';
import { accept } from '../../src/claims/index.ts';
import { seek, simulate } from '../../src/cluster/index.ts';
import { replay } from '../../src/replay/index.ts';
import { Recorder } from '../../src/replay/run.ts';
import { memorySystem } from '../../src/systems/memory.ts';
import type { Trace } from '../../src/trace/index.ts';
import { describeWithTlc, inTurn, PATIENCE_MS, quickJava } from '../support/tlc.ts';
import { constantsOf } from '../support/walk.ts';

const THREE = ['A', 'B', 'C'];
const usual = { replicas: THREE, steps: 100 };

describe('a simulated cluster under faults', () => {
  test.each(['Kip320', 'Kafka_4_4', 'Kafka_2_1'])('goes the way of the protocol as a whole, %s', (profile) => {
    // Each step is compared: another way is a SimulationError.
    const { acknowledged, faults, steps } = seek({ ...usual, profile, firstSeed: 1, runs: 6 });
    expect([steps >= 600, faults > 0, acknowledged > 0]).toEqual([true, true, true]);
  });

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

  it('is the same each time for the same seed', () => {
    const once = () => simulate({ ...usual, seed: 5, profile: 'Kip320', minIsr: 2, powerLoss: true, properties: [] });
    expect(once()).toEqual(once());
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
  const traces = [
    { seed: 1, profile: 'Kip320' },
    { seed: 2, profile: 'Kafka_4_4' },
  ].map((run) => ({ ...run, trace: traceOf(run.seed, run.profile) }));

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
