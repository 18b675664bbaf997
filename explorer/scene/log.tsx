import type { LogRecord } from '../../src/report/index.ts';
import { Cell, Gone } from './cell.tsx';
import type { RowProps } from './row.tsx';
import { textWidth } from './text-width.ts';

/** A log, cell by cell, what was just cut from it or is missing in it, its end and its high watermark. */
export function Log(props: RowProps) {
  const { replica, before, row, layout, alive, lost } = props;
  const { from, slots, pitch, cell, cellsX, narrow } = layout;
  const y = row.cellsY;
  const xOf = (offset: number) => cellsX + (offset - from) * pitch;
  const boundary = (offset: number) => xOf(Math.max(from, Math.min(offset, from + slots))) - 4;
  const old = before?.log ?? replica.log;
  const cut = old.slice(replica.log.length).map((record, index) => ({ record, offset: replica.log.length + index }));
  const drawn = Array.from({ length: slots }, (_, index) => from + index);
  return (
    <g>
      {drawn.map((offset) => (
        <g key={`slot-${offset}`}>
          <rect class="slot" x={xOf(offset)} y={y} width={cell} height={cell} rx="7" />
          <text class="offset" x={xOf(offset) + cell / 2} y={y + cell + 13}>
            {offset}
          </text>
        </g>
      ))}
      {from > 0 ? (
        <text class="earlier" x={cellsX - 6} y={y + cell / 2 + 5}>
          …
        </text>
      ) : null}
      {drawn.map((offset) => {
        const record = replica.log[offset];
        if (record === undefined) return null;
        const isNew = before !== null && !same(record, before.log[offset]);
        return (
          <Cell
            key={`${offset}-${record.id}`}
            {...props}
            record={record}
            x={xOf(offset)}
            offset={offset}
            isNew={isNew}
          />
        );
      })}
      {cut.map(({ record, offset }) =>
        offset >= from && offset < from + slots && !lost.some((one) => one.offset === offset) ? (
          <Gone key={`cut-${offset}`} x={xOf(offset)} y={y} cell={cell} id={record.id} word="cut" kind="cut" />
        ) : null,
      )}
      {lost.map(({ offset, id }) =>
        offset >= from && offset < from + slots && replica.log[offset] === undefined ? (
          <Gone key={`lost-${offset}`} x={xOf(offset)} y={y} cell={cell} id={id} word="LOST" kind="lost" />
        ) : null,
      )}
      <g class="mark leo" style={{ transform: `translate(${boundary(replica.log.length)}px, ${y + cell + 4}px)` }}>
        <path d="M0 -4V14" />
        <text x={narrow ? 4 : 5} y="26" class="leo-text">
          LEO {replica.log.length}
        </text>
      </g>
      {alive ? (
        <g class="mark hw" style={{ transform: `translate(${boundary(replica.hw)}px, ${y}px)` }}>
          <path d={`M0 -12V${cell + 6}`} />
          <rect x="-1" y="-30" width={textWidth(`HW ${replica.hw}`, 12.5, 700) + 12} height="19" rx="4" />
          <text x="5" y="-16">
            HW {replica.hw}
          </text>
        </g>
      ) : null}
    </g>
  );
}

function same(a: LogRecord, b: LogRecord | undefined): boolean {
  return a.id === b?.id && a.epoch === b.epoch;
}
