import { describe, expect, test } from 'vitest';
import { loadBeyond, loadClaims, modelConfig } from '../../src/claims/index.ts';
import { type TRIES, variantOf, withVariant } from '../../src/claims/variant.ts';

const claims = loadClaims();

function boundOf(claim: string, kind: (typeof TRIES)[number]): string | null {
  const found = claims.find((one) => one.claim === claim);
  return found ? (variantOf(kind, modelConfig(found.model), found.larger)?.bound ?? null) : null;
}

describe('the next larger bound', () => {
  test.each([
    ['kip320-clean', '3 elections'],
    ['inside-fetch-power-loss', '2 losses of power'],
    ['kip320-unclean', '2 unclean elections'],
    ['kip320-lost-messages', '2 lost messages'],
    ['eligible-leaders', '1 crash'],
    ['second-round', 'every schedule of 3 records, 3 elections'],
    ['look-ups-with-gaps', '4 records'],
  ])('of %s has %s', (claim, bound) => {
    expect(boundOf(claim, 'larger')).toBe(bound);
  });
});

describe('the next smaller bound', () => {
  test.each([
    ['kip101-not-for-ever', '2 elections'],
    ['fast-restart-loss', 'no elections'],
    ['emptied-leader', '1 loss of power'],
    ['no-hw-on-isr-reply', 'no crashes'],
    ['fast-restart-told', null],
  ])('of %s has %s', (claim, bound) => {
    expect(boundOf(claim, 'smaller')).toBe(bound);
  });
});

test('three replicas come with three elections and two crashes, or what the model has more', () => {
  expect(boundOf('kip320-clean', 'three')).toBe('3 replicas, 3 elections, 2 crashes');
  expect(boundOf('look-ups-with-gaps', 'three')).toBeNull();
});

test('what has lazy checkpoints is not tried with them again', () => {
  expect(boundOf('kip320-clean', 'lazy')).toBe('lazy checkpoints');
  expect(boundOf('kip320-lazy', 'lazy')).toBeNull();
});

test('a variant changes what it names in a configuration, and nothing else', () => {
  const text =
    'INIT Init\nCONSTANTS\n    MaxElections = 2\n    MaxCrashes = 1\n    Told <- ToldHere\nINVARIANTS TypeOk Watched\n';
  const variant = { constants: { MaxElections: '3' }, everySchedule: true, betweenSteps: null, bound: '3 elections' };
  expect(withVariant(text, variant, 'Enough')).toBe(
    'INIT Init\nCONSTANTS\n    MaxElections = 3\n    MaxCrashes = 1\nINVARIANTS Enough TypeOk Watched\n',
  );
});

describe('what is recorded in beyond.json', () => {
  const runs = loadBeyond();
  const claimOf = (name: string) => claims.find(({ claim }) => claim === name);

  test.each(runs)('$claim, $try: is of a claim, in the bound that this means for it', (run) => {
    const claim = claimOf(run.claim);
    expect(claim && variantOf(run.try, modelConfig(claim.model), claim.larger)?.bound).toBe(run.bound);
    const { counts, verdict } = claim!;
    if (run.try === 'itself') expect(run).toMatchObject({ verdict, ...(verdict === 'holds' && counts) });
    // More can happen with lazy checkpoints, so what is violated stays so.
    if (run.try === 'lazy' && verdict === 'violated') expect(['open', verdict]).toContain(run.verdict);
    // A bound in which it does not hold any more is explained by the claim that is about it.
    if (verdict === 'holds' && run.verdict === 'violated')
      expect(claims.filter((one) => one.verdict === 'violated' && claim!.why?.includes(one.claim))).not.toEqual([]);
  });

  test('is there once for each bound', () => {
    const keys = runs.map(({ claim, try: kind }) => `${claim} ${kind}`);
    expect(new Set(keys).size).toBe(keys.length);
  });

  test('has each quick claim in its own bound, and each violated one with lazy checkpoints too', () => {
    const has = (claim: string, kind: string): boolean => runs.some((run) => run.claim === claim && run.try === kind);
    expect(claims.filter(({ claim, set }) => set !== 'deep' && !has(claim, 'itself'))).toEqual([]);
    // Liveness with lazy checkpoints takes TLC too long for a table of all.
    const isSafety = (property: readonly string[]): boolean => !property[0]?.endsWith('Prop');
    const lazily = claims.filter(
      ({ claim, verdict, property }) => verdict === 'violated' && isSafety(property) && boundOf(claim, 'lazy') !== null,
    );
    expect(lazily.filter(({ claim }) => !has(claim, 'lazy'))).toEqual([]);
  });
});
