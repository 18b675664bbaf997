import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { checkSettings, type TlcSettings } from './argv.ts';
import { type DistributedOptions, executeDistributed } from './distributed/run.ts';
import { execute, type PreparedRun } from './execute.ts';
import { findJar, type Jar } from './jar.ts';
import { findJava, type Java } from './java.ts';
import { type Keeper, type Kept, keeperFor } from './kept.ts';
import type { TlcOutcome, TlcProgress, TlcReport } from './outcome.ts';
import { systemFailure } from './parse/general.ts';
import { TlcOutputParser } from './parse/parser.ts';
import { NO_FILE } from './words.ts';

export interface RunTlcOptions extends TlcSettings {
  /** The module to check, `….tla`. Relative paths are taken from this process's folder. */
  readonly spec: string;
  /** Default: beside the module, with its name. */
  readonly config?: string;
  /** A jar instead of the one that `findJar` would find. */
  readonly jar?: string;
  /** The folder that a specification's own input and output is relative to. Default: a temporary one. */
  readonly cwd?: string;
  /** Default `process.env`; for `findJar` and `findJava` as well. */
  readonly env?: NodeJS.ProcessEnv;
  /** Wall time, Java's start included. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** From SIGTERM to SIGKILL, when it has to be stopped. Default 3,000. */
  readonly graceMs?: number;
  readonly onProgress?: (progress: TlcProgress) => void;
  /**
   * `reuse`: the outcome of an earlier run, where nothing that it depends on has changed: every module that the specification
   * extends, the configuration, the jar and the options; else it runs, and its verdict is kept. `renew`: it runs, and is kept.
   * Default `never`. Runs that write files (`dumpDot`), have a `cwd` or read files are never kept.
   */
  readonly keep?: 'reuse' | 'renew' | 'never';
  /** Called before the jar is downloaded. */
  readonly onDownload?: (artifact: string) => void;
  /** All that TLC writes to stdout, as it comes. */
  readonly onOutput?: (chunk: Uint8Array) => void;
  /**
   * TLC's own distributed mode: a server, and workers on this machine or others. It has no liveness, no coverage, no
   * simulation, no dump, and neither TLCGet nor TLCSet. Needs a JDK.
   */
  readonly distributed?: DistributedOptions;
  /** Lines that the spec prints, to keep. Default 10,000. */
  readonly maxUserOutputLines?: number;
}

export interface TlcResult extends TlcReport {
  /** Null when the run did not come that far. */
  readonly jar: Jar | null;
  readonly java: Java | null;
  /** The arguments of Java, to run it by hand; empty when it was not started. */
  readonly javaArgs: readonly string[];
  /** The outcome is that of an earlier run, and so is `durationMs`; Java was not asked for. */
  readonly kept: boolean;
}

/**
 * Runs TLC once. What goes wrong is in the outcome; it throws only a TypeError, for options that make no sense.
 *
 * Neither a process nor a temporary folder is left, however it ends: by itself, by `timeoutMs`, `signal`, or SIGINT,
 * SIGTERM or SIGHUP to this process. After such a signal this process gets it again, and dies of it, unless the program
 * listens to it itself; then the outcome is `cancelled`.
 */
export async function runTlc(options: RunTlcOptions): Promise<TlcResult> {
  checkSettings(options);
  const start = performance.now();
  const found: Found = { jar: null, java: null, keeper: null };
  const result = (report: TlcReport, javaArgs: readonly string[] = []): TlcResult => ({
    ...report,
    durationMs: Math.round(performance.now() - start),
    jar: found.jar,
    java: found.java,
    javaArgs,
    kept: false,
  });
  const prepared = await prepare(options, found);
  if (prepared.kind === 'kept') {
    const report = parseKept(prepared.kept, { ...options, initNext: prepared.initNext });
    return { ...result(report), durationMs: report.durationMs, kept: true };
  }
  if (prepared.kind !== 'ready') return result(reportOf(prepared));
  const timeoutMs = options.timeoutMs && Math.max(1, options.timeoutMs - (performance.now() - start));
  try {
    const run = { ...keeping(prepared.run, found.keeper), timeoutMs };
    const { distributed } = options;
    const { report, javaArgs } = distributed ? await executeDistributed(run, distributed) : await execute(run);
    await found.keeper?.write(report.exitCode, report.outcome);
    return result(report, javaArgs);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return result(reportOf(systemFailure(message)));
  }
}

function keeping<R extends Pick<PreparedRun, 'options'>>(run: R, keeper: Keeper | null): R {
  if (keeper === null) return run;
  const onOutput = (chunk: Uint8Array): void => {
    keeper.collect(chunk);
    run.options.onOutput?.(chunk);
  };
  return { ...run, options: { ...run.options, onOutput } };
}

function parseKept({ output, exitCode }: Kept, options: RunTlcOptions & { initNext: boolean }): TlcReport {
  options.onOutput?.(output);
  const parser = new TlcOutputParser(options);
  parser.push(output);
  return parser.finish({ exitCode, signal: null });
}

interface Found {
  jar: Jar | null;
  java: Java | null;
  keeper: Keeper | null;
}

type Prepared =
  | { readonly kind: 'ready'; readonly run: Omit<PreparedRun, 'timeoutMs'> }
  | { readonly kind: 'kept'; readonly kept: Kept; readonly initNext: boolean }
  | TlcOutcome;

/** Everything that can be known without starting TLC; an outcome when it cannot be started, or need not be. */
async function prepare(options: RunTlcOptions, found: Found): Promise<Prepared> {
  const spec = resolve(options.spec.endsWith('.tla') ? options.spec : `${options.spec}.tla`);
  const config = resolve(options.config ?? spec.replace(/\.tla$/, '.cfg'));
  const env = options.env ?? process.env;
  if (options.signal?.aborted) return { kind: 'cancelled', by: 'abort', signal: null };
  if (!(await isFile(spec))) return { kind: 'parse', errors: [{ message: `${NO_FILE}${spec}.` }] };
  const configText = await readFile(config, 'utf8').catch(() => null);
  if (configText === null) {
    return { kind: 'config', code: null, message: `There is no configuration file ${config}.`, hint: null };
  }
  if (options.cwd !== undefined && !(await stat(options.cwd).catch(() => null))?.isDirectory()) {
    return { kind: 'toolFailure', cause: 'system', message: `There is no folder ${options.cwd}.` };
  }
  const jar = await findJar({
    env,
    ...(options.jar === undefined ? {} : { path: options.jar }),
    ...(options.onDownload && { onDownload: options.onDownload }),
  });
  if (!jar.ok) return { kind: 'badJar', problem: jar.problem, message: jar.message };
  found.jar = jar.jar;
  const initNext = !hasSpecification(configText);
  const settings = { ...options, ...absolutePaths(options) };
  const mayKeep = (options.keep ?? 'never') !== 'never' && options.cwd === undefined;
  found.keeper = mayKeep ? await keeperFor({ settings, spec, config, jar: jar.jar, env }) : null;
  const kept = options.keep === 'reuse' ? ((await found.keeper?.read()) ?? null) : null;
  if (kept !== null) return { kind: 'kept', kept, initNext };
  const java = await findJava({ env, minimumMajor: jar.jar.javaMajor });
  if (!java.ok) return { kind: 'missingJava', problem: java.problem, message: java.message };
  found.java = java.java;
  return { kind: 'ready', run: { options: settings, spec, config, initNext, env, jar: jar.jar, java: java.java } };
}

/** With INIT and NEXT alone there is no fairness. Comments may name the keyword as well. */
export function hasSpecification(configText: string): boolean {
  return /(^|\s)SPECIFICATION\s/.test(configText.replace(/\(\*[\s\S]*?\*\)|\\\*.*$/gm, ' '));
}

function absolutePaths({ dumpDot, library }: TlcSettings): TlcSettings {
  return {
    ...(dumpDot && { dumpDot: { ...dumpDot, file: resolve(dumpDot.file) } }),
    ...(library && { library: library.map((folder) => resolve(folder)) }),
  };
}

function reportOf(outcome: TlcOutcome): TlcReport {
  return new TlcOutputParser().finish({ exitCode: null, signal: null }, { stopped: outcome });
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (entry) => entry.isFile(),
    () => false,
  );
}
