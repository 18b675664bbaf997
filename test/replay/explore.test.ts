import { describe, expect, it } from 'vitest';
import { loadClaims, modelConfig } from '../../src/claims/index.ts';
import { boundsOf, configOf, explore, ghosts, mapping } from '../../src/replay/index.ts';

/** Of the models whose whole graph TLC has counted, those that take the implementation a few seconds each. */
const MODELS = ['Kip320Clean', 'InsideFetchPowerLoss'];

describe('the same space', () => {
  it.each(MODELS)('of %s is what the implementation explores by itself', (model) => {
    const constants = modelConfig(model).constants;
    const vars = [...Object.keys(mapping), ...Object.keys(ghosts)];
    const config = configOf({ vars, constants });
    const counts = loadClaims().find((claim) => claim.model === model)?.counts;
    expect(counts?.states).toBeGreaterThan(30_000);
    const { distinct, depth } = explore(config, boundsOf(constants));
    expect({ states: distinct, depth }).toEqual(counts);
  });
});
