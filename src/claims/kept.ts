import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheFolder, findJar, type Jar, parseTlcOutput, type TlcResult, writeWhole } from '../tlc/index.ts';

/**
 * Outcomes that are kept between runs: the output of TLC as it was, under a name made of all that it depends on. An
 * unchanged model is not checked twice. Only verdicts are kept, never failures.
 */
export interface Keeper {
  read(): Promise<Kept | null>;
  write(output: readonly Uint8Array[], result: TlcResult): Promise<void>;
}

export type Kept = Pick<TlcResult, 'outcome' | 'statistics' | 'userOutput' | 'tlcVersion' | 'durationMs'> & {
  jar: Jar;
};

/** Null where no jar is to be had: the run itself will say why. */
export async function keeperFor(specHash: string, env: NodeJS.ProcessEnv): Promise<Keeper | null> {
  const found = await findJar({ env, download: () => Promise.reject(new Error('not now')) });
  if (!found.ok) return null;
  const { jar } = found;
  const name = createHash('sha256').update(`1 ${specHash} ${jar.sha256}`).digest('hex');
  const file = join(await cacheFolder(env), 'outcomes', `${name}.txt`);
  return {
    async read() {
      const output = await readFile(file).catch(() => null);
      if (output === null) return null;
      const report = parseTlcOutput(output, null);
      return isVerdict(report.outcome.kind) ? { ...report, jar } : null;
    },
    async write(output, result) {
      if (!isVerdict(result.outcome.kind)) return;
      // A cache that can't be written is no reason to fail.
      await writeWhole(file, Buffer.concat(output)).catch(() => {});
    },
  };
}

function isVerdict(kind: string): boolean {
  return kind === 'success' || kind === 'invariant' || kind === 'temporal';
}
