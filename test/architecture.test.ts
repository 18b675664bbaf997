import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const src = fileURLToPath(new URL('../src/', import.meta.url));

/** The folders are stages of the data's way: what each may import of ours. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  tla: [],
  trace: ['tla'],
  tlc: ['tla', 'trace'],
  graph: ['tla'],
  replica: [],
  wire: [],
  disk: ['replica'],
  // Of the wrapper only how to find Java, and how to leave nothing behind.
  systems: ['replica', 'disk', 'tlc'],
  brokers: ['systems', 'tlc', 'wire', 'disk'],
  replay: ['tla', 'trace', 'replica', 'systems'],
  claims: ['tla', 'trace', 'tlc'],
  specMutants: ['tlc', 'claims'],
  // Of the wrapper only where things are kept; of the brokers only the gate.
  cluster: ['replica', 'disk', 'wire', 'systems', 'replay', 'tlc', 'brokers', 'conform'],
  conform: ['tla', 'trace', 'tlc', 'graph', 'replica', 'systems', 'replay', 'claims'],
  // By their names, each only when it is asked for.
  open: ['systems', 'brokers', 'cluster'],
  validate: ['tla', 'trace', 'tlc', 'replica', 'systems', 'replay', 'claims'],
  report: ['tla', 'trace'],
  // Of the wrapper only the folder where things are kept.
  page: ['tla', 'trace', 'tlc', 'replay', 'claims'],
  commands: [
    ...['tla', 'trace', 'tlc', 'replica', 'systems', 'replay', 'claims', 'report', 'page', 'graph', 'conform'],
    ...['cluster', 'open', 'validate'],
  ],
  commandLine: ['commands'],
};

/** They will run in a browser. */
const WITHOUT_NODE = ['tla', 'trace', 'replica', 'replay', 'report'];

interface Import {
  readonly file: string;
  readonly folder: string;
  readonly from: string;
}

const imports: Import[] = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && file.includes('/'))
  .flatMap((file) => {
    const text = readFileSync(join(src, file), 'utf8');
    const folder = file.split('/')[0] ?? '';
    return [...text.matchAll(/(?:from|import\()\s*'([^']+)'/g)].map(([, from = '']) => ({ file, folder, from }));
  });

describe('the direction of imports', () => {
  it('is known for every folder of src', () => {
    expect(new Set(imports.map(({ folder }) => folder))).toEqual(new Set(Object.keys(MAY_IMPORT)));
  });

  it('goes only from later stages to earlier ones', () => {
    const wrong = imports.flatMap(({ file, folder, from }) => {
      if (!from.startsWith('.')) return [];
      const target = relative(src, join(src, file, '..', from)).split('/')[0] ?? '';
      return target === folder || MAY_IMPORT[folder]?.includes(target) ? [] : [`${file} imports ${from}`];
    });
    expect(wrong).toEqual([]);
  });

  it('leaves Node out of what will run in a browser', () => {
    const wrong = imports.filter(({ folder, from }) => WITHOUT_NODE.includes(folder) && from.startsWith('node:'));
    expect(wrong).toEqual([]);
  });

  it('starts programs in few places', () => {
    const spawning = imports.filter(({ from }) => ['execa', 'node:child_process'].includes(from));
    const allowed = [
      'tlc/spawn.ts',
      'systems/jsonLines.ts',
      'systems/kafkaBuild.ts',
      'brokers/process.ts',
      'cluster/processes/child.ts',
    ];
    expect(spawning.map(({ file }) => file).filter((file) => !allowed.includes(file))).toEqual([]);
  });
});
