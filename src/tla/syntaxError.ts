/** A text that is not a TLA+ value (or not one that this parser takes on), and where; both numbers start at 1. */
export class TlaSyntaxError extends Error {
  override readonly name: string = 'TlaSyntaxError';
  readonly line: number;
  readonly column: number;
  readonly expected: string;

  constructor(at: { line: number; column: number }, expected: string, found: string) {
    super(`line ${at.line}, column ${at.column}: expected ${expected}, found ${found}`);
    this.line = at.line;
    this.column = at.column;
    this.expected = expected;
  }
}

/** Well-formed, but deeper or larger than the parser allows. */
export class TlaLimitError extends TlaSyntaxError {
  override readonly name = 'TlaLimitError';
}

/** Line and column of an offset; counted only when an error needs it. A column is a UTF-16 unit, as editors count. */
export function positionAt(text: string, offset: number): { line: number; column: number } {
  let line = 1;
  let lineStart = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) {
    line++;
    lineStart = at + 1;
  }
  return { line, column: offset - lineStart + 1 };
}
