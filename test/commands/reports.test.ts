/** What other programs read: JSON by its schema, JUnit XML, errors too. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Claim, ClaimResult } from '../../src/claims/index.ts';
import { loadClaims } from '../../src/claims/index.ts';
import { junitCases } from '../../src/commands/check.ts';
import { junitXml } from '../../src/commands/junit.ts';
import { Output, outputSchema } from '../../src/commands/schema.ts';
import { run } from '../support/io.ts';
import { ownFolder, ROOT } from '../support/spec.ts';
import { describeWithTlc } from '../support/tlc.ts';

const SCHEMA = fileURLToPath(new URL('../../docs/output.schema.json', import.meta.url));

let at: ReturnType<typeof ownFolder>;
beforeEach(() => {
  at = ownFolder();
});
afterEach(() => at.remove());

describe('--json', () => {
  test('has the schema that is in docs/ (made anew: UPDATE=1)', async () => {
    const text = `${JSON.stringify(outputSchema(), null, 2)}\n`;
    if (process.env.UPDATE) (await import('node:fs')).writeFileSync(SCHEMA, text);
    expect(readFileSync(SCHEMA, 'utf8')).toBe(text);
  });

  test.each<[argv: string[], command: string, error: RegExp]>([
    [['check', 'no-such-claim', '--json'], 'check', /^There is no claim "no-such-claim"\./],
    [['check', '--jobs', 'many', '--json'], 'check', /Expected a number from 1 on\./],
    [['--json', 'replay'], 'replay', /missing required argument/],
    [['nonsense', '--json'], 'nonsense', /^There is no command "nonsense"\./],
  ])('of %j is an object that says what was wrong', async (argv, command, error) => {
    const { exitCode, out, err } = await run(argv);
    expect(exitCode).toBe(2);
    expect(err).not.toBe('');
    expect(Output.parse(JSON.parse(out))).toEqual({
      version: 1,
      command,
      exitCode: 2,
      error: expect.stringMatching(error),
    });
  });

  test.each([['claims'], ['doctor'], ['replay', join(ROOT, 'traces/fast-restart-told.itf.json')]])(
    'of %s fits the schema',
    async (command, ...more) => {
      const { out } = await run([command, ...more, '--json']);
      const document = JSON.parse(out);
      expect(Output.parse(document)).toEqual(document);
      expect(document).toMatchObject({ version: 1, command });
    },
  );

  test.each([
    [{ command: 'replay', results: [{ file: 1, exitCode: 0 }] }],
    [{ command: 'tlc', results: [{ spec: 'A.tla', outcome: { kind: 'nonsense' } }] }],
    [{ command: 'check', results: 'all' }],
    [{ command: 'doctor' }],
  ])('something else does not: %j', (document) => {
    expect(Output.safeParse({ version: 1, exitCode: 0, ...document }).success).toBe(false);
  });
});

describe('names', () => {
  test.each([
    ['fast-restart-los', 'Did you mean "fast-restart-loss"'],
    ['kip320-claen', '"kip320-clean"'],
    ['zebra', ''],
    ['no-such-thing', ''],
  ])('%s: only near ones are proposed', async (name, expected) => {
    const { err } = await run(['check', name]);
    expect(err).toContain(expected);
    if (expected === '') expect(err).toBe(`There is no claim "${name}". \`leader-epoch claims\` lists them all.`);
  });
});

describe('JUnit XML', () => {
  const [first, second, third] = loadClaims() as [Claim, Claim, Claim];
  const result = (claim: Claim, verdict: ClaimResult['verdict'], kept = false): ClaimResult => ({
    claim,
    verdict,
    trace: null,
    statistics: { generated: 1, distinct: 1, queueLeft: 0, depth: 1, initial: 1 },
    durationMs: 1234,
    kept,
  });

  test('a case for each claim: as claimed, not as claimed, not checked', () => {
    const results = [
      result(first, { kind: 'asClaimed' }),
      result(second, { kind: 'notAsClaimed', reasons: ['1 < 2 & "3"', '\u0000'] }),
    ];
    const xml = junitXml('claims', junitCases(results, [first, second, third]));
    expect(xml).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="leader-epoch" tests="3" failures="1" errors="1" time="2.468">
  <testsuite name="claims" tests="3" failures="1" errors="1" time="2.468">
    <testcase classname="claims" name="${first.claim}" time="1.234"/>
    <testcase classname="claims" name="${second.claim}" time="1.234">
      <failure message="1 &#60; 2 &#38; &#34;3&#34;; ?"/>
    </testcase>
    <testcase classname="claims" name="${third.claim}" time="0.000">
      <error message="not checked: the run was stopped"/>
    </testcase>
  </testsuite>
</testsuites>
`);
  });
});

describeWithTlc('check', () => {
  test('writes both', async () => {
    const junit = join(at.path, 'junit.xml');
    const { exitCode, out } = await run(['check', 'fast-restart-told', '--json', '--junit', junit]);
    expect(exitCode).toBe(0);
    expect(Output.parse(JSON.parse(out))).toMatchObject({
      command: 'check',
      results: [{ claim: 'fast-restart-told' }],
    });
    expect(readFileSync(junit, 'utf8')).toContain('<testcase classname="claims" name="fast-restart-told"');
    const nowhere = await run(['check', 'fast-restart-told', '--junit', join(at.path, 'no', 'junit.xml')]);
    expect([nowhere.exitCode, nowhere.err]).toEqual([
      2,
      expect.stringMatching(/cannot be written \(ENOENT\): choose another place\.$/),
    ]);
  });

  test('the main job with a jar that is damaged still replays, and says what is left out', async () => {
    const env = { ...process.env, TLA2TOOLS_JAR: SCHEMA };
    const { exitCode, out } = await run([], { env });
    expect(exitCode).toBe(2);
    expect(out).toContain(`TLC is left out. TLA2TOOLS_JAR is ${SCHEMA}, which is no jar`);
    expect(out).toMatch(/✓ fast-restart-told/);
  });
});
