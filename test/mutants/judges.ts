import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Report, Task } from './judgeWorker.ts';

/**
 * Of this process's processor time, for the clock runs on while others have the machine: no start and no 2,000 states, after
 * which a thread says that it is alive, take so much.
 */
const SILENCE_CPU_MS = 30_000;
const LOOK_MS = 2_000;
const HEAP_MB = 4096;

/** Threads that judge, each one mutant after the other; one that never ends is replaced. */
export class Judges {
  readonly #threads: (Worker | null)[];

  constructor(jobs: number = Math.min(2, availableParallelism())) {
    this.#threads = Array.from({ length: jobs }, () => null);
  }

  async all<T extends Task>(tasks: readonly T[], onVerdict: (task: T, killedBy: string | null) => void): Promise<void> {
    let next = 0;
    const judge = async (index: number): Promise<void> => {
      while (next < tasks.length) {
        const task = tasks[next++]!;
        const thread = this.#threads[index] ?? start();
        this.#threads[index] = thread;
        const { killedBy, isOver } = await judgeOne(thread, task);
        onVerdict(task, killedBy);
        if (!isOver) continue;
        await thread.terminate();
        this.#threads[index] = null;
      }
    };
    await Promise.all(this.#threads.map((_, index) => judge(index)));
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread?.terminate()));
  }
}

function start(): Worker {
  const resourceLimits = { maxOldGenerationSizeMb: HEAP_MB };
  return new Worker(new URL('./judgeWorker.ts', import.meta.url), { resourceLimits });
}

/** `isOver`: the thread is of no use any more. */
function judgeOne(thread: Worker, { file, rung, text }: Task): Promise<{ killedBy: string | null; isOver: boolean }> {
  return new Promise((resolve, reject) => {
    let heard = cpuMs();
    const timer = setInterval(() => {
      if (cpuMs() - heard > SILENCE_CPU_MS) settle('it never ends', true);
    }, LOOK_MS);
    const settle = (killedBy: string | null, isOver: boolean): void => {
      clearInterval(timer);
      thread.off('message', onMessage).off('error', onError);
      resolve({ killedBy, isOver });
    };
    const onMessage = (report: Report): void => {
      if (report.kind === 'judged') settle(report.killedBy, false);
      else heard = cpuMs();
    };
    const onError = (error: NodeJS.ErrnoException): void => {
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') settle('it takes all memory', true);
      else reject(error);
    };
    thread.on('message', onMessage).on('error', onError);
    thread.postMessage({ file, rung, text } satisfies Task);
  });
}

function cpuMs(): number {
  const { system, user } = process.cpuUsage();
  return (system + user) / 1_000;
}
