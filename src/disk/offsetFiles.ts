/** The checkpoints of a folder that have an offset for each of its logs. */
import {
  CheckpointError,
  FIRST_ENTRY,
  LOG_START_OFFSET_CHECKPOINT,
  MAX_OFFSET,
  type OffsetLine,
  parseWrittenOffsets,
  printOffsetCheckpoint,
  RECOVERY_POINT_CHECKPOINT,
  REPLICATION_OFFSET_CHECKPOINT,
  readCheckpoint,
  writeCheckpoint,
} from './checkpoint.ts';
import type { Files } from './files.ts';

interface Place {
  /** A broker's `log.dir`. */
  readonly folder: string;
  readonly topic: string;
  readonly partition: number;
}

export interface OffsetFiles {
  readonly highWatermark: OffsetFile;
  readonly recoveryPoint: OffsetFile;
  readonly startOffset: OffsetFile;
}

export function offsetFiles(files: Files, place: Place): OffsetFiles {
  return {
    highWatermark: new OffsetFile(files, place, REPLICATION_OFFSET_CHECKPOINT),
    recoveryPoint: new OffsetFile(files, place, RECOVERY_POINT_CHECKPOINT),
    startOffset: new OffsetFile(files, place, LOG_START_OFFSET_CHECKPOINT),
  };
}

/** One of them, as one log has it: what it says of other logs stays, as it was when it was read. */
class OffsetFile {
  readonly #files: Files;
  readonly #place: Place;
  readonly #path: string;
  #others: readonly OffsetLine[] = [];

  constructor(files: Files, place: Place, name: string) {
    this.#files = files;
    this.#place = place;
    this.#path = `${place.folder}/${name}`;
  }

  /** Null if there is no entry; of two the last, as Kafka has it. */
  read(): number | null {
    const lines = readCheckpoint(this.#files, this.#path, parseWrittenOffsets) ?? [];
    const { partition, topic } = this.#place;
    const isOwn = (line: OffsetLine): boolean => line.topic === topic && line.partition === partition;
    this.#others = lines.filter((line) => !isOwn(line));
    const index = lines.findLastIndex(isOwn);
    const offset = lines[index]?.offset ?? null;
    if (offset !== null && offset > MAX_OFFSET) {
      throw new CheckpointError(this.#path, FIRST_ENTRY + index, `no log here has an offset ${offset}`);
    }
    return offset === null ? null : Number(offset);
  }

  write(offset: number): void {
    const { partition, topic } = this.#place;
    const lines = [...this.#others, { topic, partition, offset: BigInt(offset) }];
    writeCheckpoint(this.#files, this.#path, printOffsetCheckpoint(lines));
  }
}
