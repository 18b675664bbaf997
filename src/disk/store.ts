/**
 * The files of one replica: the durable half of the protocol's state. The protocol changes its `Disk` as plain data; `write`
 * makes the files follow, in Kafka's order.
 */
import type { Disk, EpochCache, LogRecord, Profile } from '../replica/index.ts';
import { LEADER_EPOCH_CHECKPOINT, printEpochCheckpoint, writeCheckpoint } from './checkpoint.ts';
import { type Files, replaceFile } from './files.ts';
import { type Log, StorageError } from './log.ts';
import type { OffsetFiles } from './offsetFiles.ts';
import { isProblem, readHeader } from './recordBatch.ts';
import type { PlacedBatch } from './segment.ts';

export interface StoreOptions {
  /** A broker's `log.dir`. */
  readonly folder: string;
  readonly topic: string;
  readonly partition: number;
  /** `log.segment.bytes` */
  readonly segmentBytes: number;
  /** The release keeps leader epochs at all. */
  readonly epochs: boolean;
  /** Batches say their epoch. In the message formats before 0.11 they do not: recovery learns nothing from them. */
  readonly epochsInBatches: boolean;
  /** A start takes them over, from their file and from batches. Without, it begins with none: a rule that no release has. */
  readonly epochsAreKept: boolean;
  /** What becomes of an entry that does not advance epoch and offset: see `Profile`. */
  readonly assign: Profile['assign'];
  /** After a truncation the epoch file is written by `writeEpochs` only, whenever that comes (3.7, KAFKA-15046); else at once. */
  readonly lateEpochs: boolean;
  /** What the records of a batch are called in the protocol's log. */
  identify(batch: Uint8Array, header: PlacedBatch): readonly number[];
}

/** The batches that hold these records, of which the first is to stand at `offset`. */
export type BatchSource = (records: readonly LogRecord[], offset: number) => readonly Uint8Array[];

export const CLEAN_SHUTDOWN = '.kafka_cleanshutdown';

export function folderOfLog({ folder, partition, topic }: StoreOptions): string {
  return `${folder}/${topic}-${partition}`;
}

export class Store {
  readonly #files: Files;
  readonly #options: StoreOptions;
  readonly #offsets: OffsetFiles;
  readonly #log: Log;
  readonly #logFolder: string;
  #disk: Disk;
  #recoveryPointOnDisk = -1;
  /** The epoch file does not have what `#disk` has. */
  #epochsAreLate = false;

  /** `offsets`: as they were read. */
  constructor(
    files: Files,
    options: StoreOptions,
    offsets: OffsetFiles,
    log: Log,
    disk: Disk,
    epochsAreOnDisk: boolean,
  ) {
    this.#files = files;
    this.#options = options;
    this.#offsets = offsets;
    this.#log = log;
    this.#logFolder = folderOfLog(options);
    this.#disk = { ...disk };
    if (!epochsAreOnDisk) this.#writeEpochs(disk.epochCache);
  }

  get log(): Pick<Log, 'startOffset' | 'endOffset' | 'read' | 'batches'> {
    return this.#log;
  }

  /**
   * Makes the files hold what the protocol's step has made of its disk: what is cut first, then epochs before the records
   * that begin them, as Kafka appends, then the high watermark. Says whether there was anything to write.
   */
  write(next: Disk, source: BatchSource): boolean {
    const { log, epochFile, checkpoint, flushed } = this.#disk;
    if (
      next.log === log &&
      next.epochFile === epochFile &&
      next.checkpoint === checkpoint &&
      next.flushed === flushed
    ) {
      return false;
    }
    const start = this.#log.startOffset;
    const shared = next.log === log ? log.length : sharedLength(log, next.log);
    if (shared < log.length) {
      this.#setRecoveryPoint(Math.min(this.#disk.flushed, start + shared));
      this.#log.truncateTo(start + shared);
    }
    if (next.epochFile !== epochFile) this.#changeEpochs(next.epochFile, isFirstPartOf(next.epochFile, epochFile));
    if (next.log.length > shared) this.#append(next.log, shared, source);
    if (next.flushed > flushed) this.flush();
    if (next.checkpoint !== checkpoint) this.#offsets.highWatermark.write(next.checkpoint);
    this.#disk = { ...next };
    return true;
  }

  /** Syncs the log, and notes in the recovery point that it need not be looked through up to here. */
  flush(): void {
    this.#log.flush(this.#disk.flushed);
    this.#setRecoveryPoint(this.#log.endOffset);
  }

  /** With `lateEpochs`: what the background thread would do by and by. */
  writeEpochs(): void {
    if (this.#epochsAreLate) this.#writeEpochs(this.#disk.epochFile);
  }

  /**
   * Everything goes, and the log begins anew at `offset` (a leader has deleted what a follower would fetch next).
   *
   * Source: UnifiedLog.truncateFullyAndStartAt (KAFKA-9491: the high watermark too).
   */
  truncateFullyAndStartAt(offset: number): Disk {
    this.#setRecoveryPoint(0);
    this.#offsets.startOffset.write(offset);
    this.#log.restartAt(offset);
    if (this.#options.epochs) this.#writeEpochs([]);
    this.#offsets.highWatermark.write(offset);
    this.#setRecoveryPoint(offset);
    this.#disk = { log: [], flushed: offset, epochCache: [], epochFile: [], checkpoint: offset };
    return { ...this.#disk };
  }

  /** The process ends as it should: all is flushed, and the next start need not look for what is torn. */
  shutDown(): void {
    this.flush();
    this.writeEpochs();
    this.#log.close();
    const { folder } = this.#options;
    replaceFile(this.#files, `${folder}/${CLEAN_SHUTDOWN}`, '{"version":0,"brokerEpoch":-1}');
  }

  /** The process has died: its files are as they are. */
  abandon(): void {
    this.#log.close();
  }

  #append(log: readonly LogRecord[], from: number, source: BatchSource): void {
    const offset = this.#log.startOffset + from;
    const batches = source(log.slice(from), offset).map((bytes) => {
      const header = readHeader(bytes, 0);
      if (isProblem(header)) throw new StorageError(`A batch that was to be appended is none: ${header.what}.`);
      return { header, bytes };
    });
    this.#log.append(batches);
    if (this.#log.endOffset !== this.#log.startOffset + log.length) {
      throw new StorageError(`The batches end at ${this.#log.endOffset}, the records at ${log.length}.`);
    }
  }

  #changeEpochs(epochCache: EpochCache, truncated: boolean): void {
    if (!this.#options.epochs) return;
    if (truncated && this.#options.lateEpochs) this.#epochsAreLate = true;
    else this.#writeEpochs(epochCache);
  }

  #writeEpochs(epochCache: EpochCache): void {
    const lines = epochCache.map(({ epoch, start }) => ({ epoch, start: BigInt(start) }));
    writeCheckpoint(this.#files, `${this.#logFolder}/${LEADER_EPOCH_CHECKPOINT}`, printEpochCheckpoint(lines));
    this.#epochsAreLate = false;
  }

  #setRecoveryPoint(offset: number): void {
    if (offset !== this.#recoveryPointOnDisk) this.#offsets.recoveryPoint.write(offset);
    this.#recoveryPointOnDisk = offset;
    this.#disk.flushed = offset;
  }
}

/** How far two logs are the same; steps keep the records that they do not touch. */
function sharedLength(a: readonly LogRecord[], b: readonly LogRecord[]): number {
  let length = Math.min(a.length, b.length);
  while (length > 0 && !isSame(a[length - 1]!, b[length - 1]!)) length--;
  return length;
}

/** It was truncated from the end; what only lost entries in the middle was not. */
function isFirstPartOf(part: EpochCache, whole: EpochCache): boolean {
  return part.every(({ epoch, start }, i) => epoch === whole[i]?.epoch && start === whole[i]?.start);
}

function isSame(a: LogRecord, b: LogRecord): boolean {
  return a === b || (a.id === b.id && a.epoch === b.epoch);
}
