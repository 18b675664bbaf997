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
  parseWrittenEpochs,
  readCheckpoint,
} from './checkpoint.ts';
import { type Damage, damageIn, damageOf, type Flushed } from './damage.ts';
import type { Files } from './files.ts';
import { openSegment, type PlacedBatch, type Segment, segmentName } from './segment.ts';
import { surveyLog, type Visit } from './survey.ts';

/** What had to be mended; nothing of it was flushed, or all of it could be computed anew. */
export type Repair =
  | { readonly kind: 'cut'; readonly file: string; readonly at: number; readonly bytes: number; readonly what: string }
  | { readonly kind: 'removed'; readonly file: string; readonly what: string }
  | { readonly kind: 'epochsRebuilt'; readonly file: string; readonly what: string };

export function repairText(repair: Repair): string {
  const { file, kind, what } = repair;
  switch (kind) {
    case 'cut':
      return `${file}, byte ${repair.at}: ${repair.bytes} bytes, which were not flushed, are cut: ${what}`;
    case 'removed':
      return `${file}, which was not flushed, is removed: ${what}`;
    case 'epochsRebuilt':
      return `${file} is written anew, from the log's batches: ${what}`;
  }
}

/** Kafka's temporary names: of files that were to be deleted, or were not finished. */
const LEFTOVER = /\.(deleted|cleaned)$/;

/** What was flushed cannot be torn. `startOffset`: where the log begins. */
export function recoverLog(
  files: Files,
  folder: string,
  startOffset: number,
  flushed: Flushed,
  visit: Visit,
): { readonly segments: Segment[]; readonly repairs: Repair[] } | { readonly damage: Damage } {
  const names = files.list(folder);
  const survey = surveyLog(files, folder, () => startOffset, visit, names);
  const damage = damageIn(folder, names, startOffset) ?? damageOf(folder, survey, flushed);
  if (damage !== null) return { damage };

  const repairs: Repair[] = [];
  for (const baseOffset of [...survey.stray].reverse()) {
    const file = `${folder}/${segmentName(baseOffset)}`;
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
    const { bytes, file, position, what } = survey.problem;
    segments.at(-1)?.file.truncate(position, true);
    repairs.push({ kind: 'cut', file, at: position, bytes, what });
  }
  if (segments.length === 0) segments.push(openSegment(files, folder, survey.endOffset, true));
  return { segments, repairs };
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
    lines = readCheckpoint(files, file, parseWrittenEpochs);
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
  // A log without records has no epochs to lose.
  const repairs: Repair[] = batches.length === 0 ? [] : [{ kind: 'epochsRebuilt', file, what: why }];
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
