import type { LogRecord } from '../../src/report/index.ts';
import { lookOf } from './epochs.tsx';
import type { RowProps } from './row.tsx';

/** A record, with the epoch that wrote it. */
export function Cell({
  record,
  x,
  offset,
  isNew,
  row,
  layout,
  acked,
  forks,
  lost,
}: RowProps & {
  readonly record: LogRecord;
  readonly x: number;
  readonly offset: number;
  readonly isNew: boolean;
}) {
  const { cell } = layout;
  const fork = forks.has(offset);
  const replaced = lost.find((one) => one.offset === offset);
  const look = lookOf(record.epoch);
  return (
    <g class={`cell e${look} ${isNew ? 'new' : ''} ${fork ? 'fork' : ''}`} transform={`translate(${x} ${row.cellsY})`}>
      <g class="body">
        <rect class="fill" width={cell} height={cell} rx="7" />
        <rect class="texture" width={cell} height={cell} rx="7" fill={`url(#epoch-${look})`} />
        <rect class="edge" width={cell} height={cell} rx="7" />
        <rect class="plate" x="4" y={cell / 2 - 17} width={cell - 8} height="34" rx="4" />
        <text class="record" x={cell / 2} y={cell / 2 + (replaced === undefined ? 1 : -5)}>
          m{record.id}
        </text>
        <text class="epoch" x={cell / 2} y={cell / 2 + (replaced === undefined ? 15 : 8)}>
          e{record.epoch}
        </text>
        {acked.has(record.id) ? (
          <g class="acked" transform={`translate(${cell - 5} 5)`}>
            <circle r="8" />
            <path d="M-3.6 0.2L-1 3L4 -3" />
          </g>
        ) : null}
        {fork ? (
          <g class="differs" transform="translate(5 5)">
            <circle r="8.5" />
            <text y="4.5">≠</text>
          </g>
        ) : null}
        {replaced === undefined || cell < 50 ? null : (
          <text class="instead" x={cell / 2} y={cell - 6}>
            not m{replaced.id}
          </text>
        )}
      </g>
    </g>
  );
}

/** A record that is not there any more. */
export function Gone({
  x,
  y,
  cell,
  id,
  word,
  kind,
}: Record<'x' | 'y' | 'cell' | 'id', number> & { word: string; kind: string }) {
  return (
    <g class={`gone ${kind}`} transform={`translate(${x} ${y})`}>
      <rect width={cell} height={cell} rx="7" />
      <path d={`M8 ${cell - 8}L${cell - 8} 8`} />
      <text class="record" x={cell / 2} y={cell / 2 - 2}>
        m{id}
      </text>
      <text class="word" x={cell / 2} y={cell / 2 + 15}>
        {word}
      </text>
    </g>
  );
}
