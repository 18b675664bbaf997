import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parseState } from '../../src/tla/index.ts';
import { runTlc } from '../../src/tlc/index.ts';
import { parseItf, printItf, printTlaModule, type Trace } from '../../src/trace/index.ts';
import { run } from '../support/io.ts';
import { ownFolder } from '../support/spec.ts';
import { describeWithTlc } from '../support/tlc.ts';
import { FIXTURES, outcomeOf } from '../tlc/support.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const told = 'traces/fast-restart-told.itf.json';

let at: ReturnType<typeof ownFolder>;
beforeEach(() => {
  at = ownFolder();
});
afterEach(() => at.remove());

describe('convert', () => {
  test('the output of TLC to ITF, with what was violated', async () => {
    const itf = join(at.path, 'out.itf.json');
    expect(await run(['convert', `${FIXTURES}kinds/Lasso.out`, itf])).toEqual({ exitCode: 0, out: '', err: '' });
    const trace = parseItf(readFileSync(itf, 'utf8'));
    const { meta, ...rest } = outcomeOf('kinds/Lasso', 'temporal').trace;
    expect(trace).toEqual({ ...rest, meta: { violated: 'temporal', tlc: '2.18' } });
    expect(meta).toEqual({});
  });

  test('one of several traces', async () => {
    const { out } = await run([
      'convert',
      `${FIXTURES}kinds/ContinueMany.console`,
      '-',
      '--to',
      'text',
      '--number',
      '3',
    ]);
    expect(out).toMatch(/^State 1: <Initial predicate>\nx = 0\n\n[\s\S]*\nx = 3$/);
    const { exitCode, err } = await run([
      'convert',
      `${FIXTURES}kinds/ContinueMany.out`,
      '-',
      '--to',
      'text',
      '--number',
      '5',
    ]);
    expect([exitCode, err]).toEqual([2, `${FIXTURES}kinds/ContinueMany.out holds 4 traces: there is no number 5.`]);
  });

  test('what the Toolbox exports', async () => {
    const exported = join(at.path, 'trace.txt');
    writeFileSync(
      exported,
      '<<\n[\n _TEAction |-> [position |-> 1, name |-> "Init"],\n x |-> 1\n],\n[ x |-> 2 ]\n>>\n',
    );
    const { exitCode, out, err } = await run(['convert', exported, '-', '--to', 'text']);
    expect([exitCode, err]).toEqual([0, '']);
    expect(out).toMatch(/^State 1: <Initial predicate>\nx = 1\n\nState 2: .*\nx = 2$/);
  });

  test('from ITF and back, by way of the text of a console', async () => {
    const text = join(at.path, 'told.txt');
    expect((await run(['convert', told, text])).exitCode).toBe(0);
    const { out, err } = await run(['convert', text, '-', '--to', 'itf']);
    expect(err).toBe(`${text} is not the whole output of a run of TLC: its last trace may be cut.`);
    const before = parseItf(readFileSync(told, 'utf8'));
    const after = parseItf(out);
    expect(after.states).toEqual(before.states);
    expect(after.actions.map((action) => action?.name)).toEqual(before.actions.map((action) => action?.name));
    expect(after.actions.map((action) => action?.args)).toEqual(before.actions.map((action) => action?.args));
  });

  test('through pipes', () => {
    const input = readFileSync(`${FIXTURES}t26-params/Par.out`);
    const piped = spawnSync(process.execPath, ['bin/leader-epoch.js', 'convert', '-', '-', '--to', 'mermaid'], {
      cwd: ROOT,
      input,
    });
    expect(piped.status).toBe(0);
    expect(piped.stdout.toString()).toBe(`sequenceDiagram
  participant p1 as b1
  participant p2 as b2
  Note over p1: 2 Append
  Note over p1: 3 Append
  Note over p2: 4 Append
`);
  });

  test('a page and a diagram take their titles from the file', async () => {
    const [page, svg] = [join(at.path, 'told.md'), join(at.path, 'told.svg')];
    const mapping = ['--messages', 'network', '--sender', 'follower', '--receiver', 'leader', '--reversed', 'Response'];
    expect((await run(['convert', told, page])).exitCode).toBe(0);
    expect((await run(['convert', told, svg, ...mapping])).exitCode).toBe(0);
    expect(readFileSync(page, 'utf8')).toMatch(/^# told\n\n- claim: fast-restart-told\n/);
    expect(readFileSync(svg, 'utf8')).toContain('<title>told</title>');
    expect(readFileSync(svg, 'utf8').match(/class="message"/g)).toHaveLength(4);
  });

  test('to a module, in the place of an older trace, and never of a specification', async () => {
    const [module, config] = [join(at.path, 'Spec.tla'), join(at.path, 'Spec.cfg')];
    for (const name of ['first', 'again'])
      expect([name, (await run(['convert', told, module])).exitCode]).toEqual([name, 0]);
    expect(readFileSync(config, 'utf8')).toContain('\nINVARIANT TraceEnds\n');
    writeFileSync(config, 'INIT Init\nNEXT Next\n');
    expect(await run(['convert', told, module])).toEqual({
      exitCode: 2,
      out: '',
      err: `${config} is there already, and no trace: it would be lost. Choose another name.`,
    });
    expect(readFileSync(config, 'utf8')).toBe('INIT Init\nNEXT Next\n');
    writeFileSync(module, '---- MODULE Spec ----\n====\n');
    const { exitCode, err } = await run(['tlc', module, '--trace', module]);
    expect([exitCode, err]).toEqual([
      2,
      `${module} is there already, and no trace: it would be lost. Choose another name.`,
    ]);
    expect(readFileSync(module, 'utf8')).toBe('---- MODULE Spec ----\n====\n');
  });

  test('to a place that takes nothing is told before TLC runs', async () => {
    writeFileSync(join(at.path, 'file'), '');
    for (const [args, message] of [
      [['--trace', join(at.path, 'counter-example.tla')], /^TLA\+ takes no module counter-example: /],
      [['--junit', at.path], / is a folder: name a file in it\.$/],
      [
        ['--trace', join(at.path, 'file', 'x.md')],
        /file\/x\.md cannot be written \(ENOTDIR\): choose another place\.$/,
      ],
    ] as const) {
      const { exitCode, out, err } = await run(['tlc', 'no-such-specification.tla', ...args]);
      expect([exitCode, out]).toEqual([2, '']);
      expect(err).toMatch(message);
    }
  });

  test('what TLC dumps as JSON is told from ITF', async () => {
    const json = join(at.path, 'dump.json');
    writeFileSync(json, '[{"x":0},{"x":1}]');
    expect((await run(['convert', json, '-', '--to', 'text'])).out).toMatch(/x = 1$/);
  });

  test.each([
    ['a variable called state', '{"vars":["state"],"states":[{"state":1}]}', 'state = 1'],
    [
      'a field called counterexample',
      '{"vars":["x"],"states":[{"x":{"counterexample":1}}]}',
      'x = [counterexample |-> 1]',
    ],
    ['a variable called states, of TLC', '[{"vars":1,"states":[2]}]', '/\\ vars = 1\n/\\ states = <<2>>'],
  ])('whatever the names in it: %s', async (_what, text, state) => {
    const json = join(at.path, 'names.json');
    writeFileSync(json, text);
    expect(await run(['convert', json, '-', '--to', 'text'])).toMatchObject({
      exitCode: 0,
      out: `State 1: <Initial predicate>\n${state}`,
    });
  });

  test('one of several traces in a list, as Quint writes them (quint#1448)', async () => {
    const json = join(at.path, 'list.itf.json');
    writeFileSync(json, '[{"vars":["x"],"states":[{"x":1}]},{"vars":["x"],"states":[{"x":2}]}]');
    expect((await run(['convert', json, '-', '--to', 'text', '--number', '2'])).out).toMatch(/x = 2$/);
    expect((await run(['convert', json, '-', '--to', 'text', '--number', '3'])).err).toMatch(
      /holds 2 traces: there is no/,
    );
  });

  test.each<[args: string[], message: RegExp]>([
    [['no-such-file', '-', '--to', 'itf'], /^There is no file no-such-file\.$/],
    [['traces', '-', '--to', 'itf'], /^traces is a folder: name a file in it\.$/],
    [[told, 'out.xyz'], /^Say which format to write, with --to: itf, tla, markdown, mermaid, svg, text\.$/],
    [[told, '-', '--to', 'pdf'], /^There is no format "pdf" to write\. There are itf, tla, /],
    [
      [told, '-', '--to', 'itf', '--from', 'xml'],
      /^There is no format "xml" to read\. There are tlc, tlc-json, itf, toolbox\.$/,
    ],
    [
      [told, '-', '--to', 'itf', '--from', 'tlc'],
      /^traces\/fast-restart-told\.itf\.json holds no trace\. Give the output of TLC, /,
    ],
    [
      [told, '/no/such/folder/x.svg'],
      /^\/no\/such\/folder\/x\.svg cannot be written \(ENOENT\): choose another place\.$/,
    ],
    [[told, '/tmp/1-2.tla'], /^TLA\+ takes no module 1-2: /],
    [
      [told, '-', '--to', 'svg', '--messages', 'nothing'],
      /cannot be written as svg: expected one of the variables log, .*, found nothing\./,
    ],
    [[`${FIXTURES}t13-exit/ok.out`, '-', '--to', 'itf'], /ok\.out holds no trace\. TLC found no error\.$/],
    [
      [`${FIXTURES}kinds/CfgTwice.out`, '-', '--to', 'itf'],
      /holds no trace\. TLC says: TLC found an error in the configuration file at line 3$/,
    ],
  ])('%j', async (args, message) => {
    const { exitCode, out, err } = await run(['convert', ...args]);
    expect([exitCode, out]).toEqual([2, '']);
    expect(err).toMatch(message);
    expect(existsSync('/tmp/1-2.tla')).toBe(false);
  });
});

describeWithTlc('TLC evaluates the module', () => {
  async function follow(trace: Trace): Promise<Trace> {
    const { module, config } = printTlaModule(trace, 'Written');
    writeFileSync(join(at.path, 'Written.tla'), module);
    writeFileSync(join(at.path, 'Written.cfg'), config);
    const { outcome } = await runTlc({ spec: join(at.path, 'Written.tla'), heapMb: 256 });
    if (outcome.kind !== 'invariant' && outcome.kind !== 'temporal') throw new Error(JSON.stringify(outcome));
    return outcome.trace;
  }

  /** Of what TLC shows, what was written: without the position. */
  const written = ({ states, actions, loop, loopAction }: Trace) => ({
    states: states.map((state) => [...state].filter(([name]) => name !== 'tracePosition').sort()),
    names: actions.map((action) => action?.name ?? null),
    loop,
    closes: loopAction?.name,
  });

  test('of every kind of value, and prints the same trace', async () => {
    const zoo = outcomeOf('t07-value-zoo/Zoo', 'invariant').trace;
    const keys = outcomeOf('t06-record-keys/Keys', 'invariant').trace;
    const more = [
      '"\\" \\\\ \\t \\n é"',
      '[WF_a |-> 1]',
      '-5..3',
      '{<<mv, [a |-> {}]>>}',
      'SUBSET (1..8)',
      '(1..50 \\X 1..50)',
    ];
    const values = [
      ...zoo.states.map((state) => state.get('v')!),
      ...keys.states.map((state) => state.get('f')!),
      ...more.map((text) => parseState(`x = ${text}`).get('x')!),
    ];
    const states = values.map(
      (value, index) =>
        new Map([
          ['v', value],
          ['m::n', { kind: 'int', value: BigInt(index) } as const],
        ]),
    );
    const actions = values.map((_, index) => (index === 0 ? null : { name: index % 2 === 0 ? 'Even' : 'Odd' }));
    const trace: Trace = { vars: ['v', 'm::n'], states, actions, meta: { note: 'é \\* (*' } };
    const renamed = {
      ...trace,
      states: states.map(
        (state) =>
          new Map([
            ['v', state.get('v')!],
            ['m_n', state.get('m::n')!],
          ]),
      ),
    };
    expect(written(await follow(trace))).toEqual(written(renamed));
  });

  test('of a lasso, and goes round', async () => {
    const { trace } = outcomeOf('kinds/Lasso', 'temporal');
    expect(written(await follow(trace))).toEqual(written(trace));
  });
});

test('ITF keeps the whole trace that it was given', () => {
  const { trace } = outcomeOf('kinds/LassoDiff', 'temporal');
  expect(parseItf(printItf(trace))).toEqual(trace);
});
