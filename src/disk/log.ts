/**
 * A log on disk: segments that are rolled at a size. It takes and gives whole record batches, and tells how much of it is
 * flushed.
 *
 * Source: LocalLog, LogSegment, UnifiedLog.
 */

import { type BatchRecord, readRecords } from './batchRecords.ts';
import { type Files, folderOf } from './files.ts';
import { encodeBatch, placed } from './newBatch.ts';
import type { BatchHeader } from './recordBatch.ts';
import { openSegment, type PlacedBatch, type Segment, UNFINISHED } from './segment.ts';

/** Something that this log cannot do; the message says what and why. */
export class StorageError extends Error {
  override readonly name = 'StorageError';
}

interface WholeBatch {
  readonly header: BatchHeader;
  readonly bytes: Uint8Array;
}

export class Log {
  readonly #files: Files;
  readonly #folder: string;
  readonly #segmentBytes: number;
  readonly #segments: Segment[];
  #endOffset: number;

  /** `segments`: as recovered, at least one. */
  constructor(files: Files, folder: string, segmentBytes: number, segments: readonly Segment[]) {
    this.#files = files;
    this.#folder = folder;
    this.#segmentBytes = segmentBytes;
    this.#segments = [...segments];
    const { baseOffset, batches } = this.#active;
    this.#endOffset = (batches.at(-1)?.lastOffset ?? baseOffset - 1) + 1;
  }

  get startOffset(): number {
    return this.#segments[0]!.baseOffset;
  }

  get endOffset(): number {
    return this.#endOffset;
  }

  /** Appends batches that are placed already: the first begins where the log ends. */
  append(batches: readonly WholeBatch[]): void {
    for (const { header, bytes } of batches) {
      if (header.baseOffset !== this.#endOffset) {
        throw new StorageError(`A batch at ${header.baseOffset} cannot follow offset ${this.#endOffset - 1}.`);
      }
      const segment = this.#segmentFor(bytes.length);
      segment.file.write(segment.size, bytes);
      segment.batches.push({ ...header, position: segment.size });
      segment.size += bytes.length;
      this.#endOffset = header.lastOffset + 1;
    }
  }

  /**
   * Cuts the log to end at `offset`, durably: later segments go first, the newest before the older, so that after a crash
   * no gap is left between those that remain. (Kafka syncs none of this.)
   */
  truncateTo(offset: number): void {
    if (offset >= this.#endOffset) return;
    if (offset < this.startOffset)
      throw new StorageError(`The log begins at ${this.startOffset}, it cannot end at ${offset}.`);
    while (this.#active.baseOffset > offset) this.#removeActive();
    const segment = this.#active;
    const first = segment.batches.findIndex((batch) => batch.lastOffset >= offset);
    const split = segment.batches[first];
    if (split === undefined) throw new StorageError(`Offset ${offset} is in no batch of ${segment.path}.`);
    const kept = split.baseOffset < offset ? this.#firstPart(segment, split, offset) : null;
    segment.batches.splice(first);
    segment.size = split.position;
    this.#endOffset = split.baseOffset;
    if (kept === null) segment.file.truncate(split.position, true);
    else this.#writeAnew(segment, kept);
  }

  /** Drops everything, and begins anew at `offset`: a follower whose leader has no longer what it would need. */
  restartAt(offset: number): void {
    while (this.#segments.length > 0) this.#removeActive();
    this.#segments.push(openSegment(this.#files, this.#folder, offset, true));
    this.#endOffset = offset;
    this.#syncFolder();
  }

  /** Whole batches from the one with `offset` on: at least one, and no more than `maxBytes` of them if it is small enough. */
  read(offset: number, endOffset: number, maxBytes: number): Uint8Array[] {
    const found: Uint8Array[] = [];
    let size = 0;
    for (const segment of this.#segments) {
      if ((segment.batches.at(-1)?.lastOffset ?? -1) < offset) continue;
      for (const batch of segment.batches) {
        if (batch.lastOffset < offset) continue;
        if (batch.lastOffset >= endOffset) return found;
        size += batch.size;
        if (found.length > 0 && size > maxBytes) return found;
        found.push(segment.file.read(batch.position, batch.size));
      }
    }
    return found;
  }

  /** All batches, in order: what they say of themselves. */
  *batches(): Iterable<PlacedBatch> {
    for (const { batches } of this.#segments) yield* batches;
  }

  /** Makes durable what was written at or above `from`. New files are durable once their folder is. */
  flush(from: number): void {
    for (const { baseOffset, batches, file } of this.#segments) {
      if ((batches.at(-1)?.lastOffset ?? baseOffset) >= from) file.sync();
    }
    if (this.#segments.some(({ isNew }) => isNew)) this.#syncFolder();
  }

  close(): void {
    for (const { file } of this.#segments) file.close();
  }

  get #active(): Segment {
    return this.#segments[this.#segments.length - 1]!;
  }

  #segmentFor(bytes: number): Segment {
    const { size } = this.#active;
    if (size > 0 && size + bytes > this.#segmentBytes) {
      this.#segments.push(openSegment(this.#files, this.#folder, this.#endOffset, true));
    }
    return this.#active;
  }

  #removeActive(): void {
    const { file, path } = this.#segments.pop()!;
    file.close();
    this.#files.remove(path);
    this.#files.syncFolder(folderOf(path));
  }

  #syncFolder(): void {
    this.#files.syncFolder(this.#folder);
    for (const segment of this.#segments) segment.isNew = false;
  }

  /**
   * A segment that ends with the first records of what was its last batch. They may have been flushed: so it is written aside,
   * and either the old file or the new one is there, whole.
   */
  #writeAnew(segment: Segment, { bytes, header }: WholeBatch): void {
    const aside = `${segment.path}${UNFINISHED}`;
    const file = this.#files.open(aside);
    file.truncate(0, false);
    file.write(0, segment.file.read(0, segment.size));
    file.write(segment.size, bytes);
    file.sync();
    this.#files.rename(aside, segment.path);
    this.#syncFolder();
    segment.file.close();
    segment.file = file;
    segment.batches.push({ ...header, position: segment.size });
    segment.size += bytes.length;
    this.#endOffset = header.lastOffset + 1;
  }

  /** A cut within a batch: its first records, as a batch of their own. */
  #firstPart({ file, path }: Segment, batch: PlacedBatch, offset: number): WholeBatch {
    if (batch.compressed) {
      throw new StorageError(`${path} cannot be cut at offset ${offset}, within a compressed batch.`);
    }
    const bytes = file.read(batch.position, batch.size);
    const records: BatchRecord[] = readRecords(bytes).slice(0, offset - batch.baseOffset);
    const part = placed(
      encodeBatch({ baseOffset: batch.baseOffset, epoch: batch.epoch, records }),
      batch.baseOffset,
      batch.epoch,
    );
    return { header: { ...batch, size: part.length, lastOffset: offset - 1 }, bytes: part };
  }
}
