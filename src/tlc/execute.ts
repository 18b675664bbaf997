import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { buildJavaArgs } from './argv.ts';
import { guard } from './guard.ts';
import type { Jar } from './jar.ts';
import type { Java } from './java.ts';
import type { TlcOutcome, TlcReport } from './outcome.ts';
import { TlcOutputParser } from './parse/parser.ts';
import type { RunTlcOptions } from './run.ts';
import { type ProcessResult, type RunningProcess, runProcess } from './spawn.ts';

/** All that is needed to start Java; every path is absolute. */
export interface PreparedRun {
  readonly options: RunTlcOptions;
  readonly spec: string;
  readonly config: string;
  readonly initNext: boolean;
  readonly env: NodeJS.ProcessEnv;
  readonly jar: Jar;
  readonly java: Java;
  /** What is left of `timeoutMs`. */
  readonly timeoutMs: number | undefined;
}

export interface Executed {
  readonly report: TlcReport;
  readonly javaArgs: readonly string[];
}

/** Runs Java in a temporary folder of its own, and leaves neither of them behind. */
export async function execute(run: PreparedRun): Promise<Executed> {
  const temporary = await mkdtemp(join(tmpdir(), 'tlc-'));
  const stopping: { signal: NodeJS.Signals | null; child: RunningProcess | null } = { signal: null, child: null };
  const release = guard({
    stop: (signal, hard) => {
      stopping.signal = signal;
      stopping.child?.kill(hard ? 'SIGKILL' : 'SIGTERM');
    },
    destroy: () => {
      stopping.child?.kill('SIGKILL');
      rmSync(temporary, { recursive: true, force: true, maxRetries: 3 });
    },
  });
  try {
    const { spec, config, jar } = run;
    const place = { spec, config, jar: jar.path, jarOptions: jar.options, temporary, memoryBytes: memoryBytes() };
    const javaArgs = buildJavaArgs(run.options, place);
    const output = new TlcOutputParser({ ...run.options, initNext: run.initNext });
    const stderr = new Head();
    const ended = await runProcess(run.java.path, javaArgs, {
      ...run.options,
      cwd: run.options.cwd ?? temporary,
      env: run.env,
      timeoutMs: run.timeoutMs,
      onStart: (child) => {
        stopping.child = child;
        if (stopping.signal !== null) child.kill('SIGTERM');
      },
      onStdout: (chunk) => {
        run.options.onOutput?.(chunk);
        output.push(chunk);
      },
      onStderr: (chunk) => stderr.push(chunk),
    });
    const stopped = whyStopped(ended, stopping.signal, run);
    const exit = ended.kind === 'exited' ? ended : { exitCode: null, signal: null };
    return { report: output.finish(exit, { stderr: stderr.text, stopped }), javaArgs };
  } finally {
    await rm(temporary, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
    release();
  }
}

export type Ended = ProcessResult;

export function whyStopped(ended: Ended, signal: NodeJS.Signals | null, run: PreparedRun): TlcOutcome | null {
  if (ended.kind === 'notStarted') {
    return { kind: 'missingJava', problem: 'broken', message: `${run.java.path} cannot be started (${ended.code}).` };
  }
  if (signal !== null) return { kind: 'cancelled', by: 'signal', signal };
  if (ended.stoppedBy === 'abort') return { kind: 'cancelled', by: 'abort', signal: null };
  if (ended.stoppedBy === 'timeout') return { kind: 'timeout', timeoutMs: run.options.timeoutMs ?? 0 };
  return null;
}

/** In a container its own limit counts, if it has one. */
export function memoryBytes(): number {
  const limit = process.constrainedMemory?.() ?? 0;
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/** The first part of what comes on stderr; it only serves to explain a failure. */
class Head {
  text = '';
  push(chunk: Uint8Array): void {
    if (this.text.length < 20_000) this.text += Buffer.from(chunk).toString('utf8');
  }
}
