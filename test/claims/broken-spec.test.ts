import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type Claim, type ClaimResult, checkClaim, loadClaims } from '../../src/claims/index.ts';
import { emptyCache, ownFolder, specWith } from '../support/spec.ts';
import { describeWithTlc, PATIENCE_MS, quickJava } from '../support/tlc.ts';

const claims = loadClaims();
let at: ReturnType<typeof ownFolder>;
afterEach(() => at.remove());

function claim(name: string): Claim {
  return claims.find((one) => one.claim === name) as Claim;
}

/** Checks a claim against a copy of the specification in which one line is another. */
async function checkWith(name: string, file: string, before: string, after: string): Promise<ClaimResult> {
  at = ownFolder();
  const folder = specWith(at.path, file, before, after);
  return checkClaim(claim(name), { folder, env: { ...quickJava, LEADER_EPOCH_CACHE: emptyCache(at.path) } });
}

describeWithTlc('a claim is red', () => {
  test(
    'when a follower takes the offset of an epoch that it never had, as KIP-101 did',
    async () => {
      const { verdict, trace, kept } = await checkWith(
        'second-round',
        'LeaderEpoch.tla',
        '[] own.epoch # answer.epoch  -> [offset |-> Min(own.endOffset, Leo(f)), done |-> FALSE]',
        '[] own.epoch # answer.epoch  -> TruncationByOffset(f, answer)',
      );
      expect(verdict).toEqual({ kind: 'notAsClaimed', reasons: ['FollowerAgrees is violated, after 17 states'] });
      expect(kept).toBe(false);
      expect(trace?.meta).toMatchObject({ claim: 'second-round', property: 'FollowerAgrees', profile: 'Kafka_2_0_1' });
      expect(trace?.actions.at(-1)?.name).toBe('HandleOffsetsForLeaderEpochResponse');
    },
    PATIENCE_MS,
  );

  test(
    'when a leader names the epoch that was asked for, and not the one below that it had',
    async () => {
      const { verdict } = await checkWith(
        'fast-leader-change-kip279',
        'EpochCache.tla',
        'IN  Answer(floor[Len(floor)].epoch, Higher(cache, asked)[1].start)',
        'IN  Answer(asked, Higher(cache, asked)[1].start)',
      );
      expect(verdict).toEqual({ kind: 'notAsClaimed', reasons: ['FollowerAgrees is violated, after 11 states'] });
    },
    PATIENCE_MS,
  );

  test(
    'when the second round never comes, for then the told schedule does not come to its end',
    async () => {
      const { verdict } = await checkWith(
        'second-round',
        'LeaderEpoch.tla',
        '[] own.epoch # answer.epoch  -> [offset |-> Min(own.endOffset, Leo(f)), done |-> FALSE]',
        '[] own.epoch # answer.epoch  -> [offset |-> Min(own.endOffset, Leo(f)), done |-> TRUE]',
      );
      expect(verdict).toEqual({
        kind: 'notAsClaimed',
        reasons: [
          'it holds with 17 distinct states, not 23 as recorded',
          'it holds with 17 levels, not 23 as recorded',
          'no state was reached that shows SecondRound',
          'no state was reached that shows StoryEnds',
        ],
      });
    },
    PATIENCE_MS,
  );
});

describeWithTlc('a specification with an error', () => {
  test(
    'is no verdict, and told with module, line and column',
    async () => {
      const { verdict, trace } = await checkWith(
        'second-round',
        'LeaderEpoch.tla',
        'LET truncation == TruncationFor(f, Answer(m.epoch, m.endOffset))',
        'LET truncation == TruncationFor(f, Answr(m.epoch, m.endOffset))',
      );
      const lines = readFileSync(join(at.path, 'spec', 'LeaderEpoch.tla'), 'utf8').split('\n');
      const index = lines.findIndex((line) => line.includes('Answr'));
      const column = (lines[index] as string).indexOf('Answr') + 1;
      expect(verdict).toMatchObject({
        kind: 'couldNotTell',
        reason: `The specification has errors (LeaderEpoch.tla, line ${index + 1}, column ${column}): Unknown operator: \`Answr'.`,
      });
      expect(trace).toBeNull();
    },
    PATIENCE_MS,
  );
});
