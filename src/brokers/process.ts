import { closeSync, openSync, rmSync } from 'node:fs';
import { mkdir, mkdtemp, open, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { guard } from '../tlc/guard.ts';
import { BrokerError } from './error.ts';

/**
 * A JVM that must not outlive this process, however that ends. A shell stands between: it holds the read end of a pipe from
 * here, kills its child when it is told to or when the pipe closes, and is its child's parent, so that it never kills
 * another process of the same number.
 */
export interface JavaProcess {
  readonly name: string;
  readonly pid: number;
  /** Null while it runs. */
  readonly ended: string | null;
  /** What it has printed since it was started; `from` on, in bytes. */
  output(from?: number): Promise<string>;
  /** Of its output, in bytes. */
  size(): Promise<number>;
  /**
   * Resolves once its output matches, or `ready` resolves to a value.
   * @throws BrokerError with the cause from its output if it ends before that, or if it takes too long
   */
  until<T>(what: string, ready: () => Promise<T | null>): Promise<T>;
  /** SIGKILL, and waits for the end. May be called twice, and after its end. */
  kill(): Promise<void>;
}

export interface JavaOptions {
  /** For people: `broker A`. */
  readonly name: string;
  readonly java: string;
  readonly args: readonly string[];
  /** Its own: it works here, and its output goes to `output.log` in it. */
  readonly folder: string;
  /** Writes what it reads when it starts; the folder is there. */
  readonly before?: () => Promise<void>;
  readonly env?: Readonly<Record<string, string>>;
}

/** Generous: the machine may be busy. What goes on for longer is broken. */
export const PATIENCE_MS = 120_000;
const POLL_MS = 10;
const EXCERPT_LINES = 20;

/** A shell gives its background jobs /dev/null for stdin; hence the other number. */
const SUPERVISOR = `
exec 3<&0
"$@" </dev/null 3<&- >>output.log 2>&1 &
child=$!
echo $child
{ read -r _ <&3; kill -9 $child 2>/dev/null; } &
killer=$!
wait $child
code=$?
kill $killer 2>/dev/null
exit $code`;

export async function startJava(options: JavaOptions): Promise<JavaProcess> {
  await mkdir(options.folder, { recursive: true });
  const log = join(options.folder, 'output.log');
  closeSync(openSync(log, 'a'));
  await options.before?.();
  const begin = (await stat(log)).size;
  const { execa } = await import('execa');
  const child = execa('/bin/sh', ['-c', SUPERVISOR, 'sh', options.java, ...options.args], {
    cwd: options.folder,
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'ignore',
    reject: false,
    buffer: false,
    cleanup: false,
    // A process group of its own: Ctrl-C in a terminal reaches this process alone, which then ends it in order.
    detached: true,
    ...(options.env === undefined ? {} : { env: { ...options.env } }),
  });
  child.stdin.on('error', () => {});
  let ended: string | null = null;
  const end = child.then((result) => {
    ended = result.signal === undefined ? `exit code ${result.exitCode}` : `signal ${result.signal}`;
  });
  const pid = await new Promise<number>((resolve) => {
    child.stdout.once('data', (chunk: Buffer) => resolve(Number(chunk.toString())));
    void end.then(() => resolve(-1));
  });
  const output = async (from = 0): Promise<string> => (await readFrom(log, begin + from)).toString('utf8');

  return {
    name: options.name,
    pid,
    get ended() {
      return ended;
    },
    output,
    size: async () => (await stat(log)).size - begin,
    until: (what, ready) =>
      eventually(
        async () => {
          const value = await ready();
          if (value !== null || ended === null) return value;
          throw new BrokerError(
            'died',
            `${options.name} has ended (${ended}) before it ${what}.\n${cause(await output())}`,
          );
        },
        async () =>
          new BrokerError(
            'timeout',
            `${options.name}: not within ${PATIENCE_MS / 1000} s: ${what}.\n${cause(await output())}`,
          ),
      ),
    kill: async () => {
      child.stdin.end();
      await end;
    },
  };
}

async function readFrom(file: string, position: number): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    const bytes = Buffer.alloc(Math.max(size - position, 0));
    await handle.read(bytes, 0, bytes.length, position);
    return bytes;
  } finally {
    await handle.close();
  }
}

/** Polls a condition that nobody announces: a file, a port. */
export async function eventually<T>(
  ready: () => Promise<T | null>,
  otherwise: () => Promise<Error> | Error,
): Promise<T> {
  for (const deadline = performance.now() + PATIENCE_MS; ; ) {
    const value = await ready();
    if (value !== null) return value;
    if (performance.now() > deadline) throw await otherwise();
    await delay(POLL_MS);
  }
}

/** The lines of a JVM's output that tell what went wrong: from the first error on, else the last ones. */
export function cause(output: string): string {
  const lines = output.trimEnd().split('\n');
  const first = lines.findIndex((line) => /FATAL|ERROR|Exception|^Error/.test(line));
  const shown = first === -1 ? lines.slice(-EXCERPT_LINES) : lines.slice(first, first + EXCERPT_LINES);
  return `Its log says:\n${shown.map((line) => `  ${line}`).join('\n')}`;
}

/**
 * A folder for one run, removed in the end: also if this process is killed, by a shell that waits for just that. `stop`:
 * what a signal should do first.
 */
export async function workFolder(stop: () => void): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'leader-epoch-brokers-'));
  const { execa } = await import('execa');
  const script = 'read -r _; while [ -e "$1" ]; do rm -rf "$1"; sleep 0.2; done';
  const remover = execa('/bin/sh', ['-c', script, 'sh', path], {
    stdin: 'pipe',
    stdout: 'ignore',
    stderr: 'ignore',
    reject: false,
    cleanup: false,
    detached: true,
  });
  remover.stdin.on('error', () => {});
  const release = guard({ stop, destroy: () => rmSync(path, { recursive: true, force: true }) });
  return {
    path,
    remove: async () => {
      await rm(path, { recursive: true, force: true, maxRetries: 10 }).catch(() => {});
      remover.stdin.end();
      await remover;
      release();
    },
  };
}

/**
 * Below the range from which systems take the ports of outgoing connections, so that it stays free while its broker is down.
 */
const FIRST_PORT = 13_000;
const LAST_PORT = 31_999;

export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const port = FIRST_PORT + Math.floor(Math.random() * (LAST_PORT - FIRST_PORT));
    if (await isFree(port)) return port;
  }
  throw new BrokerError('noPort', `No port of 127.0.0.1 from ${FIRST_PORT} to ${LAST_PORT} seems to be free.`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
