import type { CacheEntry } from '../../src/report/index.ts';
import type { RowProps } from './row.tsx';
import { textWidth } from './text-width.ts';

interface Line {
  readonly label: string;
  readonly text: string;
  /** It is not what is in memory. */
  readonly stale: boolean;
}

/** What a replica finds when it starts again. */
export function Disk(props: RowProps) {
  const { row, layout } = props;
  return layout.narrow ? <NarrowDisk {...props} /> : <Box {...props} height={row.height - 22} />;
}

function Box(props: RowProps & { readonly height: number }) {
  const { row, layout, height } = props;
  const [x, y] = [layout.diskX, row.y + 25];
  const width = layout.width - 20 - x;
  const lines = linesOf(props, width - 12);
  const [first, pitch, below] = lines.length > 2 ? [20, 30, 14] : [24, 36, 16];
  return (
    <g class="disk" transform={`translate(${x} ${y})`}>
      <rect class="box" x="-8" y="-14" width={width + 4} height={height} rx="8" />
      <text class="small title" y="2">
        on disk
      </text>
      {lines.map(({ label, text, stale }, index) => (
        <g key={label} transform={`translate(0 ${first + index * pitch})`}>
          <text class="small" y="0">
            {label}
          </text>
          <text class={`value ${stale ? 'stale' : ''}`} y={below}>
            {text}
          </text>
        </g>
      ))}
    </g>
  );
}

/** Two short lines under the log. */
function NarrowDisk(props: RowProps) {
  const { row, layout } = props;
  const room = layout.width - 2 * layout.cellsX - 60;
  const [checkpoint, ...caches] = linesOf(props, room);
  const texts = [
    `on disk: ${checkpoint!.label} ${checkpoint!.text}`,
    ...caches.map(({ label, text }) => `${label} ${text}`),
  ];
  return (
    <g class="disk">
      {texts.map((text, index) => (
        <text key={text} class="small" x={layout.cellsX} y={row.y + layout.narrowDiskY + index * 16}>
          {text}
        </text>
      ))}
    </g>
  );
}

/** The file with the epochs is told apart only where it differs from the cache. */
function linesOf({ replica, alive, shows }: RowProps, room: number): Line[] {
  const { checkpoint, hw, epochCache, epochFile } = replica;
  const [cache, file] = [epochCache, epochFile].map((entries) => fitting(entries, room));
  return [
    { label: 'HW checkpoint', text: `${checkpoint}`, stale: alive && checkpoint !== hw },
    ...(shows.caches ? [{ label: 'epoch cache', text: cache!, stale: false }] : []),
    ...(shows.caches && alive && isOther(epochCache, epochFile)
      ? [{ label: 'epoch file, older', text: file!, stale: true }]
      : []),
  ];
}

function isOther(cache: readonly CacheEntry[], file: readonly CacheEntry[]): boolean {
  return textOf(cache) !== textOf(file);
}

/** As many of the last entries as there is room for. */
function fitting(entries: readonly CacheEntry[], room: number): string {
  if (entries.length === 0) return 'empty';
  for (let first = 0; first < entries.length - 1; first++) {
    const text = `${first > 0 ? '… ' : ''}${textOf(entries.slice(first))}`;
    if (textWidth(text, 13.5, 600) <= room) return text;
  }
  return `${entries.length > 1 ? '… ' : ''}${textOf(entries.slice(-1))}`;
}

function textOf(entries: readonly CacheEntry[]): string {
  return entries.map(({ epoch, start }) => `e${epoch} → ${start}`).join(', ');
}
