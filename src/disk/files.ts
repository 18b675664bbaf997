/**
 * The few things that a replica asks of a file system, all synchronous: a step of the protocol is over when its files are
 * written. The real one is below node:fs (`realFiles`); another (`MemoryFiles`) forgets what was not synced when its power
 * is cut.
 */
export interface Files {
  /** With the folders that it is in, durably. */
  makeFolder(path: string): void;
  /** Names in a folder, in order; none if there is no such folder. Like all else here it throws a FileError. */
  list(folder: string): string[];
  /** The whole file; null if there is none. */
  read(path: string): Uint8Array | null;
  /** Opens a file for reading and writing, and makes an empty one if there is none. */
  open(path: string): OpenFile;
  rename(from: string, to: string): void;
  remove(path: string): void;
  /** Makes durable which names a folder has. */
  syncFolder(path: string): void;
}

export interface OpenFile {
  size(): number;
  /** Fewer bytes than asked for at the end of the file. */
  read(position: number, length: number): Uint8Array;
  write(position: number, bytes: Uint8Array): void;
  /** Cuts the file. `durable`: and makes that durable before it returns; what was written before need not become so. */
  truncate(size: number, durable: boolean): void;
  sync(): void;
  close(): void;
}

/** What the file system will not do (EISDIR, EACCES, ENOSPC, …); the message names the file. */
export class FileError extends Error {
  override readonly name = 'FileError';
  /** In the file system's words. */
  readonly what: string;
  constructor(
    readonly file: string,
    readonly code: string,
    message: string,
  ) {
    // After a comma Node names the call, and perhaps the file again.
    const what = message.split(', ')[0] ?? code;
    super(`${file}: ${what}`);
    this.what = what;
  }
}

/** Writes a small file as a whole, so that after any crash either the old text or the new one is there. */
export function replaceFile(files: Files, path: string, text: string): void {
  const aside = `${path}.tmp`;
  const bytes = Buffer.from(text);
  const file = files.open(aside);
  try {
    file.truncate(0, false);
    file.write(0, bytes);
    file.sync();
  } finally {
    file.close();
  }
  files.rename(aside, path);
  files.syncFolder(folderOf(path));
}

export function folderOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash === -1 ? '.' : path.slice(0, slash);
}
