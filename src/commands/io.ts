/** What a command prints to and reads of its surroundings; a test gives its own. */
export interface Io {
  /** Writes a line to stdout. */
  out(line: string): void;
  /** Writes a line to stderr. */
  err(line: string): void;
  /** Both colours and moving progress are for terminals only. */
  readonly isTerminal: boolean;
  readonly columns: number;
  readonly env: NodeJS.ProcessEnv;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}

/** Exit codes of the house. */
export const AS_CLAIMED = 0;
export const NOT_AS_CLAIMED = 1;
export const COULD_NOT_TELL = 2;

/** The worst of several: not being able to tell is no excuse for something that is known to be wrong. */
export function worst(codes: readonly number[]): number {
  if (codes.includes(NOT_AS_CLAIMED)) return NOT_AS_CLAIMED;
  return codes.includes(COULD_NOT_TELL) ? COULD_NOT_TELL : AS_CLAIMED;
}

/** A mistake of the user's, or something missing: its message is all that is shown. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export function wantsColour(io: Io): boolean {
  return io.isTerminal && !io.env.NO_COLOR;
}

/** One JSON document, whatever the command. */
export function printJson(io: Io, command: string, exitCode: number, body: Record<string, unknown>): void {
  const plain = (_key: string, value: unknown): unknown => {
    if (value instanceof Map) return Object.fromEntries(value);
    if (value instanceof Set) return [...value];
    return typeof value === 'bigint' ? String(value) : value;
  };
  io.out(JSON.stringify({ version: 1, command, exitCode, ...body }, plain, 2));
}
