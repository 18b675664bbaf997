import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadClaims } from '../../src/claims/index.ts';
import { run } from '../support/io.ts';
import { ownFolder } from '../support/spec.ts';
import { listedClaim, recordedNames, TRACES } from '../support/traces.ts';

let at: ReturnType<typeof ownFolder>;
let env: NodeJS.ProcessEnv;
beforeEach(() => {
  at = ownFolder();
  const { JAVA_HOME: _, ...rest } = process.env;
  env = { ...rest, PATH: at.path };
});
afterEach(() => at.remove());

const NO_JAVA = 'Java was not found. Install Java 11 or later and put it on the PATH, or set JAVA_HOME';

describe('without Java', () => {
  test('the main job replays every counterexample, and says what it left out and how to get it', async () => {
    const { exitCode, out, err } = await run([], { env });
    expect([exitCode, err]).toEqual([0, '']);
    const lines = out.split('\n');
    expect(lines[0]).toContain(`TLC is left out. ${NO_JAVA}`);
    expect(lines.filter((line) => line.includes('Java'))).toHaveLength(1);
    const main = loadClaims().filter(({ set }) => set === 'main');
    expect(lines[1]).toBe(`In its place the implementation's own search settles ${main.length} claims`);
    // As short as TLC's: these are the recorded lengths.
    expect(out).toMatch(/✓ fast-restart-loss +violated: CommittedSurvives, after 12 states/);
    expect([...out.matchAll(/^ {2}✓ (\S+) +(holds|violated): /gm)]).toHaveLength(main.length);
    const replayed = [...out.matchAll(/^ {2}✓ (\S+) +\d+ steps replayed on memory, all equal/gm)];
    expect(replayed.map(([, name]) => name)).toEqual(recordedNames);
    const mendable = recordedNames.filter((name) => listedClaim(name).mendedBy !== undefined);
    expect([...out.matchAll(/^ {4}✓ under \w+: caught up/gm)]).toHaveLength(mendable.length);
    expect(out).not.toContain('TLC accepts');
    expect(out).toContain('\n     B  leader     e2  ║          LEO 0  HW 0\n');
    expect(lines.at(-1)).toMatch(
      /^All as claimed: \d+ claims explored without TLC, \d+ counterexamples replayed, in \d+\.\d s\.$/,
    );
  });

  test('the main job says so in JSON', async () => {
    const { exitCode, out } = await run(['--json'], { env });
    expect(exitCode).toBe(0);
    const { replays, explored, ...rest } = JSON.parse(out);
    expect(explored.map((one: { exitCode: number }) => one.exitCode)).toEqual(explored.map(() => 0));
    expect(rest).toEqual({ version: 1, command: 'main', exitCode: 0, modelChecked: false, claims: [] });
    expect(replays.map(({ trace }: { trace: string }) => trace)).toEqual(recordedNames);
  });

  test('replay replays', async () => {
    const files = recordedNames.map((name) => join(TRACES, `${name}.itf.json`));
    const { exitCode, out, err } = await run(['replay', ...files], { env });
    expect([exitCode, err]).toEqual([0, '']);
    expect([...out.matchAll(/^✓ /gm)]).toHaveLength(recordedNames.length);
  });

  test('replay under another rule says that TLC was not asked', async () => {
    const argv = ['replay', join(TRACES, 'fast-restart-told.itf.json'), '--profile', 'Kip101'];
    const { exitCode, out } = await run(argv, { env });
    expect(exitCode).toBe(0);
    expect(out).toContain('; 3 steps put in; TLC was not asked, for there is no Java\n');
  });

  test('check and record cannot tell, and say how to get it', async () => {
    const folder = join(at.path, 'out');
    for (const argv of [['check'], ['check', 'fast-restart-told'], ['record', 'fast-restart-told', '--out', folder]]) {
      const { exitCode, out, err } = await run(argv, { env });
      expect([exitCode, out]).toEqual([2, '']);
      expect(err.startsWith(NO_JAVA)).toBe(true);
    }
    expect(existsSync(folder)).toBe(false);
  });

  test('doctor says what is missing, and what it is needed for', async () => {
    const { exitCode, out } = await run(['doctor'], { env });
    expect(exitCode).toBe(2);
    expect(out).toContain(`✗ Java       ${NO_JAVA}`);
    expect(out).toContain(
      '             needed for: the model check (check, record, and the first part of the main job)',
    );
    expect(out).toContain(
      '? Maven      was not found: install Maven 3.8 or later (mvn on the PATH).\n             needed for: Kafka',
    );
  });

  test('a JAVA_HOME that has none is no Java either', async () => {
    const { exitCode, err } = await run(['check', 'fast-restart-told'], { env: { ...env, JAVA_HOME: at.path } });
    expect(exitCode).toBe(2);
    expect(err).toContain('Java was not found.');
  });
});
