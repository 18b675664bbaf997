import { allParts, type RanPart } from './registry.ts';

/** A function of the implementation that ran in a step, as its source has it. */
export interface CodeBlock {
  readonly file: string;
  readonly fn: string;
  readonly firstLine: number;
  readonly pieces: readonly CodePiece[];
}

export interface CodePiece {
  readonly text: string;
  /** `ran`; `idle`: could have run and did not; `frame`: is not run, as a comment or a heading. */
  readonly kind: 'ran' | 'idle' | 'frame';
}

/** Files of small helpers, whose running tells nothing. */
const PLUMBING = new Set(['world.ts', 'copy.ts', 'initial.ts', 'equal.ts', 'key.ts']);

/** The functions that ran, the one of the action first, then in the order in which they were called. */
export function codeBlocks(ran: readonly RanPart[], sources: Readonly<Record<string, string>>): CodeBlock[] {
  const told = ran.filter(({ file }) => !PLUMBING.has(file));
  const ids = [...new Set(told.map(idOf))];
  const hit = new Set(ran);
  return ids.flatMap((id) => {
    const parts = allParts().filter((part) => idOf(part) === id);
    const [{ file, fn, fnStart, fnEnd }] = parts as [RanPart];
    const source = sources[file];
    if (source === undefined) return [];
    const firstLine = source.slice(0, fnStart).split('\n').length;
    return [{ file, fn, firstLine, pieces: piecesOf(source, fnStart, fnEnd, parts, hit) }];
  });
}

function idOf({ file, fn }: RanPart): string {
  return `${file} ${fn}`;
}

/** Each character is of the innermost part that it stands in. Outer parts begin earlier, so they are painted first. */
function piecesOf(
  source: string,
  from: number,
  to: number,
  parts: readonly RanPart[],
  hit: ReadonlySet<RanPart>,
): CodePiece[] {
  const kinds = new Array<CodePiece['kind']>(to - from).fill('frame');
  for (const part of [...parts].sort((a, b) => a.start - b.start || b.end - a.end)) {
    kinds.fill(hit.has(part) ? 'ran' : 'idle', part.start - from, part.end - from);
  }
  const pieces: CodePiece[] = [];
  let start = 0;
  for (let at = 1; at <= kinds.length; at++) {
    if (at < kinds.length && kinds[at] === kinds[start]) continue;
    pieces.push({ text: source.slice(from + start, from + at), kind: kinds[start]! });
    start = at;
  }
  return pieces;
}
