/** What a log's files hold, found without changing anything. */
import { AT, LEAST_RECORD, MAGIC } from './batchLayout.ts';
import type { Files } from './files.ts';
import { baseOffsetOf, type PlacedBatch, type Scanned, scan, segmentName } from './segment.ts';

/** The whole batches of a log, found without changing anything. */
export interface Survey {
  readonly segments: readonly { readonly baseOffset: number; readonly batches: PlacedBatch[]; readonly size: number }[];
  readonly endOffset: number;
  /** In the last of these segments. */
  readonly problem: {
    readonly file: string;
    readonly position: number;
    readonly what: string;
    readonly unsupported: boolean;
    /** From there on. */
    readonly bytes: number;
  } | null;
  /** Later segments, which do not follow: their base offsets. */
  readonly stray: readonly number[];
}

/** What is to be done with each whole batch, in order. */
export type Visit = (batch: Uint8Array, header: PlacedBatch) => void;

/** `startOffset`: where the log begins if it has no segment. */
export function surveyLog(
  files: Files,
  folder: string,
  startOffset: () => number,
  visit: Visit,
  names: readonly string[] = files.list(folder),
): Survey {
  const bases = names.map(baseOffsetOf).filter((base) => base !== null);
  const segments: { baseOffset: number; batches: PlacedBatch[]; size: number }[] = [];
  const stray: number[] = [];
  let problem: Survey['problem'] = null;
  let next = bases[0] ?? startOffset();
  for (const baseOffset of bases) {
    const file = `${folder}/${segmentName(baseOffset)}`;
    // A gap is what a crash leaves of a truncation, or of a roll that became durable before what it followed.
    if (problem !== null || stray.length > 0 || baseOffset !== next) {
      stray.push(baseOffset);
      continue;
    }
    const bytes = files.read(file);
    const found = bytes === null ? MISSING : visited(bytes, scan(bytes, baseOffset), visit);
    next = (found.batches.at(-1)?.lastOffset ?? baseOffset - 1) + 1;
    const size = bytes?.length ?? 0;
    segments.push({ baseOffset, batches: found.batches, size: found.problem?.position ?? size });
    if (found.problem === null) continue;
    const { kind, position, what } = found.problem;
    problem = { file, position, what, unsupported: kind === 'unsupported', bytes: size - position };
  }
  return { segments, endOffset: next, problem, stray };
}

/** A link to nowhere. */
const MISSING: Scanned = {
  batches: [],
  problem: { position: 0, kind: 'unsupported', what: 'its folder lists it, but there is no such file' },
};

/** The batches up to the first, if there is one, whose records nobody can tell: its CRC is right, so it was written like that. */
function visited(bytes: Uint8Array, scanned: Scanned, visit: Visit): Scanned {
  for (const [index, batch] of scanned.batches.entries()) {
    try {
      if (!hasRoom(batch)) throw new RangeError('there is no room for as many as it says');
      visit(bytes.subarray(batch.position, batch.position + batch.size), batch);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      const problem = { position: batch.position, kind: 'unsupported', what: `its records: ${error.message}` } as const;
      return { batches: scanned.batches.slice(0, index), problem };
    }
  }
  return scanned;
}

/** Whoever names records takes memory for each. */
function hasRoom({ baseOffset, compressed, lastOffset, magic, size }: PlacedBatch): boolean {
  return magic < MAGIC || compressed || lastOffset - baseOffset < (size - AT.records) / LEAST_RECORD;
}
