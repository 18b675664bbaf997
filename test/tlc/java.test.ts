import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findJava } from '../../src/tlc/index.ts';
import { parseJavaVersion } from '../../src/tlc/java.ts';

describe('the text of java -version', () => {
  test.each([
    [
      'openjdk version "17.0.15" 2025-04-15\nOpenJDK Runtime Environment (build 17.0.15+6-Debian-1deb12u1)',
      17,
      '17.0.15',
    ],
    ['java version "1.8.0_392"\nJava(TM) SE Runtime Environment (build 1.8.0_392-b08)', 8, '1.8.0_392'],
    ['openjdk version "11" 2018-09-25', 11, '11'],
    ['openjdk version "21-ea" 2023-09-19', 21, '21-ea'],
    ['java version "21.0.1" 2023-10-17\nJava(TM) SE Runtime Environment Oracle GraalVM 21.0.1+12.1', 21, '21.0.1'],
    ['Picked up JAVA_TOOL_OPTIONS: -Dx="version "9""\nopenjdk version "11.0.22" 2024-01-16 LTS', 11, '11.0.22'],
    ['Picked up _JAVA_OPTIONS: -Xmx1g\r\njava version "12.0.2" 2019-07-16\r\n', 12, '12.0.2'],
    ['NOTE: Picked up JDK_JAVA_OPTIONS: -Xmx1g\nopenjdk 25.0.1 2025-10-21', 25, '25.0.1'],
  ])('%j', (text, major, version) => expect(parseJavaVersion(text)).toEqual({ major, version }));

  test.each(['', 'command not found', 'version "x"', 'Error: could not open jvm.cfg'])('%j is none', (text) =>
    expect(parseJavaVersion(text)).toBeNull(),
  );
});

describe.skipIf(process.platform === 'win32')('finding Java', () => {
  let folder: string;
  let bin: string;
  let fakes = 0;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'test java '));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** A Java that is this shell script, and the environment to find it in. */
  function fake(script: string): NodeJS.ProcessEnv {
    bin = join(folder, String(fakes++), 'bin');
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, 'java'), `#!/bin/sh\n${script}\n`);
    chmodSync(join(bin, 'java'), 0o755);
    return { PATH: bin };
  }

  test('takes the one of JAVA_HOME before the one on the PATH', async () => {
    fake(`echo 'openjdk version "21.0.2" 2024-01-16' >&2`);
    const found = await findJava({ env: { JAVA_HOME: dirname(bin), PATH: '/nowhere' } });
    expect(found).toEqual({ ok: true, java: { path: join(bin, 'java'), major: 21, version: '21.0.2' } });
  });

  test('goes on to the PATH when JAVA_HOME has none', async () => {
    const env = fake(`echo 'openjdk version "17.0.1" 2021-10-19' >&2`);
    const found = await findJava({ env: { ...env, JAVA_HOME: '/nowhere' } });
    expect(found).toMatchObject({ ok: true, java: { path: 'java', major: 17 } });
  });

  test('says how to install it, by system', async () => {
    const env = { PATH: folder };
    const message = async (platform: NodeJS.Platform) => {
      const found = await findJava({ env, platform });
      return found.ok ? '' : found.message;
    };
    const anywhere = 'Java was not found. Install Java 11 or later and put it on the PATH, or set JAVA_HOME';
    expect(await message('linux')).toBe(`${anywhere} (Debian, Ubuntu: apt install default-jre-headless).`);
    expect(await message('darwin')).toBe(`${anywhere} (Homebrew: brew install openjdk).`);
    expect(await message('win32')).toBe(`${anywhere}.`);
  });

  test('refuses one that is too old, for TLC or for this jar', async () => {
    const old = await findJava({ env: fake(`echo 'java version "1.8.0_392"' >&2`) });
    expect(old).toMatchObject({
      ok: false,
      problem: 'tooOld',
      message: expect.stringContaining('Java 1.8.0_392; TLC needs 11'),
    });
    const jar = await findJava({ env: fake(`echo 'openjdk version "17.0.2"' >&2`), minimumMajor: 21 });
    expect(jar).toMatchObject({ ok: false, problem: 'tooOld', message: expect.stringContaining('TLC needs 21') });
  });

  test('knows one that is broken, and the stub of macOS', async () => {
    const broken = await findJava({ env: fake(`echo 'Error: could not open jvm.cfg' >&2; exit 1`) });
    expect(broken).toMatchObject({
      ok: false,
      problem: 'broken',
      message: expect.stringContaining('could not open jvm.cfg'),
    });
    const stub = await findJava({
      env: fake(`echo 'The operation couldn’t be completed. Unable to locate a Java Runtime.' >&2; exit 1`),
    });
    expect(stub).toMatchObject({ ok: false, problem: 'missing' });
    const denied = fake('exit 0');
    chmodSync(join(bin, 'java'), 0o644);
    expect(await findJava({ env: denied })).toMatchObject({ ok: false, problem: 'broken' });
  });
});
