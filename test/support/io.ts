import { main } from '../../src/cli.ts';

/** What a command line came to. */
export interface Ran {
  readonly exitCode: number;
  readonly out: string;
  readonly err: string;
}

export interface Surroundings {
  readonly env?: NodeJS.ProcessEnv;
  readonly isTerminal?: boolean;
  readonly columns?: number;
  readonly signal?: AbortSignal;
  /** Each line on stderr, as it comes. */
  readonly onErr?: (line: string) => void;
}

/** Runs a command line in this process, and keeps what it prints. */
export async function run(argv: readonly string[], surroundings: Surroundings = {}): Promise<Ran> {
  const out: string[] = [];
  const err: string[] = [];
  const exitCode = await main(argv, {
    out: (line) => out.push(line),
    err: (line) => {
      err.push(line);
      surroundings.onErr?.(line);
    },
    isTerminal: surroundings.isTerminal ?? false,
    columns: surroundings.columns ?? 100,
    env: surroundings.env ?? process.env,
    signal: surroundings.signal ?? new AbortController().signal,
  });
  return { exitCode, out: out.join('\n'), err: err.join('\n') };
}
