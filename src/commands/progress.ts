import type { Io } from './io.ts';

/** Long work says where it is: a moving line on a terminal, one line for each finished piece elsewhere. */
export interface Progress {
  update(text: string): void;
  /** A piece of work is done; its line stays. */
  done(line: string): void;
  stop(): void;
}

export async function startProgress(io: Io, text: string): Promise<Progress> {
  if (!io.isTerminal) return { update: () => {}, done: (line) => io.out(line), stop: () => {} };
  const { default: ora } = await import('ora');
  // The signal handling is the command's: ora would only swallow keys.
  const spinner = ora({ text, discardStdin: false, hideCursor: false, stream: process.stderr }).start();
  return {
    update: (next) => {
      spinner.text = next;
    },
    done: (line) => {
      spinner.clear();
      io.out(line);
    },
    stop: () => {
      spinner.stop();
    },
  };
}
