import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { replay } from '../../src/replay/index.ts';
import { diskSystem } from '../../src/systems/disk.ts';
import { CannotRestore, type System, type SystemConfig } from '../../src/systems/system.ts';
import { recorded, recordedNames } from '../support/traces.ts';
import { settings, Wanderer, walk } from '../support/walk.ts';

let system: System;
beforeAll(async () => {
  system = await diskSystem();
});
afterAll(() => system.close());

const THREE = ['A', 'B', 'C'];

describe('the replicas on real files', () => {
  test.each(recordedNames)('go the way of the recorded trace %s', async (name) => {
    const trace = recorded(name);
    const result = await replay(trace, system);
    // One more step closes a loop.
    const goesRound = trace.loop !== undefined && trace.loop < trace.states.length - 1;
    const lastIndex = trace.states.length - (goesRound ? 0 : 1);
    expect(result).toMatchObject({ kind: 'conforms', lastIndex, notObservable: [] });
    // What an answer will cut is not judged on what a system shows.
    if (name !== 'cuts-too-much') expect(result.broken).not.toBeNull();
  });

  const walks = [
    { profile: 'Kip320', seed: 11, replicas: THREE, options: { oldNews: true } },
    { profile: 'Kafka_2_0_0', seed: 12, options: { lazyCheckpoint: true } },
    { profile: 'Kafka_0_10_2', seed: 13, replicas: THREE, options: { lazyCheckpoint: true, oldNews: true } },
    { profile: 'Kafka_4_4', seed: 14, replicas: THREE, options: { minIsr: 2 } },
  ];
  const budget = { Write: 12, Crash: 20, PowerLoss: 20, Elect: 30 };
  test.each(walks)('go the way of a random walk with many crashes, $profile', async (options) => {
    const trace = walk({ ...options, budget, steps: 400 });
    expect(await replay(trace, system)).toMatchObject({ kind: 'conforms', steps: trace.states.length - 1 });
  });

  // A start forgets what this rule has in memory.
  const forgetful = { profile: 'EpochsInMemory', seed: 15 };
  test.each([...walks, forgetful])(
    'are put into each state of such a walk, by files that they recover from, $profile',
    async (options) => {
      const wanderer = new Wanderer({ ...options, budget });
      const { cluster } = wanderer.run;
      const states = Array.from({ length: 300 }, () => {
        wanderer.step();
        return cluster.observe();
      });
      await system.reset(settings(options).config);
      // Far from one another.
      for (const index of states.keys()) {
        const state = states[(index * 7) % states.length]!;
        await system.restore?.(state);
        expect(await system.observe()).toEqual(state);
      }
    },
  );

  const two: SystemConfig = {
    ...{ replicas: ['A', 'B'], firstLeader: 'A', profileOf: { A: 'Kip320', B: 'Kip320' } },
    ...{ minIsr: 1, lazyCheckpoint: false, resumeSameEpoch: false, oldNews: false },
  };

  it('are put into a state in which the epoch cache lacks the epoch of a record, which a start would learn', async () => {
    await system.reset(two);
    await system.step({ action: 'Write', args: ['A', '1'], id: 1 });
    const state = await system.observe();
    const spoilt = { ...state, epochCache: { A: [], B: [] }, epochFile: { A: [], B: [] } };
    await system.restore?.(spoilt);
    expect(await system.observe()).toEqual(spoilt);
  });

  it('show the epoch file that a start has written anew, not the one that was there', async () => {
    await system.reset(two);
    await system.step({ action: 'Write', args: ['A', '1'], id: 1 });
    await system.step({ action: 'Elect', args: ['B'] });
    await system.step({ action: 'Crash', args: ['A'] });
    const state = await system.observe();
    const lost = { A: [], B: [] };
    await system.restore?.({ ...state, epochCache: lost, epochFile: lost });
    expect(await system.observe()).toMatchObject({ epochFile: { A: [] } });
    await system.step({ action: 'Restart', args: ['A'] });
    expect(await system.observe()).toMatchObject({ epochFile: { A: [{ epoch: 1, start: 0 }] } });
  });

  it('say so where they cannot be put into a state, and can be put into others', async () => {
    await system.reset(two);
    const state = await system.observe();
    const flushed = { A: 1, B: 0 };
    await expect(system.restore?.({ ...state, flushed })).rejects.toThrow(CannotRestore);
    await system.restore?.(state);
    expect(await system.observe()).toEqual(state);
  });

  it('refuse what the protocol refuses', async () => {
    await system.reset(two);
    expect(await system.step({ action: 'Write', args: ['B', '1'], id: 1 })).toEqual({
      kind: 'refused',
      reason: 'B is follower, not a leader',
    });
  });
});
