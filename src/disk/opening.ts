/** What is on disk when a replica starts, as the protocol's `Disk`; and what a loss of power may leave there. */
import type { Disk, LogRecord, Profile } from '../replica/index.ts';
import { CheckpointError, LEADER_EPOCH_CHECKPOINT, parseEpochCheckpoint, readCheckpoint } from './checkpoint.ts';
import type { Damage } from './damage.ts';
import { FileError, type Files } from './files.ts';
import { Log } from './log.ts';
import { type OffsetFiles, offsetFiles } from './offsetFiles.ts';
import { openEpochs, type Repair, recoverLog, recoveryStart } from './recovery.ts';
import { type PlacedBatch, segmentName } from './segment.ts';
import { CLEAN_SHUTDOWN, folderOfLog, Store, type StoreOptions } from './store.ts';
import { surveyLog, type Visit } from './survey.ts';

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

export const storeDefaults = {
  partition: 0,
  segmentBytes: DEFAULT_SEGMENT_BYTES,
  epochs: true,
  epochsInBatches: true,
  epochsAreKept: true,
  assign: 'replace',
  lateEpochs: false,
} as const;

type EpochOption = 'epochs' | 'epochsInBatches' | 'epochsAreKept' | 'assign';

/** What a release's files have of leader epochs. */
export function epochsOfRelease(profile: Profile): Pick<StoreOptions, EpochOption> {
  return {
    epochs: profile.epochCache,
    epochsInBatches: profile.recordsCarryEpoch,
    epochsAreKept: profile.cacheOnDisk,
    assign: profile.assign,
  };
}

/**
 * Recovers what is there. A marker of a clean shutdown is taken away, durably: from now on the next start is one after a
 * crash.
 */
export function openStore(files: Files, options: StoreOptions): Opened {
  const { folder } = options;
  const logFolder = folderOfLog(options);
  try {
    files.makeFolder(logFolder);
    const clean = files.read(`${folder}/${CLEAN_SHUTDOWN}`) !== null;
    const offsets = offsetFiles(files, options);
    const [recoveryPoint, highWatermark] = [fromZero(offsets.recoveryPoint), offsets.highWatermark.read()];
    const { records, visit } = collector(options);
    const found = recoverLog(files, logFolder, fromZero(offsets.startOffset), { recoveryPoint, clean }, visit);
    if ('damage' in found) return { kind: 'damaged', damage: found.damage };
    const log = new Log(files, logFolder, options.segmentBytes, found.segments);
    const readFrom = clean ? log.endOffset : recoveryStart(found.segments, recoveryPoint);
    const telling = options.epochsInBatches ? [...log.batches()] : [];
    const epochs = !options.epochs
      ? NO_EPOCHS
      : options.epochsAreKept
        ? openEpochs(files, logFolder, options.assign, telling, readFrom)
        : FORGOTTEN;
    if (clean) {
      files.remove(`${folder}/${CLEAN_SHUTDOWN}`);
      files.syncFolder(folder);
    }
    const disk: Disk = {
      log: records,
      flushed: clean ? log.endOffset : Math.min(recoveryPoint, log.endOffset),
      epochCache: epochs.epochCache,
      epochFile: epochs.epochCache,
      checkpoint: boundHighWatermark(highWatermark, log.startOffset, Number.POSITIVE_INFINITY),
    };
    const store = new Store(files, options, offsets, log, disk, epochs.isOnDisk);
    return { kind: 'opened', store, disk, clean, repairs: [...found.repairs, ...epochs.repairs] };
  } catch (error) {
    if (error instanceof CheckpointError) {
      return { kind: 'damaged', damage: { file: error.file, at: { line: error.line }, what: error.what } };
    }
    if (error instanceof FileError)
      return { kind: 'damaged', damage: { file: error.file, at: null, what: error.what } };
    throw error;
  }
}

/** What a replica would find, without changing anything: for observers. A CheckpointError if a checkpoint is none. */
export function inspectStore(files: Files, options: StoreOptions): Disk {
  const logFolder = folderOfLog(options);
  const offsets = offsetFiles(files, options);
  const { records, visit } = collector(options);
  const survey = surveyLog(files, logFolder, () => fromZero(offsets.startOffset), visit);
  const epochs = readCheckpoint(files, `${logFolder}/${LEADER_EPOCH_CHECKPOINT}`, parseEpochCheckpoint) ?? [];
  const startOffset = survey.segments[0]?.baseOffset ?? survey.endOffset;
  const epochFile = options.epochs ? epochs.map(({ epoch, start }) => ({ epoch, start: Number(start) })) : [];
  return {
    log: records,
    flushed: Math.min(fromZero(offsets.recoveryPoint), survey.endOffset),
    epochCache: epochFile,
    epochFile,
    checkpoint: boundHighWatermark(offsets.highWatermark.read(), startOffset, Number.POSITIVE_INFINITY),
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
const FORGOTTEN = { ...NO_EPOCHS, isOnDisk: false } as const;

function fromZero(file: OffsetFiles['recoveryPoint']): number {
  return Math.max(0, file.read() ?? 0);
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
