export { describeWithTlc, realJar, unable } from '../tlc/real.ts';

/** Most runs here are short: without Java's second compiler they take half the time. */
export const quickJava: NodeJS.ProcessEnv = { ...process.env, JAVA_TOOL_OPTIONS: '-XX:TieredStopAtLevel=1' };

/** For tests that wait for TLC, and for each other. */
export const PATIENCE_MS = 900_000;

const AT_A_TIME = 2;
let running = 0;
const waiting: (() => void)[] = [];

/** Two model checks at a time, however many tests are under way. */
export async function inTurn<T>(check: () => Promise<T>): Promise<T> {
  if (running >= AT_A_TIME) await new Promise<void>((proceed) => waiting.push(proceed));
  running++;
  try {
    return await check();
  } finally {
    running--;
    waiting.shift()?.();
  }
}
