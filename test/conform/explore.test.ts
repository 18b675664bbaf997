import { describe, expect, test } from 'vitest';
import { loadClaims } from '../../src/claims/index.ts';
import { explore, loadModel } from '../../src/conform/index.ts';
import { replay } from '../../src/replay/index.ts';
import { memorySystem } from '../../src/systems/memory.ts';
import { stepsOf } from '../support/traces.ts';

const claims = loadClaims();
/** TLC's, recorded with the claims. */
const countsOf = (model: string) => claims.find((claim) => claim.model === model)?.counts;

test.each(['LateNewsKip320', 'InsideFetchPowerLoss'])(
  'of %s the implementation finds the same space as TLC',
  async (model) => {
    const { distinct, depth, violation } = await explore(loadModel(model));
    expect({ states: distinct, depth }).toEqual(countsOf(model));
    expect(violation).toBeNull();
  },
);

describe('a counterexample', () => {
  test.each(
    claims
      .filter(
        ({ verdict, set, model }) =>
          verdict === 'violated' && set !== 'deep' && /^(Min|Power|Fast|Counts|Told)/.test(model),
      )
      .map((claim) => [claim.claim, claim] as const),
  )('to %s is as short as the one of TLC, and can be replayed', async (_, { model, property, counts }) => {
    const { violation } = await explore(loadModel(model), { properties: property });
    expect(violation).toMatchObject({ property: property[0] });
    const trace = violation!.trace;
    expect(trace.states).toHaveLength(counts.length ?? Number.NaN);
    expect(await replay(trace, memorySystem())).toMatchObject({ kind: 'conforms', broken: violation!.what });
  });

  test('to the fast restart is the known one', async () => {
    const { violation } = await explore(loadModel('FastRestartLoss'), { properties: ['CommittedSurvives'] });
    expect(violation?.what).toBe('m1, committed at offset 0, is not in the log of the leader B');
    const steps = stepsOf(violation!.trace);
    expect(steps[0]).toEqual(['Write', 'A', 'all']);
    expect(steps.at(-1)).toEqual(['BecomeLeader', 'B', 2]);
  });
});

test('a told schedule is followed, and nothing else', async () => {
  expect(await explore(loadModel('SecondRoundTold'))).toMatchObject({ distinct: 23, transitions: 22, depth: 23 });
});

test('a property that cannot be judged is named', async () => {
  const { notJudged } = await explore(loadModel('PowerLossTakesAll'), { properties: ['EpochsMonotone', 'Unheard'] });
  expect(notJudged).toEqual(['Unheard']);
});

test('a search can be stopped', async () => {
  const stopped = AbortSignal.abort(new Error('enough'));
  await expect(explore(loadModel('PowerLossTakesAll'), { signal: stopped })).rejects.toThrow('enough');
});
