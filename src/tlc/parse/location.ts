/** A stretch of a module. Lines and columns count from 1 and include the last one. */
export interface SourceRange {
  readonly module: string | null;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** `line 4, col 13 to line 4, col 26 of module Unk` and, in call stacks, `Line 8, column 10 to line 8, column 14 in Ex`. */
const RANGE = /line (\d+), col(?:umn)? (\d+) to line (\d+), col(?:umn)? (\d+)(?: (?:of module|in) (\w+))?/i;
/** SANY's parser names a point only: `at line 4, column 16`. */
const POINT = /line (\d+), col(?:umn)? (\d+)/i;

export function findRange(text: string): SourceRange | null {
  const match = RANGE.exec(text);
  if (match === null) return null;
  const [line, column, endLine, endColumn] = match.slice(1, 5).map(Number) as [number, number, number, number];
  return { module: match[5] ?? null, line, column, endLine, endColumn };
}

export function findPoint(text: string): { line: number; column: number } | null {
  const match = POINT.exec(text);
  return match === null ? null : { line: Number(match[1]), column: Number(match[2]) };
}

/** The positions of a 2103 ("0. Line 8, column 15 to …") or of the stack trace in a 2147 ("0) line 9, col 46 to …"). */
export function findCallStack(lines: readonly string[]): SourceRange[] {
  return lines.flatMap((line) => (/^\s*\d+[.)] /.test(line) ? (findRange(line) ?? []) : []));
}
