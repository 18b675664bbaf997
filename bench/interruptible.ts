import { ClaimsError } from '../src/claims/index.ts';
import { SyntaxTreeError } from '../src/specMutants/index.ts';

const interrupted = new AbortController();

/** Ctrl-C, to a script that `interruptible` runs. */
export const interruption: AbortSignal = interrupted.signal;

/** Runs what Ctrl-C may end; `kept` says what is left of its work then. What users got wrong is a message, without a stack. */
export async function interruptible(kept: string, main: () => Promise<void>): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interrupted.abort());
  try {
    await main();
  } catch (error) {
    if (interrupted.signal.aborted) console.error(`Interrupted. ${kept}`.trim());
    else if (isUsers(error)) console.error(error.message);
    else throw error;
    process.exitCode = 2;
  }
}

/** What is read before there is anything to interrupt: options, lists. */
export function orExit<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!isUsers(error)) throw error;
    console.error(error.message);
    return process.exit(2);
  }
}

function isUsers(error: unknown): error is Error {
  if (error instanceof ClaimsError || error instanceof SyntaxTreeError) return true;
  return error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
}
