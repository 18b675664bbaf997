import {
  closeSync,
  constants,
  existsSync,
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
  unlinkSync,
  writeSync,
} from 'node:fs';
import type { Files, OpenFile } from './files.ts';

export interface RealFilesOptions {
  /** Without it nothing is ever synced: for replay, where no power is lost but in play. */
  readonly sync: boolean;
}

/** The file system of this machine. Its errors are Node's (ENOSPC, EACCES, …). */
export function realFiles({ sync }: RealFilesOptions): Files {
  return {
    makeFolder: (path) => void mkdirSync(path, { recursive: true }),
    list: (folder) => orNull(() => readdirSync(folder).sort()) ?? [],
    // Most that are missing are asked for often, and an exception takes longer than a look.
    read: (path) => (existsSync(path) ? orNull(() => readFileSync(path)) : null),
    open: (path) => openReal(path, sync),
    rename: renameSync,
    remove: unlinkSync,
    syncFolder: (path) => {
      if (!sync) return;
      const fd = openSync(path, constants.O_RDONLY);
      try {
        fsyncSync(fd);
      } finally {
        closeSync(fd);
      }
    },
  };
}

function openReal(path: string, sync: boolean): OpenFile {
  const fd = openSync(path, constants.O_RDWR | constants.O_CREAT);
  return {
    size: () => fstatSync(fd).size,
    read: (position, length) => {
      const bytes = Buffer.allocUnsafe(length);
      let filled = 0;
      while (filled < length) {
        const read = readSync(fd, bytes, filled, length - filled, position + filled);
        if (read === 0) break;
        filled += read;
      }
      return bytes.subarray(0, filled);
    },
    write: (position, bytes) => {
      for (let written = 0; written < bytes.length; ) {
        written += writeSync(fd, bytes, written, bytes.length - written, position + written);
      }
    },
    truncate: (size, durable) => {
      ftruncateSync(fd, size);
      if (durable && sync) fsyncSync(fd);
    },
    sync: () => {
      if (sync) fdatasyncSync(fd);
    },
    close: () => closeSync(fd),
  };
}

function orNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
