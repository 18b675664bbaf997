/** Why a replica must not start on what is found: its files make no log, or lack what was flushed. */
import { baseOffsetOf, isSegment, segmentName } from './segment.ts';
import type { Survey } from './survey.ts';

export interface Damage {
  readonly file: string;
  /** Null where it is the file as a whole. */
  readonly at: { readonly byte: number } | { readonly line: number } | null;
  readonly what: string;
}

export function damageText({ at, file, what }: Damage): string {
  if (at === null) return `${file}: ${what}`;
  return 'byte' in at ? `${file}, byte ${at.byte}: ${what}` : `${file}:${at.line}: ${what}`;
}

/** How much of a log was flushed. */
export interface Flushed {
  readonly recoveryPoint: number;
  /** All of it: it was shut down as it should be. */
  readonly clean: boolean;
}

/** Files that make no log that can be told from here, whatever was flushed. */
export function damageIn(folder: string, names: readonly string[], startOffset: number): Damage | null {
  const because = (name: string, what: string): Damage => ({ file: `${folder}/${name}`, at: null, what });
  const swap = names.find((name) => name.endsWith('.swap'));
  if (swap !== undefined) {
    return because(swap, 'a compaction was interrupted; let the Kafka broker that began it finish it first');
  }
  const segments = names.filter(isSegment);
  const unnamed = segments.find((name) => baseOffsetOf(name) === null);
  if (unnamed !== undefined) return because(unnamed, 'it is named as a segment, but not by an offset of 20 digits');
  const [first] = segments;
  if (first === undefined || baseOffsetOf(first)! <= startOffset) return null;
  return because(first, `offset ${startOffset}, where the log begins, is missing before it`);
}

/** What was flushed and is not there. */
export function damageOf(folder: string, survey: Survey, { clean, recoveryPoint }: Flushed): Damage | null {
  const { endOffset, problem, segments, stray } = survey;
  const isShort = endOffset < recoveryPoint;
  const isLost = isShort || (clean && (problem !== null || stray.length > 0));
  const lost = `, and the log was flushed to ${isShort ? `offset ${recoveryPoint}` : 'its end'}`;
  if (problem !== null && (problem.unsupported || isLost)) {
    const what = `no whole batch with offset ${endOffset} begins at this byte: ${problem.what}${isLost ? lost : ''}`;
    return { file: problem.file, at: { byte: problem.position }, what };
  }
  const file = (baseOffset: number): string => `${folder}/${segmentName(baseOffset)}`;
  const [next] = stray;
  if (next !== undefined && problem === null && next < endOffset) {
    // No crash leaves that.
    return { file: file(next), at: null, what: `the segment before it goes on to offset ${endOffset}` };
  }
  if (!isLost) return null;
  if (next !== undefined)
    return { file: file(next), at: null, what: `offset ${endOffset} is missing before it${lost}` };
  const last = segments.at(-1);
  if (last === undefined) return { file: folder, at: null, what: `there is no segment${lost}` };
  const what = `offset ${endOffset} is missing at this byte, the end${lost}`;
  return { file: file(last.baseOffset), at: { byte: last.size }, what };
}
