/** `leader-epoch tlc`: any specification, its verdict for people, for CI and for editors. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Output } from '../../src/commands/schema.ts';
import { printState } from '../../src/tla/index.ts';
import { parseItf } from '../../src/trace/index.ts';
import { run } from '../support/io.ts';
import { COUNTER, describeWithTlc, ENDLESS, INIT_NEXT, type Place, place } from '../tlc/real.ts';

let at: Place;
beforeEach(() => {
  at = place('any', {
    'Counter.tla': COUNTER,
    'Counter.cfg': `${INIT_NEXT}INVARIANT Small\n`,
    'Fine.cfg': `${INIT_NEXT}INVARIANT Natural\n`,
    'Broken.tla': '---- MODULE Broken ----\nVARIABLE x\nInit == x = y\nNext == x = z\n====\n',
    'Broken.cfg': INIT_NEXT,
    'Endless.tla': ENDLESS,
    'Endless.cfg': INIT_NEXT,
  });
});
afterEach(() => at.remove());

const tlc = (...argv: string[]) =>
  run(['tlc', ...argv], { env: { ...at.env, LEADER_EPOCH_CACHE: join(at.root, 'cache') } });
const file = (name: string): string => join(at.folder, name);

describeWithTlc('leader-epoch tlc', () => {
  test('shows what is violated, and how; writes the trace; says that an outcome was kept', async () => {
    const trace = join(at.root, 'trace.itf.json');
    const first = await tlc(file('Counter.tla'), '--trace', trace, '--heap', '256');
    expect([first.exitCode, first.err]).toEqual([1, '']);
    expect(
      first.out.replace(/\d\.\d s/, '… s').replaceAll(at.folder, ''),
    ).toBe(`✗ /Counter.tla: The invariant Small is violated, after 3 states. (3 distinct states, … s)

  State 1: <Initial predicate>
  x = 0

  State 2: <Up line 5, col 7 to line 5, col 25 of module Counter>
  x = 1

  State 3: <Up line 5, col 7 to line 5, col 25 of module Counter>
  x = 2
`);
    const { states } = parseItf(readFileSync(trace, 'utf8'));
    expect(states.map(printState)).toEqual(['/\\ x = 0', '/\\ x = 1', '/\\ x = 2']);
    const second = await tlc(file('Counter.tla'));
    expect(second.out).toContain('(3 distinct states, kept from an earlier run)');
    expect((await tlc(file('Counter.tla'), '--fresh')).out).not.toContain('kept');
  });

  test('of several specifications, for CI: JSON by its schema and JUnit XML', async () => {
    const junit = join(at.root, 'junit.xml');
    const specs = [file('Counter.tla'), file('Broken.tla'), file('Nowhere.tla')];
    const { exitCode, out, err } = await tlc(...specs, '--json', '--junit', junit, '--heap', '256');
    expect([exitCode, err]).toEqual([1, '']);
    const document = JSON.parse(out);
    expect(Output.parse(document)).toEqual(document);
    expect(document).toMatchObject({
      version: 1,
      command: 'tlc',
      results: [
        {
          spec: specs[0],
          outcome: { kind: 'invariant', name: 'Small', trace: { states: [{}, {}, { x: { '#bigint': '2' } }] } },
          statistics: { distinct: 3 },
          tlcVersion: expect.stringMatching(/^\d/),
          kept: false,
        },
        {
          outcome: {
            kind: 'parse',
            errors: [
              { message: "Unknown operator: `y'.", module: 'Broken', line: 3, column: 13 },
              { message: "Unknown operator: `z'.", module: 'Broken', line: 4, column: 13 },
            ],
          },
        },
        { outcome: { kind: 'parse', errors: [{ message: `There is no file ${specs[2]}.` }] } },
      ],
    });
    const xml = readFileSync(junit, 'utf8');
    expect(xml).toContain('<testsuite name="tlc" tests="3" failures="1" errors="2"');
    expect(xml).toContain(
      '<failure message="The invariant Small is violated, after 3 states.">State 1: &#60;Initial predicate&#62;\n',
    );
    expect(xml).toContain('<error message="There is no file ');
  });

  test('takes options: a configuration, coverage, a time-out, random behaviours', async () => {
    const options = ['--config', file('Fine.cfg'), '--workers', 'auto', '--heap', '256', '--coverage'];
    const fine = await tlc(file('Counter.tla'), ...options);
    expect([fine.exitCode, fine.out.split('\n')]).toEqual([
      0,
      [
        expect.stringMatching(/^✓ .*: No error was found\. \(4 distinct states, /),
        '  | <<"wrapped", 3>>',
        '  coverage: Init: 1 new state of 1',
        '  coverage: Up: 3 new states of 3',
        '  coverage: Down: 0 new states of 1',
      ],
    ]);
    const nothing = await tlc(file('Counter.tla'), ...options, '--trace', join(at.root, 'none.md'));
    expect([nothing.exitCode, nothing.err]).toEqual([
      0,
      `There is no counterexample: ${join(at.root, 'none.md')} was not written.`,
    ]);
    const late = await tlc(file('Endless.tla'), '--timeout', '2', '--heap', '256');
    expect([late.exitCode, late.out]).toEqual([2, expect.stringContaining('TLC was stopped after 2 s.')]);
    expect(at.processes()).toEqual([]);
    const random = await tlc(file('Endless.tla'), '--simulate', '2', '--depth', '5', '--seed', '3', '--heap', '256');
    expect([random.exitCode, random.out]).toEqual([0, expect.stringContaining('in a search that is not exhaustive')]);
  });

  test('says what is wrong with the command line', async () => {
    expect(await tlc(file('Counter.tla'), '--trace', 'x.png')).toMatchObject({
      exitCode: 2,
      err: expect.stringMatching(/^x\.png does not say which format to write\./),
    });
    expect((await tlc(file('Counter.tla'), '--workers', 'many')).err).toContain('Expected a number from 1 on.');
    mkdirSync(join(at.root, 'bin'));
    writeFileSync(join(at.root, 'no.jar'), 'x');
    const noJar = await tlc(file('Counter.tla'), '--jar', join(at.root, 'no.jar'));
    expect([noJar.exitCode, noJar.out]).toEqual([2, expect.stringContaining('is no jar, or a damaged one')]);
    expect(existsSync(join(at.root, 'cache'))).toBe(false);
  });
});
