/** The package as others install it: `npm run test:package`, for it takes a minute and a registry. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from '../../src/tla/index.ts';
import { parseItf, printItf, type Trace } from '../../src/trace/index.ts';
import { outcomeOf } from '../tlc/support.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const isWanted = process.env.LEADER_EPOCH_PACKAGE === '1';

let project: string;
let packed: string[];

function run(command: string, args: readonly string[], cwd = project): string {
  return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1e8 });
}

describe.skipIf(!isWanted)('the package, in an empty project', () => {
  beforeAll(() => {
    project = realpathSync(mkdtempSync(join(tmpdir(), 'leader-epoch-package-')));
    const [{ filename, files }] = JSON.parse(
      run('npm', ['pack', '--json', '--pack-destination', project], ROOT).replace(/^[^[]*/s, ''),
    ) as [{ filename: string; files: { path: string }[] }];
    packed = files.map(({ path }) => path);
    writeFileSync(join(project, 'package.json'), '{ "type": "module", "private": true }\n');
    run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', join(project, filename), '@types/node@20']);
  }, 900_000);
  afterAll(() => {
    if (project !== undefined) rmSync(project, { recursive: true, force: true });
  });

  test('holds the compiled modules with their types, and no tests', () => {
    for (const name of ['tla', 'trace', 'tlc', 'graph']) {
      expect(packed).toContain(`dist/${name}/index.js`);
      expect(packed).toContain(`dist/${name}/index.d.ts`);
    }
    expect(packed.filter((path) => path.startsWith('test/'))).toEqual([]);
    expect(readdirSync(ROOT)).not.toContain('dist');
  });

  const text = readFileSync(join(ROOT, 'docs/toolkit.md'), 'utf8');
  const examples = [...text.matchAll(/<!-- run -->\n```(js|ts)\n(.*?)```\n<!-- prints -->\n```text\n(.*?)```/gs)];

  test('there are three examples in docs/toolkit.md', () => expect(examples).toHaveLength(3));

  test.each(examples.map(([, language, code, prints], index) => [index + 1, language, code, prints] as const))(
    'example %i of docs/toolkit.md, in %s, prints what it says',
    (index, language, code, prints) => {
      const name = `example${index}`;
      writeFileSync(join(project, `${name}.${language}`), code!);
      if (language === 'ts') {
        const options = [
          '--strict',
          '--module',
          'nodenext',
          '--target',
          'es2022',
          '--lib',
          'es2023',
          '--types',
          'node',
        ];
        run(process.execPath, ['node_modules/typescript/bin/tsc', ...options, `${name}.ts`]);
      }
      expect(run(process.execPath, [`${name}.js`]).trimEnd()).toBe(prints!.trimEnd());
    },
  );

  test('has a command that starts at once, and works', () => {
    expect(run('npx', ['leader-epoch', '--version']).trim()).toMatch(/^\d+\.\d+\.\d+$/);
    const traces = join(project, 'node_modules/leader-epoch/traces/fast-restart-told.itf.json');
    expect(run('npx', ['leader-epoch', 'replay', traces])).toMatch(/^✓ fast-restart-told/);
    expect(run('npx', ['leader-epoch', 'check', 'fast-restart-told'])).toContain('1 of 1 claim as claimed');
    const model = join(project, 'node_modules/leader-epoch/spec/models');
    const library = ['--library', join(project, 'node_modules/leader-epoch/spec')];
    const options = ['--no-deadlock', '--trace', 'trace.md', ...library];
    const told = spawnSync('npx', ['leader-epoch', 'tlc', join(model, 'FastRestartTold.tla'), ...options], {
      cwd: project,
    });
    expect([told.status, String(told.stdout)]).toEqual([1, expect.stringContaining('is violated, after')]);
    expect(readFileSync(join(project, 'trace.md'), 'utf8')).toContain('| state | action | changes |');
    expect(run('npx', ['leader-epoch', 'convert', traces, '-', '--to', 'mermaid'])).toMatch(/^sequenceDiagram\n/);
  });
});

describe.skipIf(!isWanted)('ITF with itf-py, an independent reader', () => {
  let python: string | null = null;
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'leader-epoch-itf-py-'));
    try {
      run('python3', ['-m', 'venv', join(folder, 'venv')], folder);
      run(join(folder, 'venv/bin/pip'), ['install', '--quiet', 'itf-py==0.5.0'], folder);
      python = join(folder, 'venv/bin/python');
    } catch (error) {
      console.log(`itf-py cannot be installed here, so ITF is not checked with it: ${String(error).split('\n')[0]}`);
    }
  }, 600_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const READ_AND_WRITE = `
import json, sys
from itf_py import trace_from_json, trace_to_json
trace = trace_from_json(json.load(open(sys.argv[1])))
json.dump(trace_to_json(trace), open(sys.argv[2], "w"))
`;

  /** Through itf-py and back. */
  function through(trace: Trace): Trace {
    const [before, after] = [join(folder, 'before.itf.json'), join(folder, 'after.itf.json')];
    writeFileSync(before, printItf(trace));
    run(python!, ['-c', READ_AND_WRITE, before, after], folder);
    return parseItf(readFileSync(after, 'utf8'));
  }

  test('reads every recorded trace, and what it writes is the same trace for us', (context) => {
    if (python === null) return context.skip();
    const names = readdirSync(join(ROOT, 'traces')).filter((name) => name.endsWith('.itf.json'));
    expect(names.length).toBeGreaterThan(10);
    for (const name of names) {
      const trace = parseItf(readFileSync(join(ROOT, 'traces', name), 'utf8'));
      expect(through(trace)).toEqual(trace);
    }
  });

  test('values of every kind but model values, and a lasso', (context) => {
    if (python === null) return context.skip();
    const values = [
      '-9007199254740993',
      '{<<>>, <<1>>, <<2, <<3>>>>}',
      '(0 :> {} @@ 2 :> TRUE)',
      '{[a |-> {1}], [a |-> {}]}',
      '"é \\" \\\\ \\n"',
      '{{}, {1..3}}',
    ];
    const states = values.map((value) => new Map([['v', parse(value)]]));
    const trace: Trace = { vars: ['v'], states, actions: states.map(() => null), loop: 2, meta: { note: 1 } };
    expect(through(trace)).toEqual(trace);
    const { trace: lasso } = outcomeOf('kinds/Lasso', 'temporal');
    expect(through(lasso)).toEqual(lasso);
  });
});
