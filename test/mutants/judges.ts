import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Report, Task } from './judgeWorker.ts';
import type { Rung } from './rungs.ts';

/**
 * Of this process's processor time, for the clock runs on while others have the machine: no start and no 2,000 states, after
 * which a thread says that it is alive, take so much.
 */
const SILENCE_CPU_MS = 30_000;
const LOOK_MS = 2_000;
const HEAP_MB = 4096;

/** Judges all tasks, so many at a time, each in a thread that goes on with the next; a thread that never ends is replaced. */
export async function judgeAll<T extends Task>(
  tasks: readonly T[],
  rungs: readonly Rung[],
  onVerdict: (task: T, killedBy: string | null) => void,
  jobs = Math.min(2, availableParallelism()),
): Promise<void> {
  let next = 0;
  const judge = async (): Promise<void> => {
    let thread: Worker | null = null;
    while (next < tasks.length) {
      const task = tasks[next++]!;
      thread ??= new Worker(new URL('./judgeWorker.ts', import.meta.url), {
        workerData: { rungs },
        resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
      });
      const { killedBy, isOver } = await judgeOne(thread, task);
      onVerdict(task, killedBy);
      if (!isOver) continue;
      await thread.terminate();
      thread = null;
    }
    await thread?.terminate();
  };
  await Promise.all(Array.from({ length: Math.min(jobs, tasks.length) }, judge));
}

/** `isOver`: the thread is of no use any more. */
function judgeOne(thread: Worker, { by, file, text }: Task): Promise<{ killedBy: string | null; isOver: boolean }> {
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
    thread.postMessage({ by, file, text } satisfies Task);
  });
}

function cpuMs(): number {
  const { system, user } = process.cpuUsage();
  return (system + user) / 1_000;
}
