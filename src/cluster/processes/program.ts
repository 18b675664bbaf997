import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cacheFolder, hashOfFiles, writeWhole } from '../../tlc/index.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const ENTRY = join(root, 'src/cluster/processes/worker.ts');
const MADE_OF = ['src/cluster', 'src/disk', 'src/replica', 'src/wire'];

let program: Promise<string> | null = null;

/** The program of a broker's process as one file of JavaScript: it starts in a tenth of the time that its sources take. */
export function workerProgram(): Promise<string> {
  program ??= build();
  return program;
}

/** Kept under a hash of all that it is made of. */
async function build(): Promise<string> {
  const file = join(await cacheFolder(process.env), 'broker', `${await hashOfFiles(root, MADE_OF, [])}.mjs`);
  const isKept = await readFile(file).then(
    () => true,
    () => false,
  );
  if (isKept) return file;
  const vite = await import('vite');
  const result = await vite.build({
    ...{ root, configFile: false, envFile: false, publicDir: false, logLevel: 'error' },
    ssr: { noExternal: true },
    build: {
      ...{ write: false, ssr: ENTRY, target: 'node20', minify: false, reportCompressedSize: false },
      rollupOptions: { output: { format: 'es', inlineDynamicImports: true } },
    },
  });
  const [{ output }] = (Array.isArray(result) ? result : [result]) as [import('vite').Rollup.RollupOutput];
  await writeWhole(file, output[0].code);
  return file;
}
