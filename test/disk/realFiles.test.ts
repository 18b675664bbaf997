import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { damageText, openStore, realFiles } from '../../src/disk/index.ts';
import { disk, logOf, oneBatchEach, open, options } from './support.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'leader-epoch-files-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const LOG = `${options.topic}-0`;
const SEGMENT = `${LOG}/00000000000000000000.log`;

function complaint(at = folder): string {
  const opened = openStore(realFiles({ sync: false }), { ...options, folder: at });
  return opened.kind === 'damaged' ? damageText(opened.damage) : 'opened';
}

describe('what the file system will not do is told in a sentence, with the file', () => {
  const names = [SEGMENT, `${LOG}/leader-epoch-checkpoint`, 'replication-offset-checkpoint', '.kafka_cleanshutdown'];

  test.each(names)('where %s is a folder', (name) => {
    mkdirSync(join(folder, name), { recursive: true });
    expect(complaint()).toBe(`${folder}/${name}: it is no ordinary file`);
  });

  test.each(names)('where %s is a device, which never ends', (name) => {
    mkdirSync(join(folder, LOG));
    symlinkSync('/dev/zero', join(folder, name));
    expect(complaint()).toBe(`${folder}/${name}: it is no ordinary file`);
  });

  it('where a file is larger than any segment', () => {
    mkdirSync(join(folder, LOG));
    writeFileSync(join(folder, SEGMENT), '');
    truncateSync(join(folder, SEGMENT), 2 ** 31);
    expect(complaint()).toBe(`${folder}/${SEGMENT}: it has 2147483648 bytes: no file of a log is as large`);
  });

  it('where a folder stands in the way of a new file', () => {
    mkdirSync(join(folder, LOG, 'leader-epoch-checkpoint.tmp'), { recursive: true });
    expect(complaint()).toBe(`${folder}/${LOG}/leader-epoch-checkpoint.tmp: EISDIR: illegal operation on a directory`);
  });

  it('where the folder of the log is a file', () => {
    writeFileSync(join(folder, LOG), '');
    expect(complaint()).toBe(`${folder}/${LOG}: EEXIST: file already exists`);
  });

  it('where a link leads to itself', () => {
    symlinkSync('replication-offset-checkpoint', join(folder, 'replication-offset-checkpoint'));
    expect(complaint()).toBe(`${folder}/replication-offset-checkpoint: ELOOP: too many symbolic links encountered`);
  });

  it('where a segment is a link to nowhere; what it leads to is not made', () => {
    mkdirSync(join(folder, LOG));
    symlinkSync(join(folder, 'elsewhere'), join(folder, SEGMENT));
    expect(complaint()).toMatch(/its folder lists it, but there is no such file$/);
    expect(readdirSync(folder)).toEqual([LOG]);
  });

  it.runIf(process.platform === 'linux')('where no folders can be made, as below /proc', () => {
    expect(complaint('/proc/leader-epoch')).toBe('/proc/leader-epoch/topic-0: ENOENT: no such file or directory');
  });
});

describe('the files of this machine', () => {
  it('are written and read back, a cut within a batch too', () => {
    const files = realFiles({ sync: true });
    const deep = { folder: join(folder, 'a/b') };
    const [log, epochCache] = [logOf(1, 1, 1), [{ epoch: 1, start: 0 }]];
    const { store } = open(files, deep);
    store.write(disk({ log, epochCache, flushed: 3 }), (records, offset) => oneBatchEach(records, offset));
    store.write(disk({ log: log.slice(0, 2), epochCache, flushed: 2 }), oneBatchEach);
    store.abandon();
    expect(open(files, deep).disk).toMatchObject({ log: log.slice(0, 2), flushed: 2, epochCache });
  });
});
