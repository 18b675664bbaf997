import { NO_ONE, type World } from '../../src/report/index.ts';
import type { Layout } from './layout.ts';
import { textWidth } from './text-width.ts';

export interface StripProps {
  readonly world: World;
  readonly layout: Layout;
  /** Ids of committed records that the elected leader does not have. */
  readonly lost: readonly number[];
  readonly written: number;
}

const SPACE = 10;

interface Chip {
  readonly text: string;
  /** Where there is no room for all. */
  readonly short?: string;
  readonly kind: string;
}

/** What is outside of the replicas: the producer and what it was told, the controller, the consumer and what it may have read. */
export function Strip({ world, layout, lost, written }: StripProps) {
  const { width, narrow } = layout;
  const { epoch, leader, isr } = world.controller;
  const { elr } = world;
  const room = width - 12 - 2 * SPACE;
  const shares = narrow ? [1, 1, 1] : [0.31, 0.4, 0.29];
  const wide = shares.map((share) => (narrow ? width - 12 : room * share));
  const at = (index: number) => {
    const x = narrow ? 6 : 6 + wide.slice(0, index).reduce((sum, one) => sum + one + SPACE, 0);
    return { x, y: narrow ? 4 + index * 39 : 6, width: wide[index]! };
  };
  const height = narrow ? 35 : 60;
  return (
    <g class="strip">
      <Box
        {...at(0)}
        height={height}
        title="Producer"
        narrow={narrow}
        chips={producerChips(world, lost, written)}
        none="has written nothing"
      />
      <Box
        {...at(1)}
        height={height}
        title="Controller"
        narrow={narrow}
        chips={[
          { text: width < 760 ? `e${epoch}` : `epoch e${epoch}`, kind: 'plain' },
          { text: leader === NO_ONE ? 'no leader' : `leader ${leader}`, kind: 'strong' },
          { text: `ISR ${isr.join(' ')}`, kind: 'plain' },
          ...(elr.length === 0 ? [] : [{ text: `ELR ${elr.join(' ')}`, kind: 'plain' }]),
        ]}
        none=""
      />
      <Box
        {...at(2)}
        height={height}
        title="Consumer"
        narrow={narrow}
        chips={consumerChips(world, lost)}
        none="could read nothing yet"
      />
    </g>
  );
}

function producerChips(world: World, lost: readonly number[], written: number): Chip[] {
  const waiting = new Set(world.replicas.flatMap(({ log, pending }) => pending.map((offset) => log[offset]?.id)));
  return Array.from({ length: written }, (_, index): Chip => {
    const id = index + 1;
    const acked = world.acked.some((one) => one.id === id);
    if (acked && lost.includes(id)) return { text: `m${id} stored, lost`, short: `m${id} lost`, kind: 'bad' };
    if (acked) return { text: `m${id} stored ✓`, short: `m${id} ✓`, kind: 'good' };
    if (waiting.has(id)) return { text: `m${id} waits`, kind: 'plain' };
    return { text: `m${id} not confirmed`, short: `m${id} ?`, kind: 'dim' };
  });
}

function consumerChips(world: World, lost: readonly number[]): Chip[] {
  return world.committed.map(({ id }) =>
    lost.includes(id) ? { text: `m${id} gone`, kind: 'bad' } : { text: `m${id}`, kind: 'good' },
  );
}

interface BoxProps {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly title: string;
  readonly chips: readonly Chip[];
  readonly none: string;
  readonly narrow: boolean;
}

function Box({ x, y, width, height, title, chips, none, narrow }: BoxProps) {
  const start = narrow ? 92 : 12;
  const y0 = narrow ? 6 : 29;
  const { shown, hidden } = fitting(chips, width - start - 12);
  return (
    <g transform={`translate(${x} ${y})`}>
      <rect class="box" width={width} height={height} rx="10" />
      <text class="title" x="12" y={narrow ? 22 : 20}>
        {title}
      </text>
      {chips.length === 0 ? (
        <text class="none" x={start} y={y0 + 16}>
          {none}
        </text>
      ) : null}
      {hidden > 0 ? (
        <text class="none" x={start} y={y0 + 16}>
          {`+${hidden}`}
        </text>
      ) : null}
      {shown.map(({ chip, x: at, width: wide }) => (
        <g key={chip.text} class={`chip ${chip.kind}`} transform={`translate(${start + at} ${y0})`}>
          <rect width={wide} height="23" rx="11.5" />
          <text x={wide / 2} y="16">
            {chip.text}
          </text>
        </g>
      ))}
    </g>
  );
}

/** As many of the last ones as there is room for, in short if need be; what is bad is seen in any case. */
function fitting(all: readonly Chip[], room: number) {
  const whole = placed(all, room);
  return whole.hidden === 0
    ? whole
    : placed(
        all.map((chip) => ({ ...chip, text: chip.short ?? chip.text })),
        room,
      );
}

function placed(all: readonly Chip[], room: number) {
  const chips = [...all.filter(({ kind }) => kind !== 'bad'), ...all.filter(({ kind }) => kind === 'bad')];
  const widths = chips.map(({ text }) => textWidth(text, 12.5, 600) + 16);
  let first = chips.length;
  let used = 0;
  const more = 36;
  while (first > 0 && used + widths[first - 1]! + (first > 1 ? more : 0) <= room) {
    first--;
    used += widths[first]! + 6;
  }
  if (first === chips.length && chips.length > 0) first = chips.length - 1;
  let x = first > 0 ? more : 0;
  const shown = chips.slice(first).map((chip, index) => {
    const width = widths[first + index]!;
    const at = x;
    x += width + 6;
    return { chip, x: at, width };
  });
  return { shown, hidden: first };
}
