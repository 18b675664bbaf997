/**
 * What the wrapper costs: `checkClaim` against bare `java … tlc2.TLC` on the same model, by turns in one run. The ratio of
 * the medians should stay at 1.05 or less; the model takes some 10 s.
 *
 * npm run bench [-- <claim> <rounds>]
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkClaim, loadClaims, pickClaims, specFolder } from '../src/claims/index.ts';
import { findJar, findJava } from '../src/tlc/index.ts';

const [name = 'kip320-clean', rounds = '3'] = process.argv.slice(2);
const [claim] = pickClaims(loadClaims(), [name], () => false);
const [jar, java] = [await findJar(), await findJava()];
if (!claim || !jar.ok || !java.ok) throw new Error(`No bench without a claim, a jar and Java.`);

/** As a user would type it, with the options that decide how fast TLC is. Returns milliseconds. */
function bare(model: string, jarPath: string, javaPath: string): number {
  const own = mkdtempSync(join(tmpdir(), 'leader-epoch-bench-'));
  const start = performance.now();
  const { status } = spawnSync(
    javaPath,
    [
      ...['-XX:+UseParallelGC', `-Djava.io.tmpdir=${own}`, `-DTLA-Library=${specFolder}`, '-cp', jarPath, 'tlc2.TLC'],
      ...['-workers', '1', '-fp', '0', '-seed', '1', '-deadlock', '-metadir', join(own, 'states'), `${model}.tla`],
    ],
    { cwd: join(specFolder, 'models'), stdio: 'ignore' },
  );
  const ms = performance.now() - start;
  rmSync(own, { recursive: true, force: true });
  if (status !== 0 && status !== 12) throw new Error(`java ended with ${status}`);
  return ms;
}

async function wrapped(): Promise<number> {
  const start = performance.now();
  const { verdict } = await checkClaim(claim as NonNullable<typeof claim>, { fresh: true });
  if (verdict.kind !== 'asClaimed') throw new Error(`${name} is ${verdict.kind}`);
  return performance.now() - start;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

const times: { bare: number[]; wrapped: number[] } = { bare: [], wrapped: [] };
for (let round = 0; round < Number(rounds); round++) {
  times.bare.push(bare(claim.model, jar.jar.path, java.java.path));
  times.wrapped.push(await wrapped());
}
const [bareMs, wrappedMs] = [median(times.bare), median(times.wrapped)];
const seconds = (ms: number): string => (ms / 1000).toFixed(2).padStart(6);
console.log(`check ${name}, median of ${rounds}:`);
console.log(`  bare java ${seconds(bareMs)} s   (${times.bare.map(seconds).join(' ')})`);
console.log(`  wrapper   ${seconds(wrappedMs)} s   (${times.wrapped.map(seconds).join(' ')})`);
console.log(`  ratio     ${(wrappedMs / bareMs).toFixed(3)}   (aim: 1.05 or less)`);
