import { describe, expect, test } from 'vitest';
import { type Claim, judge } from '../../src/claims/index.ts';
import type { TlcOutcome, TlcStatistics } from '../../src/tlc/index.ts';
import type { Trace } from '../../src/trace/index.ts';

const rest = {
  title: '',
  story: '',
  model: 'Some',
  profile: 'Kip101',
  bound: '',
  set: 'main' as const,
  source: ['KIP-101'],
} satisfies Partial<Claim>;
const broken: Claim = {
  ...rest,
  claim: 'broken',
  verdict: 'violated',
  property: ['FollowerAgrees'],
  counts: { length: 3 },
};
const kept: Claim = {
  ...rest,
  claim: 'kept',
  verdict: 'holds',
  property: ['FollowerAgrees', 'LogMatching'],
  counts: { states: 23, depth: 7 },
};

const unknown: TlcStatistics = { generated: null, distinct: null, queueLeft: null, depth: null, initial: null };
const success: TlcOutcome = { kind: 'success', exhaustive: true };

function violation(name: string, states: number): TlcOutcome {
  const trace: Trace = {
    vars: [],
    states: Array.from({ length: states }, () => new Map()),
    actions: Array.from({ length: states }, () => null),
    meta: {},
  };
  return { kind: 'invariant', name, initial: false, trace };
}

function judged(claim: Claim, outcome: TlcOutcome, seen: Partial<TlcStatistics> = {}, userOutput: string[] = []) {
  const watch = claim.verdict === 'holds' ? ['AckedRecord', 'SecondRound'] : [];
  return judge(claim, { outcome, statistics: { ...unknown, ...seen }, userOutput }, watch);
}

const reached = ['<<"reached", "SecondRound">>', '<<"reached", "AckedRecord">>'];

describe('a claim of a counterexample', () => {
  test('is as claimed when the property is violated after as many states', () => {
    expect(judged(broken, violation('FollowerAgrees', 3))).toEqual({ kind: 'asClaimed' });
  });

  test('is not as claimed when another invariant is violated', () => {
    expect(judged(broken, violation('TypeOk', 3))).toEqual({
      kind: 'notAsClaimed',
      reasons: ['TypeOk is violated, after 3 states'],
    });
  });

  test('is not as claimed when the counterexample has another length', () => {
    expect(judged(broken, violation('FollowerAgrees', 4))).toEqual({
      kind: 'notAsClaimed',
      reasons: ['the shortest counterexample has 4 states, not 3 as recorded'],
    });
  });

  test('is as claimed when a step breaks its property, which TLC knows by a place only', () => {
    const refines: Claim = { ...broken, property: ['Refines'] };
    const { trace } = violation('', 3) as Extract<TlcOutcome, { kind: 'invariant' }>;
    const outcome: TlcOutcome = { kind: 'actionProperty', name: 'line 53, col 17', initial: false, trace };
    const statistics = { ...unknown };
    expect(judge(refines, { outcome, statistics, userOutput: [] }, [], ['Refines'])).toEqual({ kind: 'asClaimed' });
    expect(judge(broken, { outcome, statistics, userOutput: [] }, [], ['Refines'])).toEqual({
      kind: 'notAsClaimed',
      reasons: ['Refines is violated, after 3 states'],
    });
  });

  test('is not as claimed when the property holds', () => {
    expect(judged(broken, success, { distinct: 23, depth: 7 })).toEqual({
      kind: 'notAsClaimed',
      reasons: ['FollowerAgrees holds, where a counterexample is claimed'],
    });
  });
});

describe('a claim that holds', () => {
  test('is as claimed with its counts, and all sights seen', () => {
    expect(judged(kept, success, { distinct: 23, depth: 7 }, reached)).toEqual({ kind: 'asClaimed' });
  });

  test('is not as claimed when one of its invariants is violated', () => {
    expect(judged(kept, violation('LogMatching', 5), {}, reached)).toEqual({
      kind: 'notAsClaimed',
      reasons: ['LogMatching is violated, after 5 states'],
    });
  });

  test('is not as claimed when the graph is another one', () => {
    expect(judged(kept, success, { distinct: 24, depth: 8 }, reached)).toEqual({
      kind: 'notAsClaimed',
      reasons: ['it holds with 24 distinct states, not 23 as recorded', 'it holds with 8 levels, not 7 as recorded'],
    });
  });

  test('is not as claimed when TLC does not say how many states there are', () => {
    expect(judged(kept, success, { depth: 7 }, reached)).toEqual({
      kind: 'notAsClaimed',
      reasons: ['it holds with null distinct states, not 23 as recorded'],
    });
  });

  test('is not as claimed when a sight was never seen', () => {
    const output = ['<<"reached", "AckedRecord">>', '<<"matched", "SecondRound">>'];
    expect(judged(kept, success, { distinct: 23, depth: 7 }, output)).toEqual({
      kind: 'notAsClaimed',
      reasons: ['no state was reached that shows SecondRound'],
    });
  });
});

describe('no verdict at all', () => {
  const place = { module: 'LeaderEpoch', line: 12, column: 4 };
  test.each<[string, TlcOutcome, string]>([
    [
      'with an error in the specification',
      { kind: 'parse', errors: [{ message: 'Unknown operator: `Leo´.\nmore', ...place }] },
      'The specification has errors (LeaderEpoch.tla, line 12, column 4): Unknown operator: `Leo´.',
    ],
    [
      'without a module file',
      { kind: 'parse', errors: [{ message: 'There is no file X.tla.' }] },
      'There is no file X.tla.',
    ],
    ['out of time', { kind: 'timeout', timeoutMs: 30_000 }, 'TLC was stopped after 30 s.'],
    ['cancelled', { kind: 'cancelled', by: 'abort', signal: null }, 'The model check was cancelled.'],
    [
      'without Java',
      { kind: 'missingJava', problem: 'missing', message: 'Java was not found. Install it.' },
      'Java was not found. Install it.',
    ],
    ['without a jar', { kind: 'badJar', problem: 'checksum', message: 'x.jar is damaged.' }, 'x.jar is damaged.'],
    ['when TLC fails', { kind: 'toolFailure', cause: 'killed', message: 'Java was killed.' }, 'Java was killed.'],
    ['out of memory', { kind: 'outOfMemory', message: 'Give it more memory.' }, 'Give it more memory.'],
  ])('%s', (_, outcome, reason) => {
    expect(judged(kept, outcome)).toEqual({ kind: 'couldNotTell', reason, outcome });
    expect(judged(broken, outcome)).toEqual({ kind: 'couldNotTell', reason, outcome });
  });
});
