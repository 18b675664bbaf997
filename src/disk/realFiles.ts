import {
  closeSync,
  constants,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  type Stats,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { FileError, type Files, type OpenFile } from './files.ts';

export interface RealFilesOptions {
  /** Without it nothing is ever synced: for replay, where no power is lost but in play. */
  readonly sync: boolean;
}

/** The file system of this machine. */
export function realFiles({ sync }: RealFilesOptions): Files {
  return {
    makeFolder: (path) => told(path, () => makeFolder(resolve(path), sync)),
    list: (folder) => told(folder, () => (lookAt(folder) === undefined ? [] : readdirSync(folder).sort())),
    read: (path) =>
      told(path, () => {
        const found = lookAt(path);
        // A pipe or a device might never end.
        if (found?.isFile() === false) throw new FileError(path, 'EINVAL', 'it is no ordinary file');
        return found === undefined ? null : readFileSync(path);
      }),
    open: (path) => openReal(path, sync),
    rename: (from, to) => told(to, () => renameSync(from, to)),
    remove: (path) => told(path, () => unlinkSync(path)),
    syncFolder: (path) =>
      told(path, () => {
        if (sync) syncFolder(path);
      }),
  };
}

function openReal(path: string, sync: boolean): OpenFile {
  const fd = told(path, () => openSync(path, constants.O_RDWR | constants.O_CREAT));
  return {
    size: () => told(path, () => fstatSync(fd).size),
    read: (position, length) =>
      told(path, () => {
        const bytes = Buffer.allocUnsafe(length);
        let filled = 0;
        while (filled < length) {
          const read = readSync(fd, bytes, filled, length - filled, position + filled);
          if (read === 0) break;
          filled += read;
        }
        return bytes.subarray(0, filled);
      }),
    write: (position, bytes) =>
      told(path, () => {
        for (let written = 0; written < bytes.length; ) {
          written += writeSync(fd, bytes, written, bytes.length - written, position + written);
        }
      }),
    truncate: (size, durable) =>
      told(path, () => {
        ftruncateSync(fd, size);
        if (durable && sync) fsyncSync(fd);
      }),
    sync: () =>
      told(path, () => {
        if (sync) fdatasyncSync(fd);
      }),
    close: () => closeSync(fd),
  };
}

/** Most that are missing are asked for often, and an exception takes longer than a look. Anything else is one (EACCES, …). */
function lookAt(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false });
}

/** One by one, if they are not there: where a file system makes no folders (/proc), Node's `recursive` never ends. */
function makeFolder(path: string, sync: boolean): void {
  if (isFolder(path)) return;
  if (dirname(path) !== path) makeFolder(dirname(path), sync);
  try {
    mkdirSync(path);
  } catch (error) {
    // Somebody else may have been faster.
    if (!isFolder(path)) throw error;
  }
  if (sync) syncFolder(dirname(path));
}

function syncFolder(path: string): void {
  const fd = openSync(path, constants.O_RDONLY);
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

function isFolder(path: string): boolean {
  return lookAt(path)?.isDirectory() ?? false;
}

function told<T>(path: string, call: () => T): T {
  try {
    return call();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined || error instanceof FileError) throw error;
    throw new FileError(path, code, message);
  }
}
