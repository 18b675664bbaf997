import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadClaims, pickClaims } from '../../src/claims/index.ts';
import { coverageOf, reachedBy, readBranches, readCoverage } from '../../src/specMutants/index.ts';
import { SPEC } from '../support/spec.ts';
import { describeWithTlc, PATIENCE_MS, quickJava } from '../support/tlc.ts';

const FILE = join(SPEC, 'coverage.json');
const coverage = readCoverage(readFileSync(FILE, 'utf8'), FILE);
const all = [...coverage.actions, ...coverage.branches];

describe('spec/coverage.json', () => {
  test('names for each action and branch a quick claim that reaches it', () => {
    const quick = loadClaims().flatMap(({ claim, set }) => (set === 'deep' ? [] : [claim]));
    expect(all.filter(({ claim }) => claim === undefined || !quick.includes(claim))).toEqual([]);
  });
});

describeWithTlc('coverage', () => {
  test(
    'has every action and branch of the specification: else run `npm run spec-coverage`',
    async () => {
      const now = coverageOf(SPEC, await readBranches(SPEC), coverage);
      expect(now).toEqual(coverage);
      expect([now.actions.length, now.branches.length]).toEqual([23, 187]);
    },
    PATIENCE_MS,
  );

  test(
    'of a told schedule is what its steps do, and nothing else',
    async () => {
      const branches = await readBranches(SPEC);
      const [claim] = pickClaims(loadClaims(), ['fast-restart-kip101'], () => false);
      const { actions, branches: reached } = await reachedBy({ claim: claim!, constants: {} }, branches, {
        env: quickJava,
      });
      expect([...actions].sort()).toEqual([
        ...['BecomeFollower', 'BecomeLeader', 'Crash', 'Elect', 'HandleFetch', 'HandleFetchResponse'],
        ...['HandleOffsetsForLeaderEpoch', 'HandleOffsetsForLeaderEpochResponse', 'Restart', 'SendFetch'],
        ...['SendOffsetsForLeaderEpoch', 'Write'],
      ]);
      const of = (definition: string): string[] =>
        [...branches].flatMap(([number, branch]) =>
          branch.definition === definition && reached.has(number) ? [`${branch.kind}: ${branch.when}`] : [],
        );
      // It asks instead of falling back to its high watermark, and its leader knows.
      expect(of('BecomeFollower')).toEqual(['else: ~StartsAnew(f, n)', 'then: Asks(f)']);
      expect(of('EndOffsetOnly')).toEqual(['case: asked = LatestEpoch(cache)']);
      expect(of('TruncationByOffset')).toEqual(['else: answer.endOffset = Undefined']);
    },
    PATIENCE_MS,
  );
});
