import { describe, expect, test } from 'vitest';
import { loadBeyond, loadClaims, modelConfig, specHash, whyUntried } from '../../src/claims/index.ts';
import { type Try, variantOf, withVariant } from '../../src/claims/variant.ts';

const claims = loadClaims();

/** The bound in words, or in parentheses why there is none. */
function boundOf(claim: string, kind: Try): string {
  const found = claims.find((one) => one.claim === claim);
  if (found === undefined) throw new Error(`no claim ${claim}`);
  const variant = variantOf(kind, modelConfig(found.model), found.larger);
  return 'untried' in variant ? `(${variant.untried})` : variant.bound;
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
    ['fast-restart-told', '(one schedule)'],
  ])('of %s has %s', (claim, bound) => {
    expect(boundOf(claim, 'smaller')).toBe(bound);
  });
});

test('three replicas come with three elections and two crashes, or what the model has more', () => {
  expect(boundOf('kip320-clean', 'three')).toBe('3 replicas, 3 elections, 2 crashes');
  expect(boundOf('look-ups-with-gaps', 'three')).toBe('(two logs, no replicas)');
});

test('what has lazy checkpoints is not tried with them again, nor what has none', () => {
  expect(boundOf('kip320-clean', 'lazy')).toBe('lazy checkpoints');
  expect(boundOf('kip320-lazy', 'lazy')).toBe('(its checkpoints are lazy)');
  expect(boundOf('look-ups-with-gaps', 'lazy')).toBe('(two logs, no checkpoints)');
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
  const has = (claim: string, kind: Try): boolean => runs.some((run) => run.claim === claim && run.try === kind);
  const holding = claims.filter(({ verdict }) => verdict === 'holds');
  const mends = new Set(claims.flatMap(({ bug, mendedIn = [] }) => (bug === undefined ? [] : mendedIn)));
  const isLiveness = ({ property }: { property: readonly string[] }) => property.every((name) => name.endsWith('Prop'));

  test.each(runs)('$claim, $try: is of a claim, in the bound that this means for it', (run) => {
    expect(boundOf(run.claim, run.try)).toBe(run.bound);
    const claim = claimOf(run.claim)!;
    // What was found in an older text says nothing of this one: `leader-epoch beyond --try … --write` finds it anew.
    expect(specHash(claim).slice(0, run.spec.length)).toBe(run.spec);
    const { counts, verdict } = claim;
    // What was not seen whole says how far it was.
    if (run.verdict === 'open') expect([run.limit, run.states, run.depth].every((n = 0) => n > 0)).toBe(true);
    if (run.try === 'simulated') expect(run.atRandom).toBe(true);
    if (run.try === 'itself') expect(run).toMatchObject({ verdict, ...(verdict === 'holds' && counts) });
    // More can happen with lazy checkpoints, so what is violated stays so.
    if (run.try === 'lazy' && verdict === 'violated') expect(['open', verdict]).toContain(run.verdict);
    // A bound in which it does not hold any more is explained by the claim that is about it.
    if (verdict === 'holds' && run.verdict === 'violated')
      expect(claims.filter((one) => one.verdict === 'violated' && claim.why?.includes(one.claim))).not.toEqual([]);
  });

  test('is there once for each bound', () => {
    const keys = runs.map(({ claim, try: kind }) => `${claim} ${kind}`);
    expect(new Set(keys).size).toBe(keys.length);
  });

  test('has each claim in its own bound', () => {
    expect(claims.filter(({ claim }) => !has(claim, 'itself'))).toEqual([]);
  });

  test.each(claims.filter(({ verdict }) => verdict === 'violated'))('has $claim with lazy checkpoints', (claim) => {
    // What never happens stays so, and takes TLC too long for a table of all.
    expect(isLiveness(claim) || whyUntried(claim, 'lazy') !== null || has(claim.claim, 'lazy')).toBe(true);
  });

  test.each(holding)('has $claim in the next bound, at random and with lazy checkpoints, or why not', (claim) => {
    // Lassos are looked for at random only: with three replicas there are too many states to look for them in all.
    const isTriedInThree = mends.has(claim.claim) && !isLiveness(claim);
    const kinds: Try[] = ['larger', 'simulated', 'lazy', ...(isTriedInThree ? (['three'] as const) : [])];
    expect(kinds.filter((kind) => whyUntried(claim, kind) === null && !has(claim.claim, kind))).toEqual([]);
  });

  test('has no lazy run of what has lazy checkpoints itself, and none of two logs', () => {
    const untried = holding.flatMap((claim) => (whyUntried(claim, 'lazy') === null ? [] : [claim.claim]));
    expect(untried).toEqual([
      'kip101-survives',
      'leader-log-end',
      'kip320-lazy',
      'inside-fetch-lazy',
      'look-ups-with-gaps',
      'look-ups-with-gaps-in-fetch',
      'look-ups-at-a-refilled-leader',
      'look-ups-with-remote-records',
    ]);
  });
});
