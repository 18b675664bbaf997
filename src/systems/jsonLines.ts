import { createInterface } from 'node:readline';
import { guard } from '../tlc/guard.ts';

/**
 * A process that answers one line of JSON with one line of JSON (docs/process-protocol.md). One request at a time; what it
 * prints on stderr is its log, of which the last lines go into every complaint about it.
 */
export interface JsonLines {
  /** Sends a request and waits for its answer. Throws a ProcessError; after one that is fatal, always the same. */
  ask(request: unknown, timeoutMs: number): Promise<unknown>;
  /** Ends the process: end of its stdin, SIGTERM, SIGKILL. Never throws, may be called twice. */
  close(): Promise<void>;
}

export interface JsonLinesOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly name: string;
  readonly cwd?: string | undefined;
  /** In addition to this process's own environment. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** From the end of stdin to SIGTERM, and from there to SIGKILL. */
  readonly graceMs?: number | undefined;
}

/**
 * `notStarted`: the command cannot be run; `died`: it ended though it was not asked to; `timeout`: it did not answer, and
 * was ended; `protocol`: what it answered is not of the protocol; `failed`: it answered that it failed. A step that cannot
 * be taken is none of these, but an outcome.
 */
export type ProcessProblem = 'notStarted' | 'died' | 'timeout' | 'protocol' | 'failed';

export class ProcessError extends Error {
  override readonly name = 'ProcessError';
  constructor(
    readonly problem: ProcessProblem,
    message: string,
  ) {
    super(message);
  }
}

const DEFAULT_GRACE_MS = 2_000;
const LOG_LINES = 10;
const EXCERPT_LENGTH = 200;

interface Pending {
  readonly resolve: (line: string) => void;
  readonly reject: (error: ProcessError) => void;
}

export async function startJsonLines(options: JsonLinesOptions): Promise<JsonLines> {
  const { execa } = await import('execa');
  const graceMs = options.graceMs ?? DEFAULT_GRACE_MS;
  const child = execa(options.command, [...options.args], {
    stdin: 'pipe',
    buffer: false,
    reject: false,
    // Not by execa: `guard` does it, for a child that ignores SIGTERM too.
    cleanup: false,
    forceKillAfterDelay: graceMs,
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    ...(options.env === undefined ? {} : { env: { ...options.env } }),
  });

  const log: string[] = [];
  let pending: Pending | null = null;
  let broken: ProcessError | null = null;
  let closing: Promise<void> | null = null;

  const complaint = (problem: ProcessProblem, what: string): ProcessError => {
    const said = log.length === 0 ? '' : `\nThe last lines of its log:\n${log.map((line) => `  ${line}`).join('\n')}`;
    return new ProcessError(problem, `${options.name} ${what}${said}`);
  };
  const breakWith = (error: ProcessError): ProcessError => {
    broken ??= error;
    const waiting = pending;
    pending = null;
    waiting?.reject(broken);
    return broken;
  };

  createInterface({ input: child.stderr }).on('line', (line) => {
    log.push(line);
    if (log.length > LOG_LINES) log.shift();
  });
  createInterface({ input: child.stdout }).on('line', (line) => {
    const waiting = pending;
    pending = null;
    if (waiting !== null) waiting.resolve(line);
    else if (closing === null && line.trim() !== '') {
      breakWith(complaint('protocol', `said something without having been asked: ${excerpt(line)}`));
    }
  });
  // A child that has died does not read; how it died is told by its end.
  child.stdin.on('error', () => {});

  const release = guard({ stop: () => void close(), destroy: () => void child.kill('SIGKILL') });
  const ended = child.then((result) => {
    release();
    if (child.pid === undefined) {
      const missing = result.code === 'ENOENT' ? 'the command was not found' : `${result.code}`;
      breakWith(complaint('notStarted', `cannot be started: ${options.command}: ${missing}`));
    } else {
      const how = result.signal === undefined ? `exit code ${result.exitCode}` : `signal ${result.signal}`;
      breakWith(complaint('died', closing === null ? `has died (${how})` : 'has been closed'));
    }
  });

  async function ask(request: unknown, timeoutMs: number): Promise<unknown> {
    if (broken !== null) throw broken;
    if (pending !== null) throw new TypeError(`${options.name} is still busy with the request before`);
    const answer = new Promise<string>((resolve, reject) => {
      pending = { resolve, reject };
    });
    child.stdin.write(`${JSON.stringify(request)}\n`);
    const timer = setTimeout(() => {
      breakWith(complaint('timeout', `did not answer within ${timeoutMs} ms to ${excerpt(JSON.stringify(request))}`));
      void close();
    }, timeoutMs);
    const line = await answer.finally(() => clearTimeout(timer));
    try {
      return JSON.parse(line);
    } catch {
      const error = breakWith(complaint('protocol', `answered what is no JSON: ${excerpt(line)}`));
      void close();
      throw error;
    }
  }

  function close(): Promise<void> {
    closing ??= (async () => {
      child.stdin.end();
      const timer = setTimeout(() => child.kill('SIGTERM'), graceMs);
      await ended.finally(() => clearTimeout(timer));
    })();
    return closing;
  }

  return { ask, close };
}

function excerpt(text: string): string {
  return text.length <= EXCERPT_LENGTH ? text : `${text.slice(0, EXCERPT_LENGTH)}…`;
}
