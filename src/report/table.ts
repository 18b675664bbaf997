import { clip, columns, padEnd, wrap } from './layout.ts';

export interface TableOptions {
  /** Above the rows, with a line below it. */
  readonly header?: readonly string[];
  /** Indices of columns, from 0, that are aligned to the right: numbers. */
  readonly right?: readonly number[];
  /** Columns between two columns. Default 2. */
  readonly gap?: number;
  /** With it the last column is wrapped at so many columns of the terminal. */
  readonly width?: number;
}

/** Rows of text as aligned lines; cells may be coloured already. */
export function table(rows: readonly (readonly string[])[], options: TableOptions = {}): string[] {
  const { header, right = [], gap = 2, width = Number.POSITIVE_INFINITY } = options;
  const all = header === undefined ? rows : [header, ...rows];
  const last = Math.max(0, ...all.map((row) => row.length - 1));
  const widths = Array.from({ length: last + 1 }, (_, index) =>
    Math.max(0, ...all.map((row) => columns(row[index] ?? ''))),
  );
  const space = ' '.repeat(gap);

  const linesOf = (row: readonly string[]): string[] => {
    const cells = widths.map((cellWidth, index) => {
      const text = row[index] ?? '';
      return right.includes(index) ? ' '.repeat(cellWidth - columns(text)) + text : padEnd(text, cellWidth);
    });
    const line = cells.join(space).trimEnd();
    if (columns(line) <= width) return [line];
    return wrap(
      row[last] ?? '',
      width,
      cells
        .slice(0, -1)
        .map((cell) => cell + space)
        .join(''),
    );
  };

  const rule = widths.map((cellWidth) => '─'.repeat(cellWidth)).join(space);
  return [...(header === undefined ? [] : [...linesOf(header), clip(rule, width, '')]), ...rows.flatMap(linesOf)];
}
