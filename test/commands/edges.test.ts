import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { run } from '../support/io.ts';
import { ROOT } from '../support/spec.ts';

const own = mkdtempSync(join(tmpdir(), 'leader-epoch-test-'));
afterAll(() => rmSync(own, { recursive: true, force: true }));

const bin = join(ROOT, 'bin', 'leader-epoch.js');
const noJava = { PATH: own };

/** A copy of a recorded trace with something changed. */
function changed(
  change: (itf: { '#meta': Record<string, unknown>; states: Record<string, unknown>[] }) => void,
): string {
  const itf = JSON.parse(readFileSync(join(ROOT, 'traces', 'fast-restart-told.itf.json'), 'utf8'));
  change(itf);
  const file = join(own, 'changed.itf.json');
  writeFileSync(file, JSON.stringify(itf));
  return file;
}

describe('the program', () => {
  test('runs from any folder', () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [bin, '--version'], { cwd: own, encoding: 'utf8' });
    expect([status, stdout.trim()]).toEqual([0, '0.1.0']);
    expect(stderr).not.toContain('Error');
  });

  test('keeps its exit code when its reader has seen enough', () => {
    const command = `"${process.execPath}" "${bin}" replay nowhere.itf.json traces/*.itf.json | head -1; exit \${PIPESTATUS[0]}`;
    const { status, stderr } = spawnSync('bash', ['-c', command], { cwd: ROOT, encoding: 'utf8' });
    expect(status).toBe(2);
    expect(stderr).toContain('There is no trace nowhere.itf.json.');
    expect(stderr).not.toContain('EPIPE');
  });

  test('keeps its exit code when nobody reads its errors', () => {
    const command = `"${process.execPath}" "${bin}" check no-such-claim 2>&1 >/dev/null | true; exit \${PIPESTATUS[0]}`;
    expect(spawnSync('bash', ['-c', command], { cwd: ROOT }).status).toBe(2);
  });

  // Linux has a device that is always full.
  test.runIf(existsSync('/dev/full'))('says that its output was lost, and gives no verdict', () => {
    const command = `"${process.execPath}" "${bin}" claims > /dev/full`;
    const { status, stderr } = spawnSync('bash', ['-c', command], { cwd: ROOT, encoding: 'utf8' });
    expect([status, stderr]).toEqual([2, 'Standard output cannot be written (ENOSPC): the exit code is no verdict.\n']);
  });
});

describe('a trace', () => {
  test('with a value of a wrong type is told with its state and variable', async () => {
    const file = changed(({ states }) => {
      (states[5] as Record<string, unknown>).hw = 'x';
    });
    const { exitCode, err } = await run(['replay', file]);
    expect(exitCode).toBe(2);
    expect(err).toBe(
      `${file}: State 5 has a value of a wrong type: hw: expected a function, found {"kind":"string","value":"x"}. Record the trace anew.`,
    );
  });

  test('whose acknowledged record is gone in the end is not kept by a property that says nothing of it', async () => {
    const file = changed((itf) => {
      delete itf['#meta'].property;
    });
    const { exitCode, out } = await run(['replay', file, '--profile', 'OwnHighWatermark'], { env: noJava });
    expect(exitCode).toBe(1);
    expect(out).toContain('m1 acknowledged, and LOST');
    expect(out).not.toContain('power');
  });
});

describe('a story', () => {
  test('that a damaged state keeps from being told is no mistake of the program', async () => {
    const file = changed(({ states }) => {
      delete (states[9] as { remoteLeo: Record<string, unknown> }).remoteLeo.A;
    });
    const { exitCode, out, err } = await run(['replay', file, '--story']);
    expect(exitCode).toBe(1);
    expect(out).toContain('differs at state 9, after BecomeFollower(B, 1)');
    expect(err).toBe(
      `${file}: its story cannot be told: state 9 is not a state of spec/LeaderEpoch.tla: expected remoteLeo["A"], found nothing.`,
    );
  });
});

test('a property is none because every object of JavaScript has one of that name', async () => {
  const file = changed((itf) => {
    itf['#meta'].property = 'constructor';
  });
  expect(await run(['replay', file])).toMatchObject({ exitCode: 0, out: expect.not.stringContaining('constructor') });
  const { exitCode, err } = await run(['shrink', file]);
  expect([exitCode, err]).toEqual([
    2,
    expect.stringContaining(' does not say which property it breaks (#meta, property). There are CommittedSurvives, '),
  ]);
});

describe('what Ctrl-C has kept from being run', () => {
  const stopped = { signal: AbortSignal.abort() };

  test('is no promise that is kept', async () => {
    const { exitCode, out, err } = await run(['simulate', '--runs', '50'], stopped);
    expect([exitCode, err]).toEqual([2, 'Stopped after 0 of 50 runs: of the others nothing is known.']);
    expect(out).toMatch(/^\? 0 runs under Kip320: /);
  });

  test('is no trace that conforms', async () => {
    const { exitCode, out } = await run(['replay', changed(() => {})], stopped);
    expect([exitCode, out]).toEqual([2, '']);
  });
});

test.each(['', '.', '..', '../elsewhere', 'a b', 'ä', 'x'.repeat(250)])(
  'no topic of Kafka is called "%s"',
  async (name) => {
    const { exitCode, err } = await run(['cluster', '--topic', name], { signal: AbortSignal.abort() });
    expect([exitCode, err]).toEqual([2, expect.stringContaining('Expected 1 to 249 of the letters a-z, A-Z, 0-9, ')]);
  },
);

// Elsewhere the cache of TypeScript's compiler would make the folder.
test.runIf(process.platform === 'linux')('a temporary folder that cannot be made is no mistake of the program', () => {
  const env = { ...process.env, TMPDIR: '/proc/leader-epoch' };
  const argv = [bin, 'cluster', '--port', '0'];
  const { status, stderr } = spawnSync(process.execPath, argv, { cwd: ROOT, encoding: 'utf8', env, timeout: 60_000 });
  expect([status, stderr]).toEqual([
    2,
    'No temporary folder can be made in /proc/leader-epoch (ENOENT): set TMPDIR to a folder that takes files.\n',
  ]);
});

describe('kafka', () => {
  test('knows the releases whose classes can be driven', async () => {
    const { exitCode, err } = await run(['kafka', '--release', '9.9']);
    expect(exitCode).toBe(2);
    expect(err).toBe(
      'There is no profile for Kafka "9.9". There are 1.1.1+0.10.2, 0.11.0.3, 1.1.0, 1.1.1, 2.0.0, 2.0.1+1.1, 2.0.1, 2.8.0, 2.8.2, 3.4.0, 3.9.1, 4.4.0.',
    );
  });

  test('knows the releases whose brokers can be run', async () => {
    const { exitCode, err } = await run(['kafka', '--brokers', '--release', '2.0.1', '9.9']);
    expect(exitCode).toBe(2);
    expect(err).toContain('There is no profile for Kafka "9.9". There are 0.10.2.2, ');
  });

  test('says what to install for brokers where there is no Java', async () => {
    const { exitCode, err } = await run(['kafka', '--brokers', '--release', '2.0.1'], { env: noJava });
    expect(exitCode).toBe(2);
    expect(err).toBe('Java was not found, or does not run. Install Java 17 or later (PATH or JAVA_HOME).');
  });

  test('has nothing to run for a claim that holds', async () => {
    const { exitCode, err } = await run(['kafka', '--claim', 'kip320-clean']);
    expect([exitCode, err]).toEqual([
      2,
      'No counterexample is recorded for kip320-clean. `leader-epoch claims` says which claims are violated.',
    ]);
  });

  test('says what to install where there is no Java', async () => {
    const { exitCode, err } = await run(['kafka', '--release', '2.0.1'], { env: noJava });
    expect(exitCode).toBe(2);
    expect(err).toBe('Java was not found, or does not run. Install a JDK 17 or later (PATH or JAVA_HOME).');
  });
});
