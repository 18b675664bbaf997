import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { mavenArgs, mavenError } from '../../src/systems/kafkaBuild.ts';
import { KafkaClassesError, kafkaClasses, parseKafkaRelease } from '../../src/systems/kafkaClasses.ts';

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'leader-epoch-build-'));
  folders.push(folder);
  return folder;
}

describe('the name of a release', () => {
  it('is a version, or one with the protocol of another', () => {
    expect(parseKafkaRelease('2.0.1')).toMatchObject({ version: '2.0.1', protocol: null, family: { folder: 'old' } });
    expect(parseKafkaRelease('1.1.1+0.10.2')).toMatchObject({ version: '1.1.1', protocol: '0.10.2' });
    expect(parseKafkaRelease('4.4.0')).toMatchObject({ version: '4.4.0', family: { folder: 'new' } });
  });

  it.each(['9.9.9', '', '2.0.1+', '2.0.1+x', '2.0.1+1.1+1.0', '4.4.0+3.9'])('is not "%s"', (name) => {
    expect(() => parseKafkaRelease(name)).toThrow(KafkaClassesError);
  });
});

describe('a machine without', () => {
  it('Java says so', async () => {
    const env = { PATH: await emptyFolder() };
    await expect(kafkaClasses('2.0.1', { env })).rejects.toMatchObject({
      problem: 'noJava',
      message: 'Java was not found, or does not run. Install a JDK 17 or later (PATH or JAVA_HOME).',
    });
  });

  it('Maven says so', () => {
    expect(mavenError('2.0.1', 'ENOENT', '')).toMatchObject({
      problem: 'noMaven',
      message:
        'Kafka 2.0.1 and the program that drives it cannot be built: Maven was not found. Install Maven 3.8 or later (mvn on the PATH).',
    });
  });

  it('network says so, and what Maven said', () => {
    const output = '[ERROR] Could not transfer artifact org.apache.kafka:kafka_2.12:pom:2.0.1: Unknown host';
    const error = mavenError('2.0.1', undefined, output);
    expect(error.problem).toBe('offline');
    expect(error.message).toContain('Connect to the network once');
    expect(error.message).toContain(output);
  });

  it('compiler says so', () => {
    const output =
      '[ERROR] No compiler is provided in this environment. Perhaps you are running on a JRE rather than a JDK?';
    expect(mavenError('2.0.1', undefined, output)).toMatchObject({ problem: 'noCompiler' });
  });
});

it('a failed build shows the last lines of Maven', () => {
  const output = Array.from({ length: 40 }, (_, line) => `line ${line}`).join('\n');
  const { problem, message } = mavenError('2.0.1', undefined, output);
  expect(problem).toBe('build');
  expect(message.split('\n').slice(1)).toEqual(Array.from({ length: 15 }, (_, line) => `line ${line + 25}`));
});

it('Maven is told where to build, never to build in the sources', () => {
  const args = mavenArgs({ family: 'old', version: '2.0.1', shape: null }, '/somewhere');
  expect(args).toContain('-Dbuild.folder=/somewhere');
  expect(args).toContain('-Dkafka.version=2.0.1');
  expect(args.filter((arg) => arg.includes('shape'))).toEqual([]);
});

it('Maven is told which part of a family is for this release', () => {
  expect(mavenArgs({ family: 'middle', version: '2.8.0', shape: '2.8' }, '/somewhere')).toContain('-Dkafka.shape=2.8');
});
