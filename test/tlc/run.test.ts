import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { type RunTlcOptions, runTlc, type TlcProgress } from '../../src/tlc/index.ts';
import { COUNTER, describeWithTlc, ENDLESS, INIT_NEXT, type Place, place, realJar } from './real.ts';
import { expectKind, FIXTURES, names, state } from './support.ts';

let at: Place;
afterEach(() => at.remove());

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A small heap: other tests run beside these. */
function run(options: Partial<RunTlcOptions> & { spec: string }) {
  return runTlc({ heapMb: 256, env: at.env, ...options });
}

/** The temporary folder is gone, the process too, and nothing was written beside the specification. */
function expectNothingLeft(files: readonly string[]): void {
  expect(at.leftovers()).toEqual([]);
  expect(at.processes()).toEqual([]);
  expect(readdirSync(at.folder).sort()).toEqual([...files].sort());
}

/** A program of its own, that runs TLC on a specification of the place. */
function programOf(body: string, specification: string): string {
  const program = `import { readdirSync, writeFileSync } from 'node:fs';
    import { runTlc } from ${JSON.stringify(join(ROOT, 'src/tlc/index.ts'))};
    const spec = ${JSON.stringify(join(at.folder, specification))};
    ${body}`;
  const file = join(at.root, 'program.mjs');
  writeFileSync(file, program);
  return file;
}

/** A small disk of its own, seen by one process only, takes the rights of root on Linux. */
function canMount(): boolean {
  const { status } = spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', '-o', 'size=1m', 'none', tmpdir()]);
  return status === 0;
}

/** A process that was sent SIGKILL at an exit may need a moment. */
async function untilGone(): Promise<void> {
  for (let tries = 0; tries < 50 && at.processes().length > 0; tries++)
    await new Promise((done) => setTimeout(done, 100));
}

describeWithTlc('a run of TLC', () => {
  test('has a stack for recursion that ends, though Java by itself has not', async () => {
    const deep = `---- MODULE Deep ----
EXTENDS Naturals
VARIABLE n
RECURSIVE Sum(_)
Sum(k) == IF k = 0 THEN 0 ELSE k + Sum(k - 1)
Init == n = Sum(3000)
Next == UNCHANGED n
Right == n = 4501500
====
`;
    at = place('deep', { 'Deep.tla': deep, 'Deep.cfg': `${INIT_NEXT}INVARIANT Right\n` });
    const spec = join(at.folder, 'Deep.tla');
    expect((await run({ spec })).outcome).toEqual({ kind: 'success', exhaustive: true });
    expect((await run({ spec, jvmArgs: ['-Xss1m'] })).outcome).toMatchObject({
      kind: 'evaluation',
      message: expect.stringContaining('StackOverflowError'),
    });
  });

  test('that succeeds tells counts, coverage and what the spec prints', async () => {
    at = place('ok', { 'Counter.tla': COUNTER, 'Counter.cfg': `${INIT_NEXT}INVARIANT Natural\n` });
    const phases = new Set<TlcProgress['phase']>();
    const result = await run({
      spec: join(at.folder, 'Counter.tla'),
      coverageMinutes: 1,
      onProgress: (progress) => phases.add(progress.phase),
    });
    expect(result.outcome).toEqual({ kind: 'success', exhaustive: true });
    expect(result.statistics).toEqual({ generated: 5, distinct: 4, queueLeft: 0, depth: 4, initial: 1 });
    expect(result.userOutput).toEqual(['<<"wrapped", 3>>']);
    expect(result.coverage.find((item) => item.name === 'Up')).toMatchObject({ kind: 'next', distinct: 3 });
    expect([...phases]).toEqual(['parsing', 'initialStates', 'searching', 'finished']);
    expect(result.durationMs).toBeGreaterThan(0);
    expect(result.jar?.sha256).toBe(realJar?.sha256);
    expectNothingLeft(['Counter.cfg', 'Counter.tla']);
  });

  test('that finds a violation has the trace; no file ending, an own configuration', async () => {
    at = place('violation', { 'Counter.tla': COUNTER, 'Other.cfg': `${INIT_NEXT}INVARIANT Small\n` });
    const { outcome, warnings } = await run({ spec: join(at.folder, 'Counter'), config: join(at.folder, 'Other.cfg') });
    const { trace, name } = expectKind(outcome, 'invariant');
    expect(name).toBe('Small');
    expect(trace.states).toEqual([state('x = 0'), state('x = 1'), state('x = 2')]);
    expect(names(trace)).toEqual([null, 'Up', 'Up']);
    expect(warnings).toEqual([]);
    expectNothingLeft(['Counter.tla', 'Other.cfg']);
  });

  test('on a specification with an error tells where', async () => {
    at = place('syntax', { 'Counter.tla': COUNTER.replace('x = 0\n', 'x == 0\n'), 'Counter.cfg': INIT_NEXT });
    const { outcome } = await run({ spec: join(at.folder, 'Counter.tla') });
    expect(expectKind(outcome, 'parse').errors).toEqual([
      { message: expect.stringContaining('line 4'), module: 'Counter', line: 4, column: expect.any(Number) },
    ]);
    expectNothingLeft(['Counter.cfg', 'Counter.tla']);
  });

  test('in a folder called "a b (c)", with a relative path, an import from a library, and a dumped graph', async () => {
    at = place('a b (c)', {
      'Counter.tla': COUNTER.replace('EXTENDS Naturals', 'EXTENDS Naturals, Beside, Far'),
      'Counter.cfg': `${INIT_NEXT}INVARIANT Natural\n`,
      'Beside.tla': '---- MODULE Beside ----\n====\n',
    });
    const library = join(at.root, 'lib [d]');
    mkdirSync(library);
    writeFileSync(join(library, 'Far.tla'), '---- MODULE Far ----\n====\n');
    const dot = join(at.root, 'graph of it.dot');
    const result = await run({
      spec: relative(process.cwd(), join(at.folder, 'Counter.tla')),
      library: [relative(process.cwd(), library)],
      dumpDot: { file: relative(process.cwd(), dot), options: ['actionlabels', 'colorize'] },
    });
    expect(result.outcome.kind).toBe('success');
    expect(readdirSync(at.root).sort()).toEqual(['a b (c)', 'graph of it.dot', 'lib [d]', 'temporary']);
    expectNothingLeft(['Beside.tla', 'Counter.cfg', 'Counter.tla']);
  });

  test('reads and prints letters beyond Latin as TLC can: 2.18 rejects them, and none prints question marks', async () => {
    const spec = COUNTER.replace('"wrapped"', '"日本"');
    at = place('unicode', { 'Counter.tla': spec, 'Counter.cfg': INIT_NEXT });
    const { outcome, userOutput } = await run({
      spec: join(at.folder, 'Counter.tla'),
      env: { ...at.env, LC_ALL: 'C' },
    });
    if (outcome.kind === 'success') return expect(userOutput).toEqual(['<<"日本", 3>>']);
    const [error] = expectKind(outcome, 'parse').errors;
    expect(error).toMatchObject({ line: 6, message: expect.stringContaining('\\u672c') });
  });

  test('that is out of time leaves no process and no temporary folder', async () => {
    at = place('timeout', { 'Endless.tla': ENDLESS, 'Endless.cfg': INIT_NEXT });
    const { outcome, statistics } = await run({ spec: join(at.folder, 'Endless.tla'), timeoutMs: 4_000 });
    expect(outcome).toEqual({ kind: 'timeout', timeoutMs: 4_000 });
    expect(statistics.initial).toBe(1);
    expectNothingLeft(['Endless.cfg', 'Endless.tla']);
  });

  test('that is aborted leaves none either', async () => {
    at = place('abort', { 'Endless.tla': ENDLESS, 'Endless.cfg': INIT_NEXT });
    const controller = new AbortController();
    const { outcome } = await run({
      spec: join(at.folder, 'Endless.tla'),
      signal: controller.signal,
      onProgress: ({ phase }) => phase === 'searching' && controller.abort(),
    });
    expect(outcome).toEqual({ kind: 'cancelled', by: 'abort', signal: null });
    expectNothingLeft(['Endless.cfg', 'Endless.tla']);
    const before = await run({ spec: join(at.folder, 'Endless.tla'), signal: controller.signal });
    expect(before.outcome).toEqual({ kind: 'cancelled', by: 'abort', signal: null });
    expect(before.javaArgs).toEqual([]);
  });

  test.each([
    ['SIGINT', 'SIGINT', [null, 'SIGINT']],
    ['SIGTERM', 'SIGTERM', [null, 'SIGTERM']],
    ['SIGHUP', 'SIGHUP', [null, 'SIGHUP']],
    ['a call of process.exit', null, [3, null]],
  ] as const)('in a program that ends by %s ends with it', async (_, signal, expected) => {
    at = place('signal', { 'Endless.tla': ENDLESS, 'Endless.cfg': INIT_NEXT });
    const action = signal === null ? 'process.exit(3)' : `process.stdout.write('searching')`;
    const file = programOf(
      `await runTlc({ spec, heapMb: 256, onProgress: ({ phase }) => phase === 'searching' && ${action} });`,
      'Endless.tla',
    );
    const child = spawn(process.execPath, ['--import', './ts-node.js', file], {
      cwd: ROOT,
      env: { ...at.env, ...at.temporary },
    });
    if (signal !== null) child.stdout.once('data', () => child.kill(signal));
    const ended = await new Promise((done) => child.on('exit', (code, by) => done([code, by])));
    expect(ended).toEqual(expected);
    await untilGone();
    expectNothingLeft(['Endless.cfg', 'Endless.tla']);
  });

  test('whose output nobody reads any more leaves none either', async () => {
    at = place('pipe', { 'Endless.tla': ENDLESS, 'Endless.cfg': INIT_NEXT });
    const program = programOf(
      `await runTlc({ spec, heapMb: 256, onOutput: (chunk) => process.stdout.write(chunk) });`,
      'Endless.tla',
    );
    const piped = `${process.execPath} --import ./ts-node.js '${program}' | head -c 100`;
    const { stdout, status } = spawnSync('sh', ['-c', piped], { cwd: ROOT, env: { ...at.env, ...at.temporary } });
    expect([stdout.length, status]).toEqual([100, 0]);
    await untilGone();
    expectNothingLeft(['Endless.cfg', 'Endless.tla']);
  });

  test.skipIf(!canMount())('whose disk is full says so, and leaves nothing on it', async () => {
    at = place('full', {});
    for (const name of ['Full.tla', 'Full.cfg']) copyFileSync(join(FIXTURES, 'kinds', name), join(at.folder, name));
    const disk = join(at.root, 'disk');
    mkdirSync(disk);
    const program = programOf(
      `process.env.TMPDIR = ${JSON.stringify(disk)};
      const small = await runTlc({ spec, heapMb: 256 });
      const left = readdirSync(process.env.TMPDIR);
      writeFileSync(process.env.TMPDIR + '/ballast', Buffer.alloc(1_900_000));
      try { for (;;) writeFileSync(process.env.TMPDIR + '/ballast', 'x'.repeat(4096), { flag: 'a' }); } catch {}
      const full = await runTlc({ spec, heapMb: 256 });
      console.log(JSON.stringify({ small: small.outcome, full: full.outcome, left, after: readdirSync(process.env.TMPDIR) }));`,
      'Full.tla',
    );
    const mounted = `mount -t tmpfs -o size=2m none '${disk}' && exec ${process.execPath} --import ./ts-node.js '${program}'`;
    const output = execFileSync('unshare', ['--mount', 'sh', '-c', mounted], {
      cwd: ROOT,
      env: at.env,
      encoding: 'utf8',
    });
    const { small, full, left, after } = JSON.parse(output);
    expect(small).toEqual({
      kind: 'toolFailure',
      cause: 'diskFull',
      message: expect.stringMatching(/no space left on device/i),
    });
    expect(full).toMatchObject({ kind: 'toolFailure', cause: 'diskFull' });
    expect([left, after]).toEqual([[], ['ballast']]);
    expectNothingLeft(['Full.cfg', 'Full.tla']);
  });

  test('with an option that its jar does not know', async () => {
    at = place('option', { 'Counter.tla': COUNTER, 'Counter.cfg': INIT_NEXT });
    const { outcome } = await run({ spec: join(at.folder, 'Counter.tla'), extraArgs: ['-noSuchOption'] });
    expect(outcome).toMatchObject({ kind: 'usage', option: '-noSuchOption' });
  });

  test('with a JVM option that Java does not know', async () => {
    at = place('jvm', { 'Counter.tla': COUNTER, 'Counter.cfg': INIT_NEXT });
    const { outcome } = await run({ spec: join(at.folder, 'Counter.tla'), jvmArgs: ['-Xnonsense'] });
    expect(outcome).toMatchObject({ kind: 'toolFailure', cause: 'jvmStart' });
    expectNothingLeft(['Counter.cfg', 'Counter.tla']);
  });

  test('three at the same time do not disturb each other', async () => {
    at = place('parallel', { 'Counter.tla': COUNTER, 'Counter.cfg': INIT_NEXT });
    const listeners = process.listenerCount('SIGTERM');
    const results = await Promise.all([1, 2, 3].map(() => run({ spec: join(at.folder, 'Counter.tla'), heapMb: 64 })));
    expect(results.map((result) => result.outcome.kind)).toEqual(['success', 'success', 'success']);
    expect(process.listenerCount('SIGTERM')).toBe(listeners);
    expectNothingLeft(['Counter.cfg', 'Counter.tla']);
  });
});

test.skipIf(process.platform === 'win32' || realJar === null)('a Java that ignores SIGTERM is killed', async () => {
  at = place('deaf', { 'Counter.tla': COUNTER, 'Counter.cfg': INIT_NEXT });
  const bin = join(at.root, 'java', 'bin');
  mkdirSync(bin, { recursive: true });
  const script = `#!/bin/sh
[ "$1" = -version ] && { echo 'openjdk version "17.0.1"' >&2; exit 0; }
trap '' TERM
while :; do sleep 0.2; done
`;
  writeFileSync(join(bin, 'java'), script);
  chmodSync(join(bin, 'java'), 0o755);
  const env = { ...at.env, JAVA_HOME: join(at.root, 'java') };
  const result = await run({ spec: join(at.folder, 'Counter.tla'), env, timeoutMs: 800, graceMs: 300 });
  expect(result.outcome).toEqual({ kind: 'timeout', timeoutMs: 800 });
  expect(result.durationMs).toBeGreaterThan(1_000);
  expectNothingLeft(['Counter.cfg', 'Counter.tla']);
});

test('a file that is missing is told before Java starts', async () => {
  at = place('missing', { 'Counter.tla': COUNTER });
  const noSpec = await run({ spec: join(at.folder, 'Nothing.tla') });
  expect(noSpec.outcome).toEqual({
    kind: 'parse',
    errors: [{ message: `There is no file ${join(at.folder, 'Nothing.tla')}.` }],
  });
  const noConfig = await run({ spec: join(at.folder, 'Counter.tla') });
  expect(noConfig.outcome).toMatchObject({
    kind: 'config',
    message: `There is no configuration file ${join(at.folder, 'Counter.cfg')}.`,
  });
});

test('so is a folder to run in', async () => {
  at = place('folder', { 'Counter.tla': COUNTER, 'Counter.cfg': INIT_NEXT });
  const { outcome } = await run({ spec: join(at.folder, 'Counter.tla'), cwd: join(at.root, 'nowhere') });
  expect(outcome).toEqual({
    kind: 'toolFailure',
    cause: 'system',
    message: `There is no folder ${join(at.root, 'nowhere')}.`,
  });
});

test('a jar and a Java that are missing are outcomes', async () => {
  at = place('tools', { 'Counter.tla': COUNTER, 'Counter.cfg': INIT_NEXT });
  const spec = join(at.folder, 'Counter.tla');
  expect((await run({ spec, jar: join(at.folder, 'no.jar') })).outcome).toMatchObject({
    kind: 'badJar',
    problem: 'missing',
  });
  if (realJar === null) return;
  const { outcome } = await run({ spec, jar: realJar.path, env: { PATH: at.folder } });
  expect(outcome).toMatchObject({ kind: 'missingJava', problem: 'missing' });
});

test('options that make no sense are a mistake of the program', async () => {
  at = place('mistake', {});
  await expect(run({ spec: 'X.tla', workers: 0 })).rejects.toThrow(TypeError);
  await expect(run({ spec: 'X.tla', heapMb: 1.5 })).rejects.toThrow('heapMb is 1.5');
});
