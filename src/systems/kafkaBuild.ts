import { createHash } from 'node:crypto';
import { access, readdir, readFile, rename, rm } from 'node:fs/promises';
import { delimiter, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { cacheFolder, makeFolder } from '../tlc/index.ts';

/**
 * Builds the small Java program of a family of Kafka releases (kafka/) against one of them, or only fetches that release,
 * with Maven, on first use.
 */
export type KafkaProblem = 'unknownRelease' | 'noJava' | 'noMaven' | 'noCompiler' | 'offline' | 'build';

/** What is wrong with this machine or this request, in one sentence with a remedy. */
export class KafkaClassesError extends Error {
  override readonly name = 'KafkaClassesError';
  constructor(
    readonly problem: KafkaProblem,
    message: string,
  ) {
    super(message);
  }
}

export interface KafkaBuild {
  /** A folder of kafka/ with its pom. */
  readonly family: string;
  /** Of Kafka: a released version. */
  readonly version: string;
  /** Of the family's folder: the part with what this release has in a shape of its own. Null if there is no such part. */
  readonly shape: string | null;
  /** Further properties of its pom. */
  readonly properties?: Readonly<Record<string, string>>;
  /** False: only Kafka's own jars are wanted. */
  readonly compiles?: boolean;
}

const SOURCES = fileURLToPath(new URL('../../kafka/', import.meta.url));
const MAVEN_TIMEOUT_MS = 15 * 60_000;
const EXCERPT_LINES = 15;
const HASH_LENGTH = 12;

/** The class path: our classes, Kafka's, and all that they need. Any number of processes may ask for it at once. */
export async function kafkaClassPath(build: KafkaBuild, env: NodeJS.ProcessEnv): Promise<string> {
  const compiles = build.compiles !== false;
  const hash = await sourceHash(compiles ? ['common', build.family] : [build.family]);
  const target = join(await cacheFolder(env), `kafka-${compiles ? 'classes' : 'jars'}`, `${build.version}-${hash}`);
  const found = await builtClassPath(target, compiles);
  if (found !== null) return found;
  // Built aside and put in place by one rename, so that nobody sees half of it; if another process was faster, its is used.
  const aside = `${target}.${process.pid}-${Date.now()}`;
  try {
    await makeFolder(aside);
    await runMaven(build, aside, env);
    await rename(aside, target).catch(async () => {
      if ((await builtClassPath(target, compiles)) !== null) return;
      await rm(target, { recursive: true, force: true });
      await rename(aside, target).catch(() => {});
    });
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
  const built = await builtClassPath(target, compiles);
  if (built !== null) return built;
  throw new KafkaClassesError('build', `Maven built nothing usable for Kafka ${build.version}. Remove ${target}.`);
}

/** Null if it is not there, or names jars that have been removed from Maven's repository since. */
async function builtClassPath(folder: string, compiles: boolean): Promise<string | null> {
  try {
    const jars = (await readFile(join(folder, 'classpath.txt'), 'utf8')).trim().split(delimiter);
    const classes = compiles ? [join(folder, 'classes')] : [];
    await Promise.all([...jars, ...classes.map((path) => join(path, 'leaderepoch'))].map((path) => access(path)));
    return [...classes, ...jars].join(delimiter);
  } catch {
    return null;
  }
}

async function sourceHash(folders: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const folder of folders) {
    const entries = await readdir(join(SOURCES, folder), { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    for (const file of files.sort()) hash.update(relative(SOURCES, file)).update(await readFile(file));
  }
  return hash.digest('hex').slice(0, HASH_LENGTH);
}

async function runMaven(build: KafkaBuild, folder: string, env: NodeJS.ProcessEnv): Promise<void> {
  const { execa } = await import('execa');
  const result = await execa('mvn', mavenArgs(build, folder), {
    stdin: 'ignore',
    all: true,
    reject: false,
    extendEnv: false,
    env,
    timeout: MAVEN_TIMEOUT_MS,
  });
  if (result.failed) throw mavenError(build.version, result.code, result.all);
}

/** The versions of what builds these programs; null for what is not there. */
export async function buildTools(env: NodeJS.ProcessEnv): Promise<{ javac: string | null; maven: string | null }> {
  const { execa } = await import('execa');
  const ask = async (command: string, flag: string, version: RegExp): Promise<string | null> => {
    const { all = '' } = await execa(command, [flag], { all: true, reject: false, extendEnv: false, env });
    return version.exec(stripVTControlCharacters(all))?.[1] ?? null;
  };
  const asked = [ask('javac', '-version', /^javac (\S+)/m), ask('mvn', '--version', /^Apache Maven (\S+)/m)] as const;
  const [javac, maven] = await Promise.all(asked);
  return { javac, maven };
}

export function mavenArgs({ family, version, shape, properties = {} }: KafkaBuild, folder: string): string[] {
  return [
    '--batch-mode',
    '--quiet',
    '-Dstyle.color=never',
    `--file=${join(SOURCES, family, 'pom.xml')}`,
    `-Dkafka.version=${version}`,
    ...(shape === null ? [] : [`-Dkafka.shape=${shape}`]),
    ...Object.entries(properties).map(([name, value]) => `-D${name}=${value}`),
    `-Dbuild.folder=${folder}`,
    'compile',
    // In full: a prefix is looked up first, and without a network that fails with a message about prefixes.
    'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:build-classpath',
  ];
}

const NO_NETWORK =
  /Could not transfer|Unknown host|UnknownHost|Network is unreachable|No route to host|Connection (?:refused|timed out)|Temporary failure in name resolution|in offline mode/;

/** `code`: why Maven could not be started, if it could not; `output`: what it said. */
export function mavenError(version: string, code: string | undefined, output: string): KafkaClassesError {
  const what = `Kafka ${version} and the program that drives it cannot be built`;
  if (code === 'ENOENT') {
    return new KafkaClassesError(
      'noMaven',
      `${what}: Maven was not found. Install Maven 3.8 or later (mvn on the PATH).`,
    );
  }
  const said = stripVTControlCharacters(output).trim().split('\n');
  const excerpt = said.slice(-EXCERPT_LINES).join('\n');
  if (/No compiler is provided/.test(output)) {
    const remedy = 'Maven found a Java without compiler. Install a JDK 17 or later, not only its runtime.';
    return new KafkaClassesError('noCompiler', `${what}: ${remedy}`);
  }
  if (NO_NETWORK.test(output)) {
    const remedy = 'Maven cannot fetch what it needs. Connect to the network once; afterwards none is needed.';
    return new KafkaClassesError('offline', `${what}: ${remedy}\n${excerpt}`);
  }
  return new KafkaClassesError('build', `${what}: see what Maven says.\n${excerpt}`);
}
