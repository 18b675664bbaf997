/**
 * What is found on disk when a replica starts. After a clean shutdown everything must be whole. After a crash what was not
 * flushed may be torn: from the recovery point on, the first batch that is not whole ends the log. Below it nothing can be
 * torn, only damaged, and nothing is cut: whoever starts such a replica is told.
 *
 * Source: LogLoader, LogSegment.recover.
 */
import { type EpochCache, type EpochEntry, type Profile, recoverEpochs } from '../replica/index.ts';
import {
  CheckpointError,
  type EpochLine,
  LEADER_EPOCH_CHECKPOINT,
  parseEpochCheckpoint,
  readCheckpoint,
} from './checkpoint.ts';
import type { Files } from './files.ts';
import { baseOffsetOf, openSegment, type PlacedBatch, type Segment, scan, segmentName } from './segment.ts';

/** What had to be mended; nothing of it was flushed, or all of it could be computed anew. */
export type Repair =
  | { readonly kind: 'cut'; readonly file: string; readonly at: number; readonly bytes: number; readonly what: string }
  | { readonly kind: 'removed'; readonly file: string; readonly what: string }
  | { readonly kind: 'epochsRebuilt'; readonly file: string; readonly what: string };

/** Why a replica must not start on these files: what was flushed is not whole. */
export interface Damage {
  readonly file: string;
  /** In bytes, or lines of a checkpoint. */
  readonly at: number;
  readonly what: string;
}

/** The whole batches of a log, found without changing anything. */
export interface Survey {
  readonly segments: readonly { readonly baseOffset: number; readonly batches: PlacedBatch[]; readonly size: number }[];
  readonly endOffset: number;
  /** In the last of these segments. */
  readonly problem: (Damage & { readonly unsupported: boolean; readonly bytes: number }) | null;
  /** Later segments, which do not follow. */
  readonly stray: readonly string[];
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
  const stray: string[] = [];
  let problem: Survey['problem'] = null;
  let next = bases[0] ?? startOffset();
  for (const baseOffset of bases) {
    const file = `${folder}/${segmentName(baseOffset)}`;
    // A gap is what a crash leaves of a truncation, or of a roll that became durable before what it followed.
    if (problem !== null || stray.length > 0 || baseOffset !== next) {
      stray.push(file);
      continue;
    }
    const bytes = files.read(file) ?? new Uint8Array();
    const found = scan(bytes, baseOffset);
    for (const batch of found.batches) visit(bytes.subarray(batch.position, batch.position + batch.size), batch);
    next = (found.batches.at(-1)?.lastOffset ?? baseOffset - 1) + 1;
    segments.push({ baseOffset, batches: found.batches, size: found.problem?.position ?? bytes.length });
    if (found.problem === null) continue;
    const { kind, position, what } = found.problem;
    problem = { file, at: position, what, unsupported: kind === 'unsupported', bytes: bytes.length - position };
  }
  return { segments, endOffset: next, problem, stray };
}

/** Kafka's temporary names: of files that were to be deleted, or were not finished. */
const LEFTOVER = /\.(deleted|cleaned)$/;

/** `flushedTo`: what is below cannot be torn. */
export function recoverLog(
  files: Files,
  folder: string,
  startOffset: () => number,
  flushedTo: number,
  visit: Visit,
): { readonly segments: Segment[]; readonly repairs: Repair[] } | { readonly damage: Damage } {
  const names = files.list(folder);
  const survey = surveyLog(files, folder, startOffset, visit, names);
  const damage = damageOf(folder, names, survey, flushedTo);
  if (damage !== null) return { damage };

  const repairs: Repair[] = [];
  for (const file of [...survey.stray].reverse()) {
    files.remove(file);
    files.syncFolder(folder);
    repairs.push({ kind: 'removed', file, what: 'it does not follow what is before it' });
  }
  for (const name of names.filter((one) => LEFTOVER.test(one))) files.remove(`${folder}/${name}`);
  const segments = survey.segments.map(({ baseOffset, batches, size }) => {
    // After a crash nobody knows whether the folder was synced since it was made: the next flush does that.
    const segment = openSegment(files, folder, baseOffset, true);
    segment.batches.push(...batches);
    segment.size = size;
    return segment;
  });
  if (survey.problem !== null) {
    const { at, bytes, file, what } = survey.problem;
    segments.at(-1)?.file.truncate(at, true);
    repairs.push({ kind: 'cut', file, at, bytes, what });
  }
  if (segments.length === 0) segments.push(openSegment(files, folder, survey.endOffset, true));
  return { segments, repairs };
}

function damageOf(folder: string, names: readonly string[], survey: Survey, flushedTo: number): Damage | null {
  const swap = names.find((name) => name.endsWith('.swap'));
  if (swap !== undefined) {
    const what = 'a compaction was interrupted; let the Kafka broker that began it finish it first';
    return { file: `${folder}/${swap}`, at: 0, what };
  }
  const { endOffset, problem, segments, stray } = survey;
  const lost = `, and the log was flushed to ${Number.isFinite(flushedTo) ? `offset ${flushedTo}` : 'its end'}`;
  const isLost = Number.isFinite(flushedTo) ? endOffset < flushedTo : problem !== null || stray.length > 0;
  if (problem !== null && (problem.unsupported || isLost)) {
    const what = `no whole batch with offset ${endOffset} begins at this byte: ${problem.what}${isLost ? lost : ''}`;
    return { file: problem.file, at: problem.at, what };
  }
  if (!isLost || segments.length === 0) return null;
  const [file = `${folder}/${segmentName(segments.at(-1)?.baseOffset ?? 0)}`] = stray;
  return { file, at: 0, what: `offset ${endOffset} is missing before it${lost}` };
}

/**
 * The epoch cache as its file has it, with what the batches from offset `readFrom` on, which recovery has read, add to it.
 * Where the file is missing or no checkpoint, it is rebuilt from all batches.
 */
export function openEpochs(
  files: Files,
  folder: string,
  rule: Profile['assign'],
  batches: readonly PlacedBatch[],
  readFrom: number,
): { readonly epochCache: EpochCache; readonly isOnDisk: boolean; readonly repairs: Repair[] } {
  const file = `${folder}/${LEADER_EPOCH_CHECKPOINT}`;
  let lines: EpochLine[] | null;
  let why = 'it is missing';
  try {
    lines = readCheckpoint(files, file, parseEpochCheckpoint);
  } catch (error) {
    if (!(error instanceof CheckpointError)) throw error;
    lines = null;
    why = error.message;
  }
  if (lines !== null) {
    const known = lines.map(({ epoch, start }) => ({ epoch, start: Number(start) }));
    const epochCache = recoverEpochs(
      rule,
      known,
      beginnings(batches.filter(({ baseOffset }) => baseOffset >= readFrom)),
    );
    return { epochCache, isOnDisk: epochCache === known, repairs: [] };
  }
  const isNew = batches.length === 0 && why === 'it is missing';
  const repairs: Repair[] = isNew ? [] : [{ kind: 'epochsRebuilt', file, what: why }];
  return { epochCache: recoverEpochs(rule, [], beginnings(batches)), isOnDisk: false, repairs };
}

function* beginnings(batches: readonly PlacedBatch[]): Iterable<EpochEntry> {
  for (const { epoch, baseOffset } of batches) yield { epoch, start: baseOffset };
}

/**
 * Where recovery begins to read after a crash: the segment in which the recovery point is, which may be the last one, is read
 * whole.
 *
 * Source: LogLoader.recoverLog, LogSegments.values.
 */
export function recoveryStart(segments: readonly { readonly baseOffset: number }[], recoveryPoint: number): number {
  return segments.findLast(({ baseOffset }) => baseOffset <= recoveryPoint)?.baseOffset ?? 0;
}
