import { rmSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { type Ended, memoryBytes, type PreparedRun, whyStopped } from '../execute.ts';
import { guard } from '../guard.ts';
import type { TlcOutcome, TlcReport } from '../outcome.ts';
import { TlcOutputParser } from '../parse/parser.ts';
import { type RunningProcess, runProcess } from '../spawn.ts';
import { type Address, commandForAnotherMachine, serverArgs, workerArgs } from './argv.ts';
import { BOUND_TO_JAVA } from './boundTo.ts';

export interface DistributedOptions {
  /** Workers on this machine, one thread each; 0: only those of other machines. */
  readonly workers: number;
  /** An address of this machine for the workers of others. Default 127.0.0.1: this machine only. */
  readonly host?: string;
  /** Default: any that is free. */
  readonly port?: number;
  readonly onEvent?: (event: DistributedEvent) => void;
}

export type DistributedEvent =
  /** `command` is for other machines. */
  | { readonly kind: 'serverReady'; readonly address: Address; readonly command: string }
  | { readonly kind: 'workerStarted'; readonly pid: number }
  /** Of this machine or another: so many have come in all. */
  | { readonly kind: 'workerJoined'; readonly count: number }
  /** Its share is done again by the others; `replaced`: another one is started in its place. */
  | { readonly kind: 'workerDied'; readonly how: string; readonly replaced: boolean };

/** TLC's distributed mode waits for ever where all workers die as soon as they start. */
const MAX_DEATHS = 5;
/** TLC's message codes. */
const SERVER_READY = 'STARTMSG 7000:';
const WORKER_JOINED = 'STARTMSG 7001:';

/** Runs TLC's server and its workers, and leaves none of them behind. */
export async function executeDistributed(
  run: PreparedRun,
  distributed: DistributedOptions,
): Promise<{ readonly report: TlcReport; readonly javaArgs: readonly string[] }> {
  const temporary = await mkdtemp(join(tmpdir(), 'tlc-distributed-'));
  const children = new Set<RunningProcess>();
  const state: { signal: NodeJS.Signals | null; over: boolean; failed: TlcOutcome | null } = {
    signal: null,
    over: false,
    failed: null,
  };
  const stopAll = (how: 'SIGTERM' | 'SIGKILL'): void => {
    state.over = true;
    for (const child of children) child.kill(how);
  };
  const release = guard({
    stop: (signal, hard) => {
      state.signal = signal;
      stopAll(hard ? 'SIGKILL' : 'SIGTERM');
    },
    destroy: () => {
      stopAll('SIGKILL');
      rmSync(temporary, { recursive: true, force: true, maxRetries: 3 });
    },
  });
  const started = (child: RunningProcess): void => {
    children.add(child);
    if (state.over) child.kill('SIGTERM');
  };
  try {
    const host = distributed.host ?? '127.0.0.1';
    const address = { host, port: distributed.port ?? (await freePort(host)) };
    const output = new TlcOutputParser({ ...run.options, initNext: run.initNext });
    const stderr: string[] = [];
    const workers: Promise<void>[] = [];
    let deaths = 0;
    const program = async (name: string) => {
      const own = join(temporary, name);
      await mkdir(own);
      await writeFile(join(own, 'BoundTo.java'), BOUND_TO_JAVA);
      const sharers = distributed.workers + 1;
      return { jar: run.jar.path, temporary: own, address, memoryBytes: memoryBytes(), sharers };
    };

    const work = async (index: number): Promise<void> => {
      const own = await program(`worker-${index}-${deaths}`);
      let self: RunningProcess | null = null;
      const said: string[] = [];
      const ended = await runProcess(run.java.path, workerArgs(own), {
        ...run.options,
        cwd: own.temporary,
        env: run.env,
        onStart: (child) => {
          self = child;
          started(child);
          distributed.onEvent?.({ kind: 'workerStarted', pid: child.pid });
        },
        onStdout: (chunk) => said.push(Buffer.from(chunk).toString()),
        onStderr: (chunk) => said.push(Buffer.from(chunk).toString()),
      });
      if (self !== null) children.delete(self);
      // One that is done says so before the server has ended.
      if (state.over || said.join('').includes('work completed at')) return;
      const replaced = ++deaths <= MAX_DEATHS;
      distributed.onEvent?.({ kind: 'workerDied', how: howItEnded(ended), replaced });
      if (replaced) return work(index);
      state.failed = {
        kind: 'toolFailure',
        cause: 'unknown',
        message: `Workers of the distributed run died ${deaths} times, and none is started any more. The last one said: ${said.join('').trim().split('\n').at(-1) || 'nothing'}`,
      };
      stopAll('SIGTERM');
    };

    const server = await program('server');
    const model = await copyModel(run, server.temporary);
    const javaArgs = serverArgs(run.options, { ...server, ...model });
    let text = '';
    let joined = 0;
    let isReady = false;
    const ended = await runProcess(run.java.path, javaArgs, {
      ...run.options,
      cwd: run.options.cwd ?? server.temporary,
      env: run.env,
      timeoutMs: run.timeoutMs,
      onStart: started,
      onStdout: (chunk) => {
        run.options.onOutput?.(chunk);
        output.push(chunk);
        text += Buffer.from(chunk).toString();
        const count = text.split(WORKER_JOINED).length - 1;
        for (; joined < count; joined++) distributed.onEvent?.({ kind: 'workerJoined', count: joined + 1 });
        if (isReady || !text.includes(SERVER_READY)) return;
        isReady = true;
        distributed.onEvent?.({ kind: 'serverReady', address, command: commandForAnotherMachine(address) });
        for (let index = 1; index <= distributed.workers; index++) workers.push(work(index));
      },
      onStderr: (chunk) => stderr.push(Buffer.from(chunk).toString()),
    });
    stopAll('SIGTERM');
    await Promise.all(workers);
    const stopped = state.failed ?? whyStopped(ended, state.signal, run);
    const exit = ended.kind === 'exited' ? ended : { exitCode: null, signal: null };
    return { report: output.finish(exit, { stderr: explained(stderr.join('')), stopped }), javaArgs };
  } finally {
    stopAll('SIGKILL');
    await rm(temporary, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
    release();
  }
}

/** The server looks for modules and configuration in one folder only, and hands them out by their names. */
async function copyModel({ spec, config, options }: PreparedRun, folder: string) {
  const sources = [dirname(spec), ...(options.library ?? [])];
  // What is found first counts, so it is copied last.
  for (const source of sources.reverse()) {
    for (const name of await readdir(source)) {
      if (name.endsWith('.tla')) await copyFile(join(source, name), join(folder, name));
    }
  }
  const name = basename(spec, '.tla');
  await copyFile(config, join(folder, `${name}.cfg`));
  return { spec: join(folder, `${name}.tla`), config: join(folder, `${name}.cfg`) };
}

/** A JRE cannot compile BoundTo.java. */
function explained(stderr: string): string {
  return /Module jdk\.compiler not found/.test(stderr)
    ? `The distributed mode needs a JDK, not only a JRE: ${stderr}`
    : stderr;
}

function howItEnded(ended: Ended): string {
  if (ended.kind === 'notStarted') return `it could not be started (${ended.code})`;
  return ended.signal === null ? `exit code ${ended.exitCode}` : ended.signal;
}

/** Between this and the server's start another program could take it; then the server says so. */
function freePort(host: string): Promise<number> {
  return new Promise((found, failed) => {
    const probe = createServer();
    probe.once('error', failed);
    probe.listen(0, host, () => {
      const address = probe.address();
      probe.close(() => found(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
