import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { cacheFolder, hashOfFiles, writeWhole } from '../tlc/index.ts';
import { instrument } from './instrument.ts';

/** The page's program: one script, one style sheet. */
export interface Bundle {
  readonly script: string;
  readonly style: string;
}

const root = fileURLToPath(new URL('../../', import.meta.url));
const ENTRY = join(root, 'explorer/main.tsx');
const REGISTRY = join(root, 'explorer/model/ran/registry.ts');
const REPLICA = join(root, 'src/replica/');
/** What the page is made of, and what makes it; an installed package has no lock file. */
const MADE_OF = ['explorer', 'src'];
const BESIDES = ['package-lock.json', 'package.json'].filter((file) => existsSync(join(root, file)));

/** Built when it is needed, and kept under a hash of all that it is made of. */
export async function bundlePage(env: NodeJS.ProcessEnv): Promise<Bundle> {
  const file = join(await cacheFolder(env), 'page', `${await hashOfFiles(root, MADE_OF, BESIDES)}.json`);
  const kept = await readFile(file, 'utf8').catch(() => null);
  if (kept !== null) return JSON.parse(kept) as Bundle;
  const bundle = await build();
  // A cache that can't be written is no reason to fail.
  await writeWhole(file, JSON.stringify(bundle)).catch(() => {});
  return bundle;
}

async function build(): Promise<Bundle> {
  const vite = await import('vite');
  const result = await vite.build({
    root: join(root, 'explorer'),
    configFile: false,
    envFile: false,
    publicDir: false,
    logLevel: 'error',
    esbuild: { jsx: 'automatic', jsxImportSource: 'preact', legalComments: 'none' },
    plugins: [tellsWhatRan()],
    build: {
      write: false,
      target: 'es2022',
      cssCodeSplit: false,
      modulePreload: false,
      reportCompressedSize: false,
      rollupOptions: { input: ENTRY, output: { format: 'es', inlineDynamicImports: true } },
    },
  });
  const [{ output }] = (Array.isArray(result) ? result : [result]) as [import('vite').Rollup.RollupOutput];
  const script = output.flatMap((one) => (one.type === 'chunk' ? [one.code] : [])).join('\n');
  const style = output.flatMap((one) =>
    one.type === 'asset' && one.fileName.endsWith('.css') ? [`${one.source}`] : [],
  );
  return { script, style: style.join('\n') };
}

/** In the page the implementation tells which of its statements ran; guards (whyNot…) are asked all the time and do not. */
export function tellsWhatRan(): Plugin {
  return {
    name: 'tells-what-ran',
    enforce: 'pre',
    transform(source, id) {
      if (!id.startsWith(REPLICA)) return null;
      const file = basename(id);
      const { code, parts } = instrument(source, '__ran', (fn) => fn.startsWith('whyNot'));
      if (parts.length === 0) return null;
      const heading = `import { registerFile } from ${JSON.stringify(REGISTRY)};const __ran = registerFile(${JSON.stringify(file)}, ${JSON.stringify(parts)});`;
      return { code: heading + code, map: null };
    },
  };
}
