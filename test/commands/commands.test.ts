import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { run } from '../support/io.ts';
import { ownFolder, ROOT, SPEC } from '../support/spec.ts';
import { describeWithTlc, PATIENCE_MS, quickJava, realJar } from '../support/tlc.ts';
import { recordedNames, TRACES } from '../support/traces.ts';

const told = join(TRACES, 'fast-restart-told.itf.json');
const everyTrace = recordedNames.map((name) => join(TRACES, `${name}.itf.json`));
const ESCAPE = '\u001b';

describe('claims', () => {
  test('lists what is claimed, by which rule, within which bound', async () => {
    const { exitCode, out, err } = await run(['claims']);
    expect([exitCode, err]).toEqual([0, '']);
    expect(out).toContain(
      [
        'fast-restart-loss (main): Data loss on fast restart',
        '    Kafka_0_10_2: CommittedSurvives is violated, after 12 states',
        '    2 replicas, 2 records, 1 election, 1 crash; clean elections only',
      ].join('\n'),
    );
    expect(out).toContain('    Kip320: CommittedSurvives, AckedSurvives, FollowerAgrees, NoDivergence, ');
    expect(out).not.toContain(ESCAPE);
  });

  test('as JSON are those of spec/claims.json', async () => {
    const { exitCode, out } = await run(['claims', '--json']);
    expect(exitCode).toBe(0);
    const { claims } = JSON.parse(readFileSync(join(SPEC, 'claims.json'), 'utf8'));
    const { runs } = JSON.parse(readFileSync(join(SPEC, 'beyond.json'), 'utf8'));
    expect(JSON.parse(out)).toEqual({ version: 1, command: 'claims', exitCode: 0, claims, beyond: runs });
  });
});

describe('replay', () => {
  test('of every recorded trace ends well, with a line each', async () => {
    const { exitCode, out, err } = await run(['replay', ...everyTrace]);
    expect([exitCode, err]).toEqual([0, '']);
    const lines = [...out.matchAll(/^✓ (\S+) +(\d+) steps replayed on memory, all equal up to the last state, \2$/gm)];
    expect(lines.map(([, name]) => name)).toEqual(recordedNames);
    expect(out).not.toContain(ESCAPE);
  });

  test('says what breaks', async () => {
    expect((await run(['replay', told])).out.split('\n')).toEqual([
      '✓ fast-restart-told            12 steps replayed on memory, all equal up to the last state, 12',
      '    CommittedSurvives: m1, committed at offset 0, is not in the log of the leader B',
    ]);
  });

  test('as JSON', async () => {
    const { exitCode, out, err } = await run(['--json', 'replay', told]);
    expect([exitCode, err]).toEqual([0, '']);
    expect(JSON.parse(out)).toEqual({
      version: 1,
      command: 'replay',
      exitCode: 0,
      results: [
        {
          file: told,
          exitCode: 0,
          replay: {
            kind: 'conforms',
            system: 'memory',
            steps: 12,
            lastIndex: 12,
            stuttering: [],
            notObservable: [],
            broken: 'm1, committed at offset 0, is not in the log of the leader B',
          },
        },
      ],
    });
  });

  test('tells the story of each step when asked', async () => {
    const { exitCode, out } = await run(['replay', told, '--story']);
    expect(exitCode).toBe(0);
    expect(out).toContain('\n     B  follower   e1  ║-m1·e1✓┊  LEO 0  HW 0\n');
    expect(out).not.toContain(ESCAPE);
  });

  test('has colours on a terminal, unless NO_COLOR is set', async () => {
    const coloured = await run(['replay', told, '--story'], { isTerminal: true });
    expect(coloured.out).toContain(ESCAPE);
    const env = { ...process.env, NO_COLOR: '1' };
    expect((await run(['replay', told, '--story'], { isTerminal: true, env })).out).not.toContain(ESCAPE);
  });
});

test('help shows each command, an example and the exit codes', async () => {
  const { exitCode, out, err } = await run(['--help']);
  expect([exitCode, err]).toEqual([0, '']);
  for (const word of ['check', 'replay', 'record', 'claims', 'doctor', '--json', '0 as claimed, 1 not as claimed']) {
    expect(out).toContain(word);
  }
  const check = await run(['check', '--help']);
  expect(check.exitCode).toBe(0);
  expect(check.out).toContain('leader-epoch check fast-restart-loss kip320-clean');
});

describeWithTlc('with Java', () => {
  const env = quickJava;
  let at: ReturnType<typeof ownFolder>;
  beforeEach(() => {
    at = ownFolder();
  });
  afterEach(() => at.remove());

  test('doctor finds all that is needed', async () => {
    const { exitCode, out, err } = await run(['doctor']);
    expect([exitCode, err]).toEqual([0, '']);
    const lines = out.split('\n').filter((line) => !line.startsWith('   '));
    expect(lines).toEqual([
      expect.stringMatching(/^✓ Node\.js {4}v\d+\.\d+\.\d+$/),
      expect.stringMatching(/^✓ Java {7}\S+ \(.*java.*\)$/),
      expect.stringMatching(/^✓ tla2tools {2}\S.* \((cache|environment), sha256 [0-9a-f]{12}…\)$/),
      expect.stringMatching(/^✓ javac {6}\d|^\? javac {6}was not found: install a JDK 17 or later/),
      expect.stringMatching(/^✓ Maven {6}\d|^\? Maven {6}was not found: install Maven 3\.8 or later/),
    ]);
  });

  test('doctor as JSON', async () => {
    const { exitCode, out } = await run(['doctor', '--json']);
    expect(exitCode).toBe(0);
    const { findings, ...rest } = JSON.parse(out);
    expect(rest).toEqual({ version: 1, command: 'doctor', exitCode: 0 });
    const required = findings.filter(({ optional }: { optional: boolean }) => !optional);
    expect(required.map(({ what, ok }: { what: string; ok: boolean }) => [what, ok])).toEqual([
      ['Node.js', true],
      ['Java', true],
      ['tla2tools', true],
    ]);
    expect(findings[2].detail).toContain(realJar?.path);
  });

  test(
    'check settles a claim anew, and says so as JSON',
    async () => {
      const { exitCode, out, err } = await run(['check', 'FastRestartTold', '--fresh', '--json', '--jobs', '1'], {
        env,
      });
      expect([exitCode, err]).toEqual([0, '']);
      const { results, ...rest } = JSON.parse(out);
      expect(rest).toEqual({ version: 1, command: 'check', exitCode: 0 });
      expect(results).toEqual([
        {
          claim: 'fast-restart-told',
          claimed: 'violated',
          property: ['CommittedSurvives'],
          verdict: 'asClaimed',
          counterexampleStates: 13,
          statistics: expect.objectContaining({ distinct: 13, depth: 13 }),
          durationMs: expect.any(Number),
          kept: false,
        },
      ]);
    },
    PATIENCE_MS,
  );

  test(
    'record makes the recorded files anew, byte for byte',
    async () => {
      const out = join(at.path, 'not', 'there yet');
      const ran = await run(['record', 'fast-restart-told', 'counts-diverging', '--out', out], { env });
      expect([ran.exitCode, ran.err]).toEqual([0, '']);
      expect(ran.out).toContain(`Recorded 2 counterexamples in ${out}.`);
      const names = [
        'counts-diverging.itf.json',
        'counts-diverging.md',
        'fast-restart-told.itf.json',
        'fast-restart-told.md',
      ];
      expect(readdirSync(out).sort()).toEqual(names);
      for (const name of names) {
        expect(readFileSync(join(out, name), 'utf8'), name).toBe(readFileSync(join(TRACES, name), 'utf8'));
      }
    },
    PATIENCE_MS,
  );

  test(
    'record as JSON names the files',
    async () => {
      const ran = await run(['record', 'fast-restart-told', '--json', '--out', at.path], { env });
      expect([ran.exitCode, ran.err]).toEqual([0, '']);
      const files = ['fast-restart-told.itf.json', 'fast-restart-told.md'].map((name) => join(at.path, name));
      expect(JSON.parse(ran.out)).toEqual({ version: 1, command: 'record', exitCode: 0, files });
    },
    PATIENCE_MS,
  );

  test(
    'replay under the rule that mends it shows the run, the record read back, and what TLC says of it',
    async () => {
      const { exitCode, out, err } = await run(['replay', told, '--profile', 'Kip101'], { env });
      expect([exitCode, err]).toEqual([0, '']);
      const lines = out.split('\n');
      expect(lines[2]).toBe('  ✓ under Kip101: caught up; m1 read back from B; 3 steps put in; TLC accepts the run');
      expect(lines.slice(3, 6)).toEqual(['      1 Write(A, all)', '      2 SendFetch(B)', '      3 HandleFetch(A, B)']);
      expect(lines).toContain('     10 SendOffsetsForLeaderEpoch(B)  (put in: this rule asks first)');
      expect(lines.at(-1)).toBe('     23 ExpandIsr(B, A)  (catching up)');
    },
    PATIENCE_MS,
  );

  test(
    'replay under another rule as JSON',
    async () => {
      const { exitCode, out } = await run(['replay', told, '--profile', 'Kip101', '--json'], { env });
      expect(exitCode).toBe(0);
      expect(JSON.parse(out).results[0].mended).toEqual({
        kind: 'caughtUp',
        profile: 'Kip101',
        acked: [1],
        leader: 'B',
        readBack: [1],
        broken: null,
        leftOut: [],
        steps: 23,
        tlc: 'accepted',
      });
    },
    PATIENCE_MS,
  );

  test('replay under the rule that lost it is not as claimed', async () => {
    const { exitCode, out } = await run(['replay', told, '--profile', 'Kafka_0_10_2'], { env });
    expect(exitCode).toBe(1);
    expect(out).toContain('  ✗ under Kafka_0_10_2: it does not end: no step leads further');
  });
});

test('the program itself says what the command line says', async () => {
  const { runProgram } = await import('../support/project.ts');
  const ran = await runProgram(ROOT, ['replay', 'traces/fast-restart-told.itf.json', 'traces/nothing.itf.json']);
  expect(ran).toEqual({
    exitCode: 2,
    out: [
      '✓ fast-restart-told            12 steps replayed on memory, all equal up to the last state, 12',
      '    CommittedSurvives: m1, committed at offset 0, is not in the log of the leader B',
    ].join('\n'),
    err: 'There is no trace traces/nothing.itf.json. The recorded ones are in traces/*.itf.json.',
  });
});
