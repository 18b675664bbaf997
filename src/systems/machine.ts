import { mkdirSync, rmSync } from 'node:fs';
import {
  type BatchSource,
  damageText,
  encodeBatch,
  epochsOfRelease,
  inspectStore,
  openStore,
  readRecords,
  realFiles,
  type Store,
  type StoreOptions,
  storeDefaults,
  tearLog,
} from '../disk/index.ts';
import type { Disk, Profile } from '../replica/index.ts';
import { type FolderImage, putImage, takeImage } from './folderImage.ts';
import { CannotRestore } from './system.ts';

/** Two records of the specification: logs of three have two segments. */
const SEGMENT_BYTES = 150;
const TOPIC = 'partition';
/** Nobody pulls a plug here: a loss of power is played on the files. */
const files = realFiles({ sync: false });

/** Of one replica: its files, and the process that has them open, if it lives. */
export class Machine {
  readonly #options: StoreOptions;
  #store: Store | null = null;
  #seen: Disk | null = null;
  /** After a loss of power: all that is left is durable, whatever the recovery point says. */
  #survived = 0;
  /** The files of all contents that were put here. */
  readonly #images = new Map<string, FolderImage>();

  constructor(folder: string, profile: Profile) {
    this.#options = {
      ...storeDefaults,
      folder,
      topic: TOPIC,
      segmentBytes: SEGMENT_BYTES,
      ...epochsOfRelease(profile),
      identify: (batch) => readRecords(batch).map(({ value }) => Number(Buffer.from(value ?? []))),
    };
    this.#empty();
  }

  #empty(): void {
    rmSync(this.#options.folder, { recursive: true, force: true });
    mkdirSync(this.#options.folder, { recursive: true });
    this.#seen = null;
  }

  /** What the process finds on disk when it starts; a sentence if it must not start. */
  start(): Disk | string {
    const opened = openStore(files, this.#options);
    if (opened.kind === 'damaged') return damageText(opened.damage);
    this.#store = opened.store;
    // A start may have mended what was seen before.
    if (this.#seen !== null && !shows(opened.disk, this.#seen)) this.#seen = null;
    const flushed = Math.max(opened.disk.flushed, Math.min(this.#survived, opened.disk.log.length));
    this.#survived = 0;
    return { ...opened.disk, flushed };
  }

  /**
   * Puts these contents on disk, unless they are there already, and lets a process recover from them, if it is to be up.
   *
   * @throws CannotRestore if other things are found then
   */
  load(disk: Disk, isUp: boolean): void {
    if (this.#survived > 0 || !shows(this.observe(), disk)) this.#put(disk);
    if (isUp === this.isUp) return;
    if (!isUp) {
      this.crash();
      return;
    }
    const found = this.start();
    if (typeof found === 'string') throw new CannotRestore(found);
    if (shows(found, disk)) return;
    // It has been up for a while: what a start forgets, or learns from its batches, is not what it went on to have.
    this.write(disk);
    expectSame(this.observe(), disk);
  }

  /** As a process writes them; what was written once is written the same way again. */
  #put(disk: Disk): void {
    this.crash();
    this.#survived = 0;
    const { checkpoint, epochFile, flushed, log } = disk;
    const contents = JSON.stringify([checkpoint, flushed, log, epochFile]);
    const image = this.#images.get(contents);
    if (image !== undefined) {
      putImage(this.#options.folder, image);
      return;
    }
    this.#empty();
    this.start();
    // What is flushed comes first, for a flush takes all that is there.
    this.write({ ...disk, log: log.slice(0, flushed) });
    this.write(disk);
    this.crash();
    expectSame(this.observe(), disk);
    this.#images.set(contents, takeImage(this.#options.folder, ['', `${TOPIC}-${this.#options.partition}`]));
  }

  write(disk: Disk): void {
    if (this.#store?.write(disk, oneBatchEach)) this.#seen = null;
  }

  get isUp(): boolean {
    return this.#store !== null;
  }

  crash(): void {
    this.#store?.abandon();
    this.#store = null;
    this.#seen = null;
  }

  /** `kept` records are left whole; of the next, if there is one, the first half. */
  losePower(kept: number): void {
    this.crash();
    this.#survived = kept;
    tearLog(files, this.#options, kept, TORN_BYTES);
  }

  observe(): Disk {
    this.#seen ??= inspectStore(files, this.#options);
    return { ...this.#seen, flushed: Math.max(this.#seen.flushed, this.#survived) };
  }
}

/** Less than any batch has. */
const TORN_BYTES = 40;

const oneBatchEach: BatchSource = (records, offset) =>
  records.map(({ id, epoch }, i) =>
    encodeBatch({ baseOffset: offset + i, epoch, records: [{ value: Buffer.from(String(id)) }] }),
  );

function expectSame(found: Disk, written: Disk): void {
  if (shows(found, written)) return;
  throw new CannotRestore(`${JSON.stringify(written)} was written, and ${JSON.stringify(found)} is found.`);
}

/** In all that files have. */
function shows(a: Disk, b: Disk): boolean {
  return (
    a.flushed === b.flushed &&
    a.checkpoint === b.checkpoint &&
    sameEntries(a.log, b.log, (one, other) => one.id === other.id && one.epoch === other.epoch) &&
    sameEntries(a.epochFile, b.epochFile, (one, other) => one.epoch === other.epoch && one.start === other.start)
  );
}

function sameEntries<T>(a: readonly T[], b: readonly T[], same: (one: T, other: T) => boolean): boolean {
  return a.length === b.length && a.every((one, i) => same(one, b[i]!));
}
