import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { type Claim, type ClaimResult, checkClaim, loadClaims } from '../../src/claims/index.ts';
import { type Ran, run } from '../support/io.ts';
import { ROOT, SPEC } from '../support/spec.ts';
import { describeWithTlc, inTurn, PATIENCE_MS, quickJava } from '../support/tlc.ts';

interface Listed {
  readonly claim: string;
  readonly set: string;
  readonly verdict: string;
  readonly counts: { readonly states?: number; readonly length?: number };
  readonly mendedBy?: string;
}
/** Read here once more, without the program that is tested. */
const { claims: listed } = JSON.parse(readFileSync(join(SPEC, 'claims.json'), 'utf8')) as { claims: Listed[] };
const MAIN = listed.filter(({ set }) => set === 'main').map(({ claim }) => claim);
const TRACES = readdirSync(join(ROOT, 'traces'))
  .flatMap((name) => /^(.*)\.itf\.json$/.exec(name)?.[1] ?? [])
  .sort();

/** Those of the main job; in `npm run test:claims` all but those that take TLC most of a minute. */
const settled = listed.filter(({ set, verdict, counts }) =>
  process.env.LEADER_EPOCH_ALL === '1'
    ? set !== 'deep' && (verdict === 'violated' || (counts.states ?? 0) < 100_000)
    : set === 'main',
);

describeWithTlc('what is claimed', () => {
  const results = new Map<string, Promise<ClaimResult>>();
  beforeAll(() => {
    for (const { claim: name } of settled) {
      const claim = loadClaims().find((one) => one.claim === name) as Claim;
      results.set(
        name,
        inTurn(() => checkClaim(claim, { fresh: true, env: quickJava })),
      );
    }
  });

  test('is most of it settled here', () => {
    expect(MAIN.length).toBeGreaterThan(10);
    expect(settled.length).toBeGreaterThan(10);
    expect(settled.map(({ claim }) => claim)).toEqual(expect.arrayContaining(MAIN));
  });

  test.each(settled)(
    '$claim comes out as claimed: $verdict',
    async ({ claim, counts }) => {
      const result = (await results.get(claim)) as ClaimResult;
      expect(result.verdict).toEqual({ kind: 'asClaimed' });
      expect(result.kept).toBe(false);
      if (counts.length !== undefined) expect(result.trace?.states.length).toBe(counts.length);

      const mc = readFileSync(join(SPEC, 'MC.tla'), 'utf8');
      const next = mc.slice(mc.indexOf('\nNext ==\n'), mc.indexOf('(***', mc.indexOf('\nNext ==\n')));
      const names = [...next.matchAll(/(?:: | {4}\\\/ )(\w+)(?:\(.*\))?$/gm)].map(([, name]) => name);
      expect(names).toHaveLength(23);
      for (const action of result.trace?.actions.slice(1) ?? []) expect(names).toContain(action?.name);
    },
    PATIENCE_MS,
  );

  // The claims were settled just now, so nobody waits for TLC again but for the mended runs.
  test(
    'is told by the main job, with how Kafka lost a record',
    async () => {
      await Promise.all(results.values());
      const { exitCode, out, err } = await run([], { env: quickJava });
      expect(err).toBe('');
      expect(exitCode).toBe(0);
      expect(out).not.toContain('\u001b');
      expectClaims(out);
      expectReplays(out);
      expectStory(out);
      expect(out.slice(out.lastIndexOf('\n') + 1)).toMatch(
        /^All as claimed: \d+ claims checked, \d+ counterexamples replayed, in \d+\.\d s\.$/,
      );
      expect(out).toContain(`${MAIN.length} claims checked, ${TRACES.length} counterexamples replayed`);
    },
    PATIENCE_MS,
  );

  test(
    'is told by the main job as JSON too',
    async () => {
      await Promise.all(results.values());
      const { exitCode, out, err } = await run(['--json'], { env: quickJava });
      expect(err).toBe('');
      expect(exitCode).toBe(0);
      const { claims, replays, ...rest } = JSON.parse(out);
      expect(rest).toEqual({ version: 1, command: 'main', exitCode: 0, modelChecked: true });
      expect(claims.map(({ claim }: { claim: string }) => claim)).toEqual(MAIN);
      expect(claims[0]).toMatchObject({
        claim: 'fast-restart-loss',
        claimed: 'violated',
        property: ['CommittedSurvives'],
        verdict: 'asClaimed',
        counterexampleStates: 12,
        kept: true,
      });
      expect(replays.map(({ trace }: { trace: string }) => trace)).toEqual(TRACES);
      expect(replays[TRACES.indexOf('fast-restart-told')]).toEqual({
        trace: 'fast-restart-told',
        replay: 'conforms',
        broken: 'm1, committed at offset 0, is not in the log of the leader B',
        mendedBy: 'Kip101',
        mended: 'caughtUp',
        tlc: 'accepted',
      });
    },
    PATIENCE_MS,
  );

  test(
    'is listed by check, a line for each claim',
    async () => {
      await Promise.all(results.values());
      const { exitCode, out, err }: Ran = await run(['check', 'fast-restart-loss', 'second-round'], { env: quickJava });
      expect([exitCode, err]).toEqual([0, '']);
      expect(out.split('\n')).toHaveLength(3);
      expect(out).toMatch(/^ {2}✓ fast-restart-loss +violated: CommittedSurvives, after 12 states +kept$/m);
      expect(out).toMatch(/^ {2}✓ second-round +holds: 23 states +kept$/m);
      expect(out).toMatch(/^2 of 2 claims as claimed, in \d+\.\d s\.$/m);
    },
    PATIENCE_MS,
  );
});

function expectClaims(out: string): void {
  expect(out.startsWith(`TLC settles ${MAIN.length} claims\n`)).toBe(true);
  const lines = out.split('\n').filter((line) => line.endsWith(' kept'));
  expect(lines.map((line) => line.split(/\s+/)[2]).sort()).toEqual([...MAIN].sort());
  for (const line of lines)
    expect(line).toMatch(/^ {2}✓ [a-z0-9-]+ +(violated: \w+, after \d+|holds: [\d,]+) states +kept$/);
}

function expectReplays(out: string): void {
  const replayed = [
    ...out.matchAll(/^ {2}✓ (\S+) +(\d+) steps replayed on memory, all equal up to the last state, \2$/gm),
  ];
  expect(replayed.map(([, name]) => name)).toEqual(TRACES);
  const mended = [...out.matchAll(/^ {4}✓ under (\w+): caught up; (.*)$/gm)];
  const mendable = listed.filter(({ mendedBy }) => mendedBy !== undefined);
  expect(mended).toHaveLength(mendable.length);
  // TLC is asked about those of the main set.
  const accepted = mended.filter(([, , what]) => what?.endsWith('; TLC accepts the run'));
  expect(accepted).toHaveLength(mendable.filter(({ set }) => set === 'main').length);
}

/** Both logs with HW and LEO, what the client was told, and where its record went. */
function expectStory(out: string): void {
  const story = out.slice(out.indexOf('Data loss on fast restart, as told by KIP-101'));
  expect(story).toContain(
    '\n     A  leader     e1  │ m1·e1✓║  LEO 1  HW 1\n     B  follower   e1  ║ m1·e1✓│  LEO 1  HW 0\n',
  );
  expect(story).toContain(
    '\n     A  leader     e1  │ m1·e1✓║  LEO 1  HW 1\n     B  follower   e1  ║-m1·e1✓┊  LEO 0  HW 0\n',
  );
  expect(story).toContain(
    '\n     A  down           │ m1·e1✓│  LEO 1  HW – (disk 1)\n     B  leader     e2  ║          LEO 0  HW 0\n',
  );
  expect(story).toContain('\n                         ✗ B does not have m1\n');

  const words = story.replaceAll(/\s+/g, ' ');
  expect(words).toContain('m1 is committed, and its producer is told that it is stored.');
  expect(words).toContain(
    ' 9 B hears that A leads in epoch e1. Asking nobody, it cuts its log to its own high watermark, 0.',
  );
  expect(words).toContain('CommittedSurvives is broken: m1 was committed at offset 0');
  expect(words).toContain('B lost it in step 9. Only A still has it, and is down.');
}
