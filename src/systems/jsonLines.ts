import { guard } from '../tlc/guard.ts';
import { eachLine } from './lines.ts';

/**
 * A process that answers one line of JSON with one line of JSON (docs/process-protocol.md). One request at a time; what it
 * prints on stderr is its log, of which the last lines go into every complaint about it.
 */
export interface JsonLines {
  /** Sends a request and waits for its answer. Throws a ProcessError; after one that is fatal, always the same. */
  ask(request: unknown, timeoutMs: number): Promise<unknown>;
  /** What is wrong with its answer, with the last lines of its log. */
  complaint(problem: ProcessProblem, what: string): ProcessError;
  /** The same, and nothing is asked any more: the process is ended. */
  end(problem: ProcessProblem, what: string): ProcessError;
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
const HAS_GROUPS = process.platform !== 'win32';
const LOG_LINES = 10;
/** Characters of a line of its log. */
const LOG_LINE = 1_000;
/** Characters of an answer. */
const ANSWER_LIMIT = 1 << 26;
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
    // A group of its own, so that what it has started ends with it: a script is often no more than that.
    detached: HAS_GROUPS,
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    ...(options.env === undefined ? {} : { env: { ...options.env } }),
  });
  const kill = (signal: 'SIGTERM' | 'SIGKILL'): void => {
    try {
      if (HAS_GROUPS && child.pid !== undefined) process.kill(-child.pid, signal);
      else child.kill(signal);
    } catch {
      // Nobody is left.
    }
  };

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
  const end = (problem: ProcessProblem, what: string): ProcessError => {
    const error = breakWith(complaint(problem, what));
    void close();
    return error;
  };

  eachLine(child.stderr, LOG_LINE, {
    line: (line) => {
      log.push(line);
      if (log.length > LOG_LINES) log.shift();
    },
  });
  eachLine(child.stdout, ANSWER_LIMIT, {
    line: (line) => {
      const waiting = pending;
      pending = null;
      if (waiting !== null) waiting.resolve(line);
      else if (closing === null && line.trim() !== '') {
        end('protocol', `said something without having been asked: ${excerpt(line)}`);
      }
    },
    tooLong: () => void end('protocol', `printed a line of more than ${ANSWER_LIMIT} characters`),
  });
  // A child that has died does not read; how it died is told by its end.
  child.stdin.on('error', () => {});

  const release = guard({ stop: () => void close(), destroy: () => kill('SIGKILL') });
  // Whom it leaves behind may hold its pipes open for ever.
  let leaving: NodeJS.Timeout | undefined;
  child.once('exit', () => {
    leaving = setTimeout(() => {
      kill('SIGKILL');
      child.stdout.destroy();
      child.stderr.destroy();
    }, graceMs);
  });
  const ended = child.then((result) => {
    release();
    clearTimeout(leaving);
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
    const timer = setTimeout(
      () => end('timeout', `did not answer within ${timeoutMs} ms to ${excerpt(JSON.stringify(request))}`),
      timeoutMs,
    );
    const line = await answer.finally(() => clearTimeout(timer));
    try {
      return JSON.parse(line);
    } catch {
      throw end('protocol', `answered what is no JSON: ${excerpt(line)}`);
    }
  }

  function close(): Promise<void> {
    closing ??= (async () => {
      child.stdin.end();
      const timers = [setTimeout(kill, graceMs, 'SIGTERM'), setTimeout(kill, 2 * graceMs, 'SIGKILL')];
      await ended.finally(() => timers.forEach(clearTimeout));
    })();
    return closing;
  }

  return { ask, complaint, end, close };
}

/** What would move the cursor, ring or colour a terminal is shown by its number. */
export function excerpt(text: string): string {
  const start = text.length <= EXCERPT_LENGTH ? text : `${text.slice(0, EXCERPT_LENGTH)}…`;
  return start.replace(/\p{C}/gu, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`);
}
