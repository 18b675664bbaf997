import { delimiter } from 'node:path';
import { describe, expect, test } from 'vitest';
import { buildJavaArgs, defaultHeapMb, type TlcSettings } from '../../src/tlc/argv.ts';
import { hasSpecification } from '../../src/tlc/run.ts';

const GIB = 1024 ** 3;

function build(settings: TlcSettings, options: string[] = []): string[] {
  return buildJavaArgs(settings, {
    spec: '/s p/X.tla',
    config: '/s p/X.cfg',
    jar: '/j/t.jar',
    jarOptions: new Set(options),
    temporary: '/tmp/tlc-1',
    memoryBytes: 4 * GIB,
  });
}

describe('the arguments of Java', () => {
  test('of a plain run', () => {
    expect(build({})).toEqual([
      '-XX:+UseParallelGC',
      '-Xmx2048m',
      '-Xss16m',
      '-XX:-UsePerfData',
      '-XX:ErrorFile=/tmp/tlc-1/hs_err.log',
      '-Djava.io.tmpdir=/tmp/tlc-1',
      '-Dfile.encoding=UTF-8',
      '-Dstdout.encoding=UTF-8',
      '-Dstderr.encoding=UTF-8',
      '-Dsun.stdout.encoding=UTF-8',
      '-Dsun.stderr.encoding=UTF-8',
      '-Duser.language=en',
      ...['-cp', '/j/t.jar', 'tlc2.TLC', '-tool', '-metadir', '/tmp/tlc-1/states'],
      ...['-workers', '1', '-fp', '0', '-seed', '1', '-config', '/s p/X.cfg', '/s p/X.tla'],
    ]);
  });

  test('of a run with everything', () => {
    const args = build({
      workers: 'auto',
      fingerprint: 7,
      seed: -3,
      checkDeadlock: false,
      coverageMinutes: 1,
      simulate: { traces: 20 },
      depth: 30,
      continueAfterError: true,
      dumpDot: { file: '/o/g.dot', options: ['actionlabels', 'snapshot'] },
      diffTrace: true,
      depthFirst: 9,
      library: ['/l 1', '/l2'],
      heapMb: 700,
      jvmArgs: ['-Xss64m'],
      extraArgs: ['-cleanup'],
    });
    expect(args).toContain(`-DTLA-Library=/l 1${delimiter}/l2`);
    expect(args).toContain('-Xmx700m');
    // Of two, Java takes the last.
    expect(args.indexOf('-Xss64m')).toBeGreaterThan(args.indexOf('-Xss16m'));
    expect(args.indexOf('-Xss64m')).toBeLessThan(args.indexOf('-cp'));
    expect(args.slice(args.indexOf('-workers'))).toEqual([
      ...['-workers', 'auto', '-fp', '7', '-seed', '-3', '-config', '/s p/X.cfg', '-deadlock', '-coverage', '1'],
      ...['-simulate', 'num=20', '-depth', '30', '-continue', '-dump', 'dot,actionlabels,snapshot', '/o/g.dot'],
      ...['-difftrace', '-dfid', '9', '-cleanup', '/s p/X.tla'],
    ]);
  });

  test('of a brief run: one compiler, and little memory at a time, in the same heap', () => {
    const args = build({ brief: true });
    expect(args.filter((arg) => !build({}).includes(arg))).toEqual(['-XX:TieredStopAtLevel=1', '-Xmn64m']);
    expect(args.indexOf('-Xmn64m')).toBeLessThan(args.indexOf('-cp'));
    expect(build({ brief: false })).toEqual(build({}));
  });

  test('tell a release that writes trace specifications not to; one that does not know the option is spared', () => {
    expect(build({}, ['-noGenerateSpecTE'])).toContain('-noGenerateSpecTE');
    expect(build({})).not.toContain('-noGenerateSpecTE');
  });

  test.each([
    [0.5, 512],
    [4, 2048],
    [64, 8192],
  ])('%d GiB of memory give a heap of %i MiB', (gib, heapMb) => expect(defaultHeapMb(gib * GIB)).toBe(heapMb));
});

test.each([
  ['SPECIFICATION Spec\nPROPERTY Live', true],
  ['CONSTANT N = 1\nSPECIFICATION\n  Spec', true],
  ['INIT Init\nNEXT Next\n\\* SPECIFICATION Spec', false],
  ['(* use\nSPECIFICATION Spec\n*)\nINIT Init\nNEXT Next', false],
])('whether a configuration names a specification: %j', (text, expected) =>
  expect(hasSpecification(text)).toBe(expected),
);
