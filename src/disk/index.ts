/**
 * The files of a replica as Kafka has them: log segments of record batches, leader epochs, checkpoints, and their recovery
 * after a crash.
 */

export { type BatchRecord, readRecords } from './batchRecords.ts';
export {
  CheckpointError,
  LEADER_EPOCH_CHECKPOINT,
  parseEpochCheckpoint,
  parseOffsetCheckpoint,
  printEpochCheckpoint,
  printOffsetCheckpoint,
} from './checkpoint.ts';
export { crc32c } from './crc32c.ts';
export { type Damage, damageText } from './damage.ts';
export { FileError, type Files, type OpenFile, replaceFile } from './files.ts';
export { StorageError } from './log.ts';
export { type Image, MemoryFiles } from './memoryFiles.ts';
export { encodeBatch, placed } from './newBatch.ts';
export {
  boundHighWatermark,
  epochsOfRelease,
  inspectStore,
  type Opened,
  openStore,
  storeDefaults,
  tearLog,
} from './opening.ts';
export { realFiles } from './realFiles.ts';
export { type BatchHeader, isProblem, readHeader } from './recordBatch.ts';
export { type Repair, repairText } from './recovery.ts';
export { scan, segmentName } from './segment.ts';
export type { BatchSource, Store, StoreOptions } from './store.ts';
