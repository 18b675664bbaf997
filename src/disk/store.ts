/**
 * The files of one replica: the durable half of the protocol's state. The protocol changes its `Disk` as plain data; `write`
 * makes the files follow, in Kafka's order, and `openStore` makes a `Disk` of the files again.
 */
import type { Disk, EpochCache, LogRecord } from '../replica/index.ts';
import {
  CheckpointError,
  LEADER_EPOCH_CHECKPOINT,
  LOG_START_OFFSET_CHECKPOINT,
  parseEpochCheckpoint,
  parseOffsetCheckpoint,
  printEpochCheckpoint,
  printOffsetCheckpoint,
  RECOVERY_POINT_CHECKPOINT,
  REPLICATION_OFFSET_CHECKPOINT,
  readCheckpoint,
  writeCheckpoint,
} from './checkpoint.ts';
import { type Files, replaceFile } from './files.ts';
import { Log, StorageError } from './log.ts';
import { isProblem, readHeader } from './recordBatch.ts';
import { type Damage, type Repair, recoverEpochs, recoverLog, surveyLog, type Visit } from './recovery.ts';
import { type PlacedBatch, segmentName } from './segment.ts';

export interface StoreOptions {
  /** A broker's `log.dir`. */
  readonly folder: string;
  readonly topic: string;
  readonly partition: number;
  /** `log.segment.bytes` */
  readonly segmentBytes: number;
  /** The release keeps leader epochs at all. */
  readonly epochs: boolean;
  /** After a truncation the epoch file is written by `writeEpochs` only, whenever that comes (3.7, KAFKA-15046); else at once. */
  readonly lateEpochs: boolean;
  /** What the records of a batch are called in the protocol's log. */
  identify(batch: Uint8Array, header: PlacedBatch): readonly number[];
}

/** The batches that hold these records, of which the first is to stand at `offset`. */
export type BatchSource = (records: readonly LogRecord[], offset: number) => readonly Uint8Array[];

export type Opened =
  | {
      readonly kind: 'opened';
      readonly store: Store;
      readonly disk: Disk;
      readonly clean: boolean;
      readonly repairs: readonly Repair[];
    }
  | { readonly kind: 'damaged'; readonly damage: Damage };

const DEFAULT_SEGMENT_BYTES = 1 << 30;
const CLEAN_SHUTDOWN = '.kafka_cleanshutdown';

export const storeDefaults = {
  partition: 0,
  segmentBytes: DEFAULT_SEGMENT_BYTES,
  epochs: true,
  lateEpochs: false,
} as const;

/**
 * Recovers what is there. A marker of a clean shutdown is taken away, durably: from now on the next start is one after a
 * crash.
 */
export function openStore(files: Files, options: StoreOptions): Opened {
  const { folder } = options;
  const logFolder = folderOfLog(options);
  files.makeFolder(logFolder);
  try {
    const clean = files.read(`${folder}/${CLEAN_SHUTDOWN}`) !== null;
    const offsets = readOffsets(files, options);
    const flushedTo = clean ? Number.POSITIVE_INFINITY : offsets.recoveryPoint;
    const { records, visit } = collector(options);
    const startOffset = readStartOffset(files, options);
    const found = recoverLog(files, logFolder, () => startOffset, flushedTo, visit);
    if ('damage' in found) return { kind: 'damaged', damage: found.damage };
    const log = new Log(files, logFolder, options.segmentBytes, found.segments);
    const scannedFrom = clean ? log.endOffset : offsets.recoveryPoint;
    const epochs = options.epochs ? recoverEpochs(files, logFolder, [...log.batches()], scannedFrom) : NO_EPOCHS;
    if (clean) {
      files.remove(`${folder}/${CLEAN_SHUTDOWN}`);
      files.syncFolder(folder);
    }
    const disk: Disk = {
      log: records,
      flushed: clean ? log.endOffset : Math.min(offsets.recoveryPoint, log.endOffset),
      epochCache: epochs.epochCache,
      epochFile: epochs.epochCache,
      checkpoint: boundHighWatermark(offsets.highWatermark, log.startOffset, Number.POSITIVE_INFINITY),
    };
    const store = new Store(files, options, log, disk, epochs.isOnDisk);
    return { kind: 'opened', store, disk, clean, repairs: [...found.repairs, ...epochs.repairs] };
  } catch (error) {
    if (!(error instanceof CheckpointError)) throw error;
    return { kind: 'damaged', damage: { file: error.file, at: error.line, what: error.message } };
  }
}

/** What a replica would find, without changing anything: for observers. A CheckpointError if a checkpoint is none. */
export function inspectStore(files: Files, options: StoreOptions): Disk {
  const logFolder = folderOfLog(options);
  const offsets = readOffsets(files, options);
  const { records, visit } = collector(options);
  const survey = surveyLog(files, logFolder, () => readStartOffset(files, options), visit);
  const epochs = readCheckpoint(files, `${logFolder}/${LEADER_EPOCH_CHECKPOINT}`, parseEpochCheckpoint) ?? [];
  const startOffset = survey.segments[0]?.baseOffset ?? survey.endOffset;
  const epochFile = options.epochs ? epochs.map(({ epoch, start }) => ({ epoch, start: Number(start) })) : [];
  return {
    log: records,
    flushed: Math.min(offsets.recoveryPoint, survey.endOffset),
    epochCache: epochFile,
    epochFile,
    checkpoint: boundHighWatermark(offsets.highWatermark, startOffset, Number.POSITIVE_INFINITY),
  };
}

/**
 * What a loss of power may leave of a log, while no process has it open: `kept` records whole, and of the next, if there is
 * one, the first bytes.
 */
export function tearLog(files: Files, options: StoreOptions, kept: number, tornBytes: number): void {
  const folder = folderOfLog(options);
  const { segments } = surveyLog(
    files,
    folder,
    () => 0,
    () => {},
  );
  const isLost = ({ lastOffset }: PlacedBatch): boolean => lastOffset >= kept;
  const torn = segments.findIndex(({ batches }) => batches.some(isLost));
  for (const { baseOffset } of segments.slice(torn + 1)) {
    if (torn !== -1) files.remove(`${folder}/${segmentName(baseOffset)}`);
  }
  const first = segments[torn]?.batches.find(isLost);
  if (first === undefined) return;
  const file = files.open(`${folder}/${segmentName(segments[torn]!.baseOffset)}`);
  file.truncate(first.position + tornBytes, false);
  file.close();
}

const NO_EPOCHS = { epochCache: [], isOnDisk: true, repairs: [] } as const;

function folderOfLog({ folder, partition, topic }: StoreOptions): string {
  return `${folder}/${topic}-${partition}`;
}

function readOffsets(files: Files, options: StoreOptions) {
  return {
    recoveryPoint: Math.max(0, readOffset(files, options, RECOVERY_POINT_CHECKPOINT) ?? 0),
    highWatermark: readOffset(files, options, REPLICATION_OFFSET_CHECKPOINT),
  };
}

function readStartOffset(files: Files, options: StoreOptions): number {
  return Math.max(0, readOffset(files, options, LOG_START_OFFSET_CHECKPOINT) ?? 0);
}

function readOffset(files: Files, { folder, partition, topic }: StoreOptions, name: string): number | null {
  const entries = readCheckpoint(files, `${folder}/${name}`, parseOffsetCheckpoint) ?? [];
  const found = entries.find((entry) => entry.topic === topic && entry.partition === partition);
  return found === undefined ? null : Number(found.offset);
}

function collector({ identify }: StoreOptions): { readonly records: LogRecord[]; readonly visit: Visit } {
  const records: LogRecord[] = [];
  const visit: Visit = (batch, header) => {
    for (const id of identify(batch, header)) records.push({ id, epoch: header.epoch });
  };
  return { records, visit };
}

/**
 * A high watermark as it is read from its checkpoint: within the log.
 *
 * Source: UnifiedLog.updateHighWatermark, Partition.createLog (KAFKA-3978).
 */
export function boundHighWatermark(checkpoint: number | null, startOffset: number, endOffset: number): number {
  return Math.min(Math.max(checkpoint ?? 0, startOffset), endOffset);
}

export class Store {
  readonly #files: Files;
  readonly #options: StoreOptions;
  readonly #log: Log;
  readonly #logFolder: string;
  #disk: Disk;
  #recoveryPointOnDisk = -1;
  /** The epoch file does not have what `#disk` has. */
  #epochsAreLate = false;

  constructor(files: Files, options: StoreOptions, log: Log, disk: Disk, epochsAreOnDisk: boolean) {
    this.#files = files;
    this.#options = options;
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
    if (next.checkpoint !== checkpoint) this.#writeOffset(REPLICATION_OFFSET_CHECKPOINT, next.checkpoint);
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
    this.#writeOffset(LOG_START_OFFSET_CHECKPOINT, offset);
    this.#log.restartAt(offset);
    if (this.#options.epochs) this.#writeEpochs([]);
    this.#writeOffset(REPLICATION_OFFSET_CHECKPOINT, offset);
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
    if (offset !== this.#recoveryPointOnDisk) this.#writeOffset(RECOVERY_POINT_CHECKPOINT, offset);
    this.#recoveryPointOnDisk = offset;
    this.#disk.flushed = offset;
  }

  #writeOffset(name: string, offset: number): void {
    const { folder, partition, topic } = this.#options;
    const text = printOffsetCheckpoint([{ topic, partition, offset: BigInt(offset) }]);
    writeCheckpoint(this.#files, `${folder}/${name}`, text);
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
