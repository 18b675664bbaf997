/**
 * A file system in memory that knows what would survive a loss of power. Whatever is done to it is kept as a list of
 * operations, of which some became durable; `crashImages` makes of it every content that a machine may come back with.
 */
import { type Files, folderOf, type OpenFile } from './files.ts';

/** Whole files by path. */
export type Image = ReadonlyMap<string, Uint8Array>;

type DataOperation =
  | { readonly kind: 'write'; readonly position: number; readonly bytes: Uint8Array }
  | { readonly kind: 'truncate'; readonly size: number };

type NameOperation =
  | { readonly kind: 'create'; readonly path: string; readonly inode: Inode }
  | { readonly kind: 'rename'; readonly from: string; readonly to: string }
  | { readonly kind: 'remove'; readonly path: string };

interface Inode {
  content: Uint8Array;
  durable: Uint8Array;
  /** Since it was synced. */
  pending: DataOperation[];
}

export class MemoryFiles implements Files {
  #names = new Map<string, Inode>();
  #durableNames = new Map<string, Inode>();
  /** Operations on names since their folder was synced, in order. */
  #pendingNames: NameOperation[] = [];
  /** Called before each operation that changes something: whoever watches may take `crashImages` then. */
  onOperation: (() => void) | null = null;

  constructor(image: Image = new Map()) {
    for (const [path, bytes] of image) {
      const inode = { content: bytes, durable: bytes, pending: [] };
      this.#names.set(path, inode);
      this.#durableNames.set(path, inode);
    }
  }

  makeFolder(): void {}

  list(folder: string): string[] {
    const prefix = `${folder}/`;
    const names = [...this.#names.keys()].filter((path) => folderOf(path) === folder);
    return names.map((path) => path.slice(prefix.length)).sort();
  }

  read(path: string): Uint8Array | null {
    return this.#names.get(path)?.content ?? null;
  }

  open(path: string): OpenFile {
    let inode = this.#names.get(path);
    if (inode === undefined) {
      this.onOperation?.();
      inode = { content: new Uint8Array(), durable: new Uint8Array(), pending: [] };
      this.#names.set(path, inode);
      this.#pendingNames.push({ kind: 'create', path, inode });
    }
    const found = inode;
    const change = (operation: DataOperation): void => {
      this.onOperation?.();
      found.content = applied(found.content, operation);
      found.pending.push(operation);
    };
    return {
      size: () => found.content.length,
      read: (position, length) => found.content.subarray(position, position + length),
      write: (position, bytes) => change({ kind: 'write', position, bytes: Uint8Array.from(bytes) }),
      truncate: (size, durable) => {
        change({ kind: 'truncate', size });
        if (durable) makeCutDurable(found, size);
      },
      sync: () => {
        this.onOperation?.();
        found.durable = found.content;
        found.pending = [];
      },
      close: () => {},
    };
  }

  rename(from: string, to: string): void {
    this.onOperation?.();
    this.#pendingNames.push({ kind: 'rename', from, to });
    applyName(this.#names, { kind: 'rename', from, to });
  }

  remove(path: string): void {
    this.onOperation?.();
    this.#pendingNames.push({ kind: 'remove', path });
    applyName(this.#names, { kind: 'remove', path });
  }

  syncFolder(path: string): void {
    this.onOperation?.();
    const isHere = (operation: NameOperation) =>
      folderOf(operation.kind === 'rename' ? operation.to : operation.path) === path;
    for (const operation of this.#pendingNames.filter(isHere)) applyName(this.#durableNames, operation);
    this.#pendingNames = this.#pendingNames.filter((operation) => !isHere(operation));
  }

  /** What the operating system shows: the content after the process has died, or after nothing. */
  image(): Image {
    return new Map([...this.#names].map(([path, { content }]) => [path, content]));
  }

  /**
   * What may be on disk after a loss of power now. Names become durable in their order, at any time: also before the data
   * of their files. Of a file's pending operations any first part is there; a write that comes next may be torn, or its
   * blocks be there without their content.
   */
  *crashImages(): Iterable<Image> {
    for (let named = 0; named <= this.#pendingNames.length; named++) {
      const names = new Map(this.#durableNames);
      for (const operation of this.#pendingNames.slice(0, named)) applyName(names, operation);
      const dirty = new Set([...names.values()].filter(({ pending }) => pending.length > 0));
      yield imageOf(names, ({ content }) => content);
      if (dirty.size === 0) continue;
      yield imageOf(names, ({ durable }) => durable);
      for (const torn of dirty) {
        for (const content of contentsOf(torn)) {
          yield imageOf(names, (inode) => (inode === torn ? content : inode.content));
          // Of the other files nothing more than what was synced.
          if (dirty.size > 1) yield imageOf(names, (inode) => (inode === torn ? content : inode.durable));
        }
      }
    }
  }

  /** One of `crashImages`, chosen by `random` (from 0 up to 1), without making all of them. */
  powerLoss(random: () => number): Image {
    const names = new Map(this.#durableNames);
    const named = Math.floor(random() * (this.#pendingNames.length + 1));
    for (const operation of this.#pendingNames.slice(0, named)) applyName(names, operation);
    return imageOf(names, (inode) => {
      if (inode.pending.length === 0) return inode.durable;
      const contents = [inode.durable, ...contentsOf(inode), inode.content];
      return contents[Math.floor(random() * contents.length)]!;
    });
  }
}

function* contentsOf({ durable, pending }: Inode): Iterable<Uint8Array> {
  let content = durable;
  for (const operation of pending) {
    if (operation.kind === 'write') {
      const { bytes, position } = operation;
      for (const cut of new Set([1, bytes.length >> 1, bytes.length - 1])) {
        if (cut > 0) yield applied(content, { kind: 'write', position, bytes: bytes.subarray(0, cut) });
      }
      yield applied(content, { kind: 'write', position, bytes: new Uint8Array(bytes.length) });
    }
    content = applied(content, operation);
    yield content;
  }
}

function makeCutDurable(inode: Inode, size: number): void {
  inode.durable = inode.durable.subarray(0, size);
  inode.pending = inode.pending.flatMap((operation): DataOperation[] => {
    if (operation.kind === 'truncate') return [];
    const { bytes, position } = operation;
    return position >= size ? [] : [{ ...operation, bytes: bytes.subarray(0, size - position) }];
  });
}

function applied(content: Uint8Array, operation: DataOperation): Uint8Array {
  if (operation.kind === 'truncate') return content.slice(0, operation.size);
  const { bytes, position } = operation;
  const after = new Uint8Array(Math.max(content.length, position + bytes.length));
  after.set(content);
  after.set(bytes, position);
  return after;
}

function applyName(names: Map<string, Inode>, operation: NameOperation): void {
  if (operation.kind === 'create') {
    names.set(operation.path, operation.inode);
  } else if (operation.kind === 'remove') {
    names.delete(operation.path);
  } else {
    const inode = names.get(operation.from);
    names.delete(operation.from);
    if (inode !== undefined) names.set(operation.to, inode);
  }
}

function imageOf(names: ReadonlyMap<string, Inode>, contentOf: (inode: Inode) => Uint8Array): Image {
  return new Map([...names].map(([path, inode]) => [path, contentOf(inode)]));
}
