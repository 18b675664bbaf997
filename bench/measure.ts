/** What benches of readers share. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunTlcOptions, runTlc, type TlcResult } from '../src/tlc/index.ts';

export const MB = 1e6;

/** Runs TLC on a specification in a folder that is gone afterwards. */
export async function withTlc<T>(
  name: string,
  text: string,
  config: string,
  options: (folder: string) => Partial<RunTlcOptions>,
  use: (result: TlcResult, folder: string) => T | Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'leader-epoch-bench-'));
  try {
    writeFileSync(join(folder, `${name}.tla`), text);
    writeFileSync(join(folder, `${name}.cfg`), config);
    const result = await runTlc({ spec: join(folder, `${name}.tla`), ...options(folder) });
    return await use(result, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Milliseconds of computing: another program on the same core does not count. Of some rounds the best one. */
export async function best(rounds: number, work: () => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

export function rate(mb: number, ms: number): number {
  return mb / (ms / 1000);
}

export function shown(mb: number, ms: number): string {
  return `${rate(mb, ms).toFixed(1).padStart(6)} MB/s`;
}

/** A rule that does not hold makes the bench fail, after it has told all. */
export function check(holds: boolean, rule: string): void {
  if (holds) return;
  console.log(`  NOT: ${rule}`);
  process.exitCode = 1;
}

/** Of the time that TLC took to make it, on the clock. */
export function checkShare(ms: number, tlcMs: number, most: number): void {
  const percent = (share: number): string => `${Math.round(share * 100)} %`;
  console.log(`  read in ${percent(ms / tlcMs)} of the time of TLC`);
  check(ms <= tlcMs * most, `at most ${percent(most)} of the time of TLC`);
}

/** Of this process since it began; TLC is another one. */
export function checkMemory(mostMb: number): void {
  const peak = process.resourceUsage().maxRSS / 1024;
  console.log(`at most ${Math.round(peak)} MiB`);
  check(peak <= mostMb, `at most ${mostMb} MiB`);
}
