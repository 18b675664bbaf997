import { differingOffsets } from './facts.ts';
import { columns, padEnd } from './layout.ts';
import type { Palette } from './palette.ts';
import { type Row, type RowOptions, rowOf } from './row.ts';
import type { World } from './world.ts';

export interface DrawingOptions extends RowOptions {
  readonly palette: Palette;
  readonly width: number;
  /** Room for so many records, so that the drawings of a story are alike. Default: for those that there are. */
  readonly records?: number;
  /** A line with the offsets above the cells. */
  readonly offsets?: boolean;
  /** Something to point out at an offset, below the logs. */
  readonly marks?: readonly Mark[];
}

export interface Mark {
  readonly offset: number;
  readonly sign: string;
  readonly text: string;
}

/** The widest drawing that fits: without the epoch caches if need be, with the log end and HW only, without old records. */
export function draw(world: World, options: DrawingOptions): string[] {
  const rows = world.replicas.map((replica) => rowOf(world, replica, options));
  const shorter = rows.map((row) => ({ ...row, tail: row.tail.slice(0, -1) }));
  const shortest = rows.map((row) => ({ ...row, tail: row.tail.slice(0, 2) }));
  const last = Math.max(...rows.map((row) => row.cells.length)) - 1;
  const withoutRoom = { ...options, records: 0 };
  const attempts = [
    () => layOut(rows, 0, world, options),
    () => layOut(shorter, 0, world, options),
    () => layOut(shorter, 0, world, withoutRoom),
    ...Array.from(
      { length: Math.max(1, last + 1) },
      (_, skipped) => () => layOut(shortest, skipped, world, withoutRoom),
    ),
  ];
  let lines: string[] = [];
  for (const attempt of attempts) {
    lines = attempt();
    if (fits(lines, options.width)) break;
  }
  return lines;
}

function fits(lines: readonly string[], width: number): boolean {
  return lines.every((line) => columns(line) <= width);
}

function layOut(rows: readonly Row[], skipped: number, world: World, options: DrawingOptions): string[] {
  const { palette } = options;
  const end = Math.max(...rows.map((row) => Math.max(row.cells.length, row.hw ?? 0)));
  const room = Math.max(end, (options.records ?? 0) - skipped);
  const cellWidth = Math.max(5, ...rows.flatMap((row) => row.cells.map((cell) => columns(cell.text)))) + 2;
  const offsets = Array.from({ length: end - skipped }, (_, index) => skipped + index);
  const heads = alignColumns(rows.map((row) => row.head));
  const tails = alignColumns(rows.map((row) => row.tail));
  const left = columns(heads[0]!) + 2;
  const omitted = skipped > 0 ? '… ' : '';
  const columnOf = (offset: number) => left + omitted.length + (offset - skipped) * (cellWidth + 1);

  const lines = rows.map((row, index) => {
    const cells = offsets.map((offset) => {
      const cell = row.cells[offset];
      const text = cell === undefined ? '' : `${cell.sign}${cell.text}${cell.acked ? '✓' : ''}`;
      const style = cell === undefined ? String : cell.sign === '-' ? palette.gone : palette.epoch(cell.epoch);
      return border(row, offset, palette) + style(text) + ' '.repeat(cellWidth - columns(text));
    });
    return `${heads[index]}  ${omitted}${cells.join('')}${border(row, end, palette)}${' '.repeat((room - end) * (cellWidth + 1))}  ${tails[index]}`.trimEnd();
  });
  const ruler = offsets.reduce((line, offset) => padEnd(line, columnOf(offset)) + offset, '');
  const marks = [...forks(world), ...(options.marks ?? [])].filter(({ offset }) => offset >= skipped && offset <= end);
  return [
    ...(options.offsets === true && end > skipped ? [palette.dim(ruler)] : []),
    ...lines,
    ...markLines(marks, (offset) => columnOf(offset) + 2).map(palette.bad),
  ];
}

/** The double bar is the high watermark; a dotted one ends a record that was cut. */
function border(row: Row, offset: number, palette: Palette): string {
  if (row.hw === offset) return palette.bold('║');
  if (offset <= row.leo) return '│';
  return offset <= row.cells.length ? '┊' : ' ';
}

function forks(world: World): Mark[] {
  const pairs = world.replicas.flatMap((a, index) => world.replicas.slice(index + 1).map((b) => [a, b] as const));
  const offsets = [...new Set(pairs.flatMap(([a, b]) => differingOffsets(a, b)))].sort((a, b) => a - b);
  return offsets.map((offset) => ({ offset, sign: '≠', text: 'the logs differ here' }));
}

/** Marks of the same kind share a line, and the last of them has the text. */
function markLines(marks: readonly Mark[], columnOf: (offset: number) => number): string[] {
  const texts = [...new Set(marks.map(({ text }) => text))];
  return texts.map((text) => {
    const same = marks.filter((mark) => mark.text === text);
    const line = same.reduce((soFar, { offset, sign }) => padEnd(soFar, columnOf(offset)) + sign, '');
    return `${line} ${text}`;
  });
}

function alignColumns(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, index) => Math.max(...rows.map((row) => columns(row[index]!))));
  return rows.map((row) => row.map((text, index) => padEnd(text, widths[index]!)).join(' '));
}
