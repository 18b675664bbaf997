import { createHash } from 'node:crypto';
import { readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { TlcSettings } from './argv.ts';
import { cacheFolder, type Jar } from './jar.ts';
import type { TlcOutcome } from './outcome.ts';
import { writeWhole } from './writeWhole.ts';

/**
 * Outcomes that are kept between runs: the output of TLC as it was, under a name made of the specification, its configuration,
 * the jar and the options. The modules that it extends are known only from TLC's output, so their hashes stand in the entry, and
 * are held against the files before it is used. Only verdicts are kept: never a time-out, a lack of memory or another failure.
 */
export interface Keeper {
  read(): Promise<Kept | null>;
  /** What TLC prints, as it comes. */
  collect(chunk: Uint8Array): void;
  write(exitCode: number | null, outcome: TlcOutcome): Promise<void>;
}

export interface Kept {
  readonly output: Buffer;
  readonly exitCode: number | null;
}

export interface KeptRun {
  readonly settings: TlcSettings;
  readonly spec: string;
  readonly config: string;
  readonly jar: Jar;
  readonly env: NodeJS.ProcessEnv;
}

const VERDICTS: readonly TlcOutcome['kind'][] = [
  ...(['success', 'invariant', 'actionProperty', 'temporal', 'deadlock'] as const),
  ...(['assumption', 'assertion', 'evaluation', 'incompleteNext'] as const),
];

/** What an outcome may depend on besides: modules that read files, the environment or the clock. */
const WORLDLY_MODULES = ['IOUtils', 'Json', 'CSV'];
/** Options of TLC that write nothing, and read nothing that is no part of the name. */
const HARMLESS_OPTIONS = ['-lncheck', '-maxSetSize', '-fpbits', '-fpmem', '-nowarning', '-terse', '-cleanup', '-aril'];
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_AGE_MS = 90 * 24 * 60 * 60 * 1000;

/** Null for a run whose outcome cannot be kept: it leaves a file behind, or depends on what cannot be known. */
export async function keeperFor(run: KeptRun): Promise<Keeper | null> {
  const { dumpDot, extraArgs = [] } = run.settings;
  if (dumpDot !== undefined || extraArgs.some((arg) => arg.startsWith('-') && !HARMLESS_OPTIONS.includes(arg))) {
    return null;
  }
  const startedMs = Date.now();
  const texts = await Promise.all([run.spec, run.config].map(hashOf));
  if (texts.includes(null)) return null;
  const folder = join(await cacheFolder(run.env), 'outcomes');
  const parts = [2, basename(run.spec), ...texts, run.jar.sha256, optionsOf(run.settings)];
  const file = join(folder, `${sha256(JSON.stringify(parts))}.txt`);
  const chunks: Uint8Array[] = [];
  let length = 0;
  const searched = [dirname(run.spec), ...(run.settings.library ?? [])];
  return {
    async read() {
      const entry = parseEntry(await readFile(file).catch(() => null));
      if (entry === null || !(await areSame(entry.modules, searched))) return null;
      const now = new Date();
      await utimes(file, now, now).catch(() => undefined);
      return entry;
    },
    collect(chunk) {
      length += chunk.length;
      if (length <= MAX_BYTES) chunks.push(chunk);
      else chunks.length = 0;
    },
    async write(exitCode, outcome) {
      if (!VERDICTS.includes(outcome.kind) || length > MAX_BYTES) return;
      const bytes = Buffer.concat(chunks);
      const modules = await modulesOf(bytes.toString('utf8'), searched, startedMs);
      const isWhole = modules !== null && basename(run.spec) in modules;
      if (!isWhole || (await isYounger(run.config, startedMs))) return;
      const head = Buffer.from(`${JSON.stringify({ exitCode, modules })}\n`);
      // A cache that cannot be written is no reason to fail.
      await writeWhole(file, Buffer.concat([head, bytes])).catch(() => undefined);
      await removeOld(folder).catch(() => undefined);
    },
  };
}

/** What a verdict depends on. The heap is not: a lack of memory is no verdict. */
function optionsOf(settings: TlcSettings): unknown[] {
  const { workers, fingerprint, seed, checkDeadlock, coverageMinutes, simulate, depth } = settings;
  const { continueAfterError, diffTrace, depthFirst, jvmArgs, extraArgs } = settings;
  return [
    ...[workers ?? 1, fingerprint ?? 0, seed ?? 1, checkDeadlock ?? true, coverageMinutes ?? null],
    ...[simulate ?? null, depth ?? null, continueAfterError ?? false, diffTrace ?? false, depthFirst ?? null],
    ...[jvmArgs ?? [], extraArgs ?? []],
  ];
}

/** The hash of each module by its name; null for one that came with the jar. */
type Modules = Readonly<Record<string, string | null>>;

/** From what SANY prints. Null: a module changed meanwhile, or an outcome with it cannot be kept. */
async function modulesOf(output: string, searched: readonly string[], startedMs: number): Promise<Modules | null> {
  const modules: Record<string, string | null> = {};
  for (const [, path] of output.matchAll(/^Parsing file (.+?\.tla)(?: \(jar:.*\))?\r?$/gm)) {
    const name = basename(path!);
    if (WORLDLY_MODULES.includes(name.replace(/\.tla$/, ''))) return null;
    const found = await find(name, searched);
    if (found !== null && (await isYounger(found, startedMs))) return null;
    modules[name] = found === null ? null : await hashOf(found);
  }
  return modules;
}

async function areSame(modules: Modules, searched: readonly string[]): Promise<boolean> {
  for (const [name, hash] of Object.entries(modules)) {
    const found = await find(name, searched);
    if ((found === null ? null : await hashOf(found)) !== hash) return false;
  }
  return true;
}

/** As TLC looks for a module. */
async function find(name: string, folders: readonly string[]): Promise<string | null> {
  for (const folder of folders) {
    const path = join(folder, name);
    if ((await stat(path).catch(() => null)) !== null) return path;
  }
  return null;
}

async function isYounger(path: string, timeMs: number): Promise<boolean> {
  const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
  return mtimeMs >= timeMs;
}

/** Null for anything that is not an entry, whatever else it may be. */
function parseEntry(bytes: Buffer | null): (Kept & { modules: Modules }) | null {
  const end = bytes?.indexOf(10) ?? -1;
  if (bytes === null || end === -1) return null;
  try {
    const { exitCode, modules } = JSON.parse(bytes.toString('utf8', 0, end)) as { exitCode: unknown; modules: unknown };
    if ((exitCode !== null && typeof exitCode !== 'number') || typeof modules !== 'object' || modules === null)
      return null;
    return { exitCode, modules: modules as Modules, output: bytes.subarray(end + 1) };
  } catch {
    return null;
  }
}

async function removeOld(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (!(await isYounger(path, Date.now() - MAX_AGE_MS))) await rm(path, { force: true });
  }
}

async function hashOf(path: string): Promise<string | null> {
  return readFile(path).then(sha256, () => null);
}

function sha256(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('hex');
}
