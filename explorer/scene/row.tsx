import type { LogRecord, Replica } from '../../src/report/index.ts';
import { lookOf } from './epochs.tsx';
import type { Layout, RowLayout } from './layout.ts';

export interface RowProps {
  readonly replica: Replica;
  readonly before: Replica | null;
  readonly row: RowLayout;
  readonly layout: Layout;
  readonly elected: boolean;
  readonly inSync: boolean;
  readonly alive: boolean;
  readonly acked: ReadonlySet<number>;
  readonly forks: ReadonlySet<number>;
  readonly lost: readonly { readonly offset: number; readonly id: number }[];
  readonly shows: { readonly caches: boolean; readonly lazy: boolean; readonly power: boolean };
}

/** One replica: who it is, its log, and what it has on disk. */
export function Row(props: RowProps) {
  const { replica, row, layout, alive, elected } = props;
  const role = roleText(props);
  const frame = `frame ${alive ? '' : 'down'} ${elected ? 'elected' : ''}`;
  return (
    <g class={`row ${alive ? '' : 'is-down'}`}>
      <rect class={frame} x="6" y={row.y} width={layout.width - 12} height={row.height} rx="12" />
      <text class="name" x="24" y={row.y + 42}>
        {replica.name}
      </text>
      <text class={`role ${elected ? 'leads' : ''}`} x="58" y={row.y + 30}>
        {role.what}
      </text>
      <text class="note" x="58" y={row.y + 48}>
        {role.knows}
      </text>
      {layout.narrow ? null : <Notes {...props} />}
      <Log {...props} />
      <Disk {...props} />
    </g>
  );
}

function roleText({ replica, elected }: RowProps): { what: string; knows: string } {
  const { role, leaderEpoch, leader, fetchState } = replica;
  switch (role) {
    case 'leader':
      return elected
        ? { what: 'leader', knows: `epoch e${leaderEpoch}` }
        : { what: 'old leader', knows: `still leads in e${leaderEpoch}` };
    case 'follower': {
      const does = { truncating: 'asks where to cut', failed: 'fenced, waits', fetching: 'fetches', idle: '' }[
        fetchState
      ];
      return { what: `follows ${leader}`, knows: `e${leaderEpoch}${does ? `, ${does}` : ''}` };
    }
    case 'starting':
      return { what: 'starting', knows: 'knows no leader yet' };
    default:
      return { what: role, knows: role === 'halted' ? 'shut itself down' : 'memory is gone' };
  }
}

/** What a leader, or the controller, holds about it. */
function Notes({ replica, row, inSync, shows }: RowProps) {
  const known = [...replica.remoteLeo].filter(([name, offset]) => name !== replica.name && offset >= 0);
  const fetched = known.map(([name, offset]) => `${name} fetched from ${offset}`).join(', ');
  const lines = [
    inSync ? 'in the ISR' : 'not in the ISR',
    ...(replica.role === 'leader' && fetched !== '' ? [fetched] : []),
    ...(shows.power ? [`flushed up to ${replica.flushed}`] : []),
  ];
  return (
    <g>
      {lines.slice(0, 3).map((line, index) => (
        <text key={line} class={`small ${index === 0 && !inSync ? 'warn' : ''}`} x="24" y={row.y + 72 + index * 17}>
          {line}
        </text>
      ))}
    </g>
  );
}

function Log(props: RowProps) {
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
          <rect x="-1" y="-30" width={hwWidth(replica.hw)} height="19" rx="4" />
          <text x="5" y="-16">
            HW {replica.hw}
          </text>
        </g>
      ) : null}
    </g>
  );
}

function hwWidth(hw: number): number {
  return 40 + `${hw}`.length * 8;
}

function Cell({
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
function Gone({
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

function Disk({ replica, row, layout, alive, shows }: RowProps) {
  const stale = alive && replica.checkpoint !== replica.hw;
  const cache = replica.epochCache.slice(-3).map(({ epoch, start }) => `e${epoch} → ${start}`);
  const lines = [
    { label: 'HW checkpoint', text: `${replica.checkpoint}`, stale },
    ...(shows.caches
      ? [{ label: 'epoch cache', text: cache.length === 0 ? 'empty' : cache.join(', '), stale: false }]
      : []),
  ];
  const [x, y] = layout.narrow ? [layout.cellsX, row.y + 166] : [layout.diskX, row.y + 26];
  const width = layout.width - 20 - x;
  if (layout.narrow) {
    return (
      <text class="small disk-line" x={x} y={y + 20}>
        {`on disk: ${lines.map(({ label, text }) => `${label} ${text}`).join(' · ')}`}
      </text>
    );
  }
  return (
    <g class="disk" transform={`translate(${x} ${y})`}>
      <rect class="box" x="-8" y="-14" width={width + 4} height={row.height - 24} rx="8" />
      <text class="small title" y="2">
        on disk
      </text>
      {lines.map(({ label, text, stale }, index) => (
        <g key={label} transform={`translate(0 ${24 + index * 36})`}>
          <text class="small" y="0">
            {label}
          </text>
          <text class={`value ${stale ? 'stale' : ''}`} y="16">
            {text}
          </text>
        </g>
      ))}
    </g>
  );
}

function same(a: LogRecord, b: LogRecord | undefined): boolean {
  return a.id === b?.id && a.epoch === b.epoch;
}
