import {
  type BatchSource,
  encodeBatch,
  type Files,
  MemoryFiles,
  type Opened,
  openStore,
  readRecords,
  type StoreOptions,
  storeDefaults,
} from '../../src/disk/index.ts';
import type { Disk } from '../../src/replica/index.ts';

export const LOG_FOLDER = 'data/topic-0';
export const EPOCHS = `${LOG_FOLDER}/leader-epoch-checkpoint`;
export const FIRST_SEGMENT = `${LOG_FOLDER}/00000000000000000000.log`;

/** Small segments: two records each. */
export const options: StoreOptions = {
  ...storeDefaults,
  folder: 'data',
  topic: 'topic',
  segmentBytes: 150,
  identify: (batch) => readRecords(batch).map(({ value }) => Number(Buffer.from(value ?? []))),
};

export const oneBatchEach: BatchSource = (records, offset) =>
  records.map(({ id, epoch }, i) => batchOf(offset + i, epoch, id));

/** Batches of up to so many records, each of one epoch, as a leader writes them. */
export function batchesOf(most: number): BatchSource {
  return (records, offset) => {
    const batches: Uint8Array[] = [];
    for (let from = 0; from < records.length; ) {
      const { epoch } = records[from]!;
      let to = from + 1;
      while (to < records.length && to - from < most && records[to]!.epoch === epoch) to++;
      batches.push(batchOf(offset + from, epoch, ...records.slice(from, to).map(({ id }) => id)));
      from = to;
    }
    return batches;
  };
}

export function batchOf(baseOffset: number, epoch: number, ...ids: number[]): Buffer {
  return encodeBatch({ baseOffset, epoch, records: ids.map((id) => ({ value: Buffer.from(String(id)) })) });
}

export function open(files: Files, changes: Partial<StoreOptions> = {}): Extract<Opened, { kind: 'opened' }> {
  const opened = openStore(files, { ...options, ...changes });
  if (opened.kind !== 'opened') throw new Error(`${opened.damage.file}, ${opened.damage.at}: ${opened.damage.what}`);
  return opened;
}

/** A file system with these files in it, texts or bytes. */
export function filesWith(contents: Readonly<Record<string, string | Uint8Array>>): MemoryFiles {
  return new MemoryFiles(new Map(Object.entries(contents).map(([path, content]) => [path, Buffer.from(content)])));
}

export function disk(changes: Partial<Disk> = {}): Disk {
  const { epochCache = [] } = changes;
  return { log: [], flushed: 0, epochCache, epochFile: epochCache, checkpoint: 0, ...changes };
}

/** `[1, 1, 2]`: three records of these epochs, with ids from 1 on. */
export function logOf(...epochs: number[]): Disk['log'] {
  return epochs.map((epoch, i) => ({ id: i + 1, epoch }));
}
