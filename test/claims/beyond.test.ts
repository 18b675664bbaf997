import { expect, test } from 'vitest';
import { type BeyondRun, loadBeyond, loadClaims, type Try, tryBeyond } from '../../src/claims/index.ts';
import { describeWithTlc, PATIENCE_MS, quickJava } from '../support/tlc.ts';

const claims = loadClaims();
const claimOf = (name: string) => claims.find(({ claim }) => claim === name)!;

describeWithTlc('a run in another bound', () => {
  async function found(claim: string, kind: Try, limit?: number): Promise<Omit<BeyondRun, 'seconds' | 'spec'>> {
    const result = await tryBeyond(claimOf(claim), kind, { env: quickJava, ...(limit && { limit }) });
    if (result.kind !== 'ran') throw new Error(result.kind);
    expect(result.unreached).toEqual([]);
    const { seconds: _, spec: __, ...run } = result.run;
    return run;
  }

  test(
    'comes to what is recorded of it',
    async () => {
      const recorded = loadBeyond().find(({ claim, try: kind }) => claim === 'fast-restart-kip101' && kind === 'lazy');
      const run = await found('fast-restart-kip101', 'lazy');
      expect(run).toMatchObject({ bound: 'lazy checkpoints', verdict: 'holds', states: 28, depth: 18 });
      expect(recorded).toMatchObject(run);
    },
    PATIENCE_MS,
  );

  test(
    'stops at its limit, and says how far it came',
    async () => {
      const run = await found('kip320-clean', 'larger', 100);
      expect(run).toMatchObject({ bound: '3 elections', verdict: 'open', limit: 100, depth: expect.any(Number) });
      expect(run.states).toBeGreaterThanOrEqual(100);
      expect(run.states).toBeLessThan(200);
    },
    PATIENCE_MS,
  );

  test(
    'that is of liveness and is to stop early looks at random behaviours',
    async () => {
      expect(await found('hw-on-isr-reply', 'lazy', 3)).toEqual({
        claim: 'hw-on-isr-reply',
        try: 'lazy',
        bound: 'lazy checkpoints',
        atRandom: true,
        verdict: 'open',
        states: expect.any(Number),
        depth: 80,
        limit: 3,
      });
    },
    PATIENCE_MS,
  );
});

test('two logs have no checkpoints to be lazy with', async () => {
  const result = await tryBeyond(claimOf('look-ups-with-gaps'), 'lazy');
  expect(result).toEqual({ kind: 'untried', why: 'two logs, no checkpoints' });
});
