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

/** Of a segment, as an int counts them. */
const MAX_BYTES = 2 ** 31 - 1;

/** The file system of this machine. */
export function realFiles({ sync }: RealFilesOptions): Files {
  return {
    makeFolder: (path) => told(path, () => makeFolder(resolve(path), sync)),
    list: (folder) => told(folder, () => namesIn(folder)),
    read: (path) =>
      told(path, () => {
        // Most that are missing are asked for often, and an exception takes longer than a look.
        const found = lookAt(path);
        // A pipe or a device might never end.
        if (found?.isFile() === false) throw new FileError(path, 'EINVAL', 'it is no ordinary file');
        if (found !== undefined && found.size > MAX_BYTES)
          throw new FileError(path, 'EFBIG', `it has ${found.size} bytes: no file of a log is as large`);
        return found === undefined ? null : readWhole(path, found.size);
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
    read: (position, length) => told(path, () => readPart(fd, position, length)),
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

/** What is there, if anything is; where nobody may look (EACCES, ELOOP, …) it throws. */
function lookAt(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function readWhole(path: string, size: number): Uint8Array {
  const fd = openSync(path, constants.O_RDONLY);
  try {
    return readPart(fd, 0, size);
  } finally {
    closeSync(fd);
  }
}

/** Fewer bytes than asked for at the end of the file. */
function readPart(fd: number, position: number, length: number): Uint8Array {
  const bytes = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const read = readSync(fd, bytes, filled, length - filled, position + filled);
    if (read === 0) break;
    filled += read;
  }
  return bytes.subarray(0, filled);
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
