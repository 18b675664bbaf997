/** A graph that cannot be read: where, what was expected, what was found. A message for people. */
export class DotError extends Error {
  override readonly name = 'DotError';

  constructor(
    readonly file: string,
    /** Counts from 1, like the column; 0: the graph as a whole. */
    readonly line: number,
    readonly column: number,
    readonly problem: string,
  ) {
    const place = line === 0 ? file : `${file}, line ${line}, column ${column}`;
    super(`${place}: ${problem}`);
  }
}
