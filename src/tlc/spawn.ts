/** The only place that starts a process. */

export interface RunProcessOptions {
  readonly cwd?: string;
  /** The whole environment of the child. */
  readonly env?: NodeJS.ProcessEnv;
  readonly onStdout?: (chunk: Uint8Array) => void;
  readonly onStderr?: (chunk: Uint8Array) => void;
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal;
  /** From SIGTERM to SIGKILL. */
  readonly graceMs?: number;
  /** Hands over the means to stop the child from elsewhere; SIGTERM is followed by SIGKILL after the grace. */
  readonly onStart?: (child: RunningProcess) => void;
}

export interface RunningProcess {
  readonly pid: number;
  kill(signal: 'SIGTERM' | 'SIGKILL'): void;
}

export type ProcessResult =
  | {
      readonly kind: 'exited';
      readonly exitCode: number | null;
      readonly signal: string | null;
      readonly stoppedBy: 'timeout' | 'abort' | null;
    }
  /** `code`: ENOENT, EACCES and the like. */
  | { readonly kind: 'notStarted'; readonly code: string };

const DEFAULT_GRACE_MS = 3_000;
/** 24 days: a timer of Node's that is set for more ends at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Runs a program to its end and hands over its output as it comes. It is always stopped with SIGTERM first: a JVM that
 * a non-interactive shell put into the background ignores SIGINT.
 */
export async function runProcess(
  command: string,
  args: readonly string[],
  options: RunProcessOptions = {},
): Promise<ProcessResult> {
  if (options.signal?.aborted === true) return { kind: 'exited', exitCode: null, signal: null, stoppedBy: 'abort' };
  const { execa } = await import('execa');
  const child = execa(command, args, {
    stdin: 'ignore',
    buffer: false,
    encoding: 'buffer',
    reject: false,
    // Not by execa: `guardProcess` does it, together with the temporary folder.
    cleanup: false,
    extendEnv: false,
    env: options.env ?? process.env,
    forceKillAfterDelay: options.graceMs ?? DEFAULT_GRACE_MS,
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    ...(options.timeoutMs === undefined ? {} : { timeout: Math.min(options.timeoutMs, LONGEST_TIMER_MS) }),
    ...(options.signal === undefined ? {} : { cancelSignal: options.signal }),
  });
  child.stdout.on('data', (chunk: Uint8Array) => options.onStdout?.(chunk));
  child.stderr.on('data', (chunk: Uint8Array) => options.onStderr?.(chunk));
  if (child.pid !== undefined) options.onStart?.({ pid: child.pid, kill: (signal) => void child.kill(signal) });
  const result = await child;
  if (child.pid === undefined) return { kind: 'notStarted', code: result.code ?? 'unknown' };
  const stoppedBy = result.timedOut ? 'timeout' : result.isCanceled ? 'abort' : null;
  return { kind: 'exited', exitCode: result.exitCode ?? null, signal: result.signal ?? null, stoppedBy };
}
