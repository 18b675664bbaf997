import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type RunTlcOptions, runTlc, type TlcResult } from '../../src/tlc/index.ts';
import { COUNTER, describeWithTlc, INIT_NEXT, type Place, place } from './real.ts';

/** A Java that plays back what TLC printed of that specification, at once, or after a while where there is a file `slow`. */
function recordedJava(output: Uint8Array): { JAVA_HOME: string } {
  const home = join(at.root, 'java');
  mkdirSync(join(home, 'bin'), { recursive: true });
  writeFileSync(join(home, 'output'), output);
  const script = `#!/bin/sh
[ "$1" = -version ] && { echo 'openjdk version "17.0.1"' >&2; exit 0; }
[ -e '${home}/slow' ] && exec sleep 10
exec cat '${home}/output'
`;
  writeFileSync(join(home, 'bin/java'), script);
  chmodSync(join(home, 'bin/java'), 0o755);
  return { JAVA_HOME: home };
}

/** Long ago: what changes while TLC runs is not kept, nor is what may have. */
const LONG_AGO = new Date('2020-01-01');

let at: Place;
let cache: string;
afterEach(() => at.remove());

function write(file: string, text: string): void {
  writeFileSync(file, text);
  utimesSync(file, LONG_AGO, LONG_AGO);
}

describeWithTlc('an outcome that is kept', () => {
  const spec = COUNTER.replace('EXTENDS Naturals', 'EXTENDS Naturals, Beside, Far');
  const modules = {
    'Counter.tla': spec,
    'Counter.cfg': `${INIT_NEXT}INVARIANT Natural\n`,
    'Beside.tla': '---- MODULE Beside ----\n====\n',
  };

  /** What TLC printed in the first test. */
  let printed: Uint8Array | undefined;

  beforeEach(() => {
    at = place('kept', {});
    for (const [name, text] of Object.entries(modules)) write(join(at.folder, name), text);
    mkdirSync(join(at.root, 'library'));
    write(join(at.root, 'library/Far.tla'), '---- MODULE Far ----\n====\n');
    cache = join(at.root, 'cache');
    java = {};
    if (printed !== undefined) java = recordedJava(printed);
  });

  let java: { JAVA_HOME?: string };
  const run = (options: Partial<RunTlcOptions> = {}): Promise<TlcResult> =>
    runTlc({
      spec: join(at.folder, 'Counter.tla'),
      library: [join(at.root, 'library')],
      heapMb: 256,
      keep: 'reuse',
      ...options,
      env: { ...at.env, LEADER_EPOCH_CACHE: cache, ...java },
    });

  test('is told as such, says the same, and asks neither TLC nor Java', async () => {
    const chunks: Uint8Array[] = [];
    const first = await run({ onOutput: (chunk) => chunks.push(chunk) });
    printed = Buffer.concat(chunks);
    expect([first.kept, first.outcome.kind]).toEqual([false, 'success']);
    chunks.length = 0;
    const second = await run({ onOutput: (chunk) => chunks.push(chunk), heapMb: 300 });
    const { jar, java: asked, javaArgs, durationMs, kept, ...report } = second;
    expect(first).toMatchObject(report);
    expect([kept, asked, javaArgs, jar?.sha256]).toEqual([true, null, [], first.jar?.sha256]);
    expect(report.userOutput).toEqual(['<<"wrapped", 3>>']);
    expect(Buffer.concat(chunks)).toEqual(printed);
    expect(durationMs).toBeGreaterThan(0);
    // Another folder, the same texts: the same outcome.
    for (const [name, text] of Object.entries(modules)) write(join(at.root, name), text);
    expect((await run({ spec: join(at.root, 'Counter.tla') })).kept).toBe(true);
  });

  test('is of no use once a module, the configuration or an option is another, or a module comes before', async () => {
    await run();
    const isKept = async (options: Partial<RunTlcOptions> = {}): Promise<boolean> => (await run(options)).kept;
    expect(await isKept()).toBe(true);
    expect(await isKept({ workers: 2 })).toBe(false);
    expect(await isKept({ keep: 'renew' })).toBe(false);
    write(join(at.root, 'library/Far.tla'), '---- MODULE Far ----\nFurther == 1\n====\n');
    expect(await isKept()).toBe(false);
    expect(await isKept()).toBe(true);
    write(join(at.folder, 'Far.tla'), '---- MODULE Far ----\n====\n');
    expect(await isKept()).toBe(false);
    write(join(at.folder, 'Counter.cfg'), `${INIT_NEXT}INVARIANT Small\n`);
    expect(await isKept()).toBe(false);
  });

  test('is a verdict, of specifications that depend on nothing else and do not change meanwhile', async () => {
    const dot = join(at.root, 'graph.dot');
    const runs: [what: string, run: () => Promise<TlcResult>][] = [
      ['not asked for', () => run({ keep: 'never' })],
      ['a graph', () => run({ dumpDot: { file: dot } })],
      ['an option that may write', () => run({ extraArgs: ['-dump', dot] })],
      ['a folder of its own', () => run({ cwd: at.folder })],
      [
        'just written',
        () => {
          writeFileSync(join(at.folder, 'Beside.tla'), '---- MODULE Beside ----\n====\n');
          utimesSync(join(at.folder, 'Beside.tla'), new Date(), new Date(Date.now() + 60_000));
          return run();
        },
      ],
    ];
    for (const [what, each] of runs) {
      expect([what, (await each()).outcome.kind]).toEqual([what, 'success']);
      expect([what, statSync(cache, { throwIfNoEntry: false })]).toEqual([what, undefined]);
    }
    writeFileSync(join(at.root, 'java/slow'), '');
    expect((await run({ timeoutMs: 300 })).outcome.kind).toBe('timeout');
    expect(statSync(cache, { throwIfNoEntry: false })).toBeUndefined();
  });

  test('that was cut or spoiled is made anew', async () => {
    await run();
    const folder = join(cache, 'outcomes');
    const [name, ...others] = readdirSync(folder);
    expect(others).toEqual([]);
    const file = join(folder, name!);
    const whole = readFileSync(file);
    for (const spoiled of ['', 'no entry', '{"exitCode":0}\n', '{"exitCode":"0","modules":{}}\nx']) {
      writeFileSync(file, spoiled);
      expect((await run()).kept).toBe(false);
    }
    expect(readFileSync(file).length).toBe(whole.length);
  });
});
