import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run } from '../support/io.ts';
import { realJar } from '../support/tlc.ts';
import { fakeProcess } from '../systems/fakeProcess.ts';

describe('leader-epoch fuzz', () => {
  it('holds a system against random schedules, the same ones for the same seed', async () => {
    const argv = [
      'fuzz',
      'disk',
      '--profile',
      'Kafka_2_0_1',
      '--steps',
      '120',
      '--length',
      '60',
      '--seed',
      '5',
      '--json',
    ];
    const [{ exitCode, out }, again] = [await run(argv), await run(argv)];
    const [result] = JSON.parse(out).results;
    expect(exitCode).toBe(0);
    expect(result).toMatchObject({ system: 'disk', profile: 'Kafka_2_0_1' });
    expect(result.schedules.map(({ seed, seen }: { seed: number; seen: string }) => [seed, seen])).toEqual([
      [5, 'conforms'],
      [6, 'conforms'],
    ]);
    expect(JSON.parse(again.out).results[0].schedules).toEqual(result.schedules);
  });

  it('says where a system goes another way, and keeps the schedule', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'leader-epoch-fuzz-'));
    const fake = await fakeProcess(`
      if (request.action !== 'SendFetch') return false;
      say({ kind: 'refused', reason: 'it is tired' });
      return true;`);
    const argv = ['fuzz', `process:node ${fake.path}`, '--profile', 'Kip320', '--steps', '1', '--out', folder];
    const { exitCode, out } = await run(argv);
    const kept = await readdir(folder);
    await Promise.all([rm(folder, { recursive: true }), fake.remove()]);
    expect({ exitCode, out }).toMatchObject({
      exitCode: 1,
      out: expect.stringMatching(/seed 1: step \d+, SendFetch\(.\), is refused: it is tired/),
    });
    expect(kept).toHaveLength(1);
  });

  it.skipIf(process.platform === 'win32' || realJar === null)(
    'cannot tell where TLC could not, and says why in a line',
    async () => {
      const home = await mkdtemp(join(tmpdir(), 'leader-epoch-java-'));
      await mkdir(join(home, 'bin'));
      const java = `#!/bin/sh
[ "$1" = -version ] && { echo 'openjdk version "17.0.1"' >&2; exit 0; }
echo 'Error: Could not reserve enough space'
exit 1
`;
      await writeFile(join(home, 'bin', 'java'), java, { mode: 0o755 });
      const argv = ['fuzz', 'memory', '--profile', 'Kip320', '--steps', '5', '--length', '5', '--seed', '7', '--tlc'];
      const { exitCode, out } = await run(argv, { env: { ...process.env, JAVA_HOME: home } });
      await rm(home, { recursive: true });
      expect(out).toMatch(/^ +\? memory as Kip320: \d+ steps in 1 schedule, all equal; TLC follows all but 1, /m);
      expect(out).toMatch(/^ +seed 7: TLC does not follow it: .*Could not reserve enough space/m);
      expect(out).not.toContain('{');
      expect(exitCode).toBe(2);
    },
  );

  it.each([
    [['fuzz', 'disk'], 'Say with --profile what disk should be like.'],
    [['fuzz', 'dsk'], 'There is no system "dsk". There are memory, disk, tcp, '],
    [['fuzz', 'kafka-classes@9.9'], 'There is no release "9.9" of Kafka\'s classes here. There are 0.11.0.3, '],
    [['fuzz', 'kafka@9.9'], 'There are no brokers of "9.9" here. There are those of 0.10.2.2, '],
    [['fuzz', 'disk', '--profile', 'Kafka_9'], 'There is no profile "Kafka_9"'],
  ])('%j is refused', async (argv, message) => {
    const { exitCode, err } = await run(argv);
    expect({ exitCode, err }).toMatchObject({ exitCode: 2, err: expect.stringContaining(message) });
  });
});
