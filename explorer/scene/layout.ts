import { differingOffsets, isAlive, isElected, missingFrom, type Replica, type World } from '../../src/report/index.ts';

/** Where everything stands, in units of the drawing. One unit is a CSS pixel where the drawing has its own width. */
export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly narrow: boolean;
  /** The first offset that is drawn, and how many there is room for. */
  readonly from: number;
  readonly slots: number;
  readonly cell: number;
  readonly pitch: number;
  readonly cellsX: number;
  readonly diskX: number;
  /** From a row's top to what is on disk, in a narrow drawing. */
  readonly narrowDiskY: number;
  readonly rows: readonly RowLayout[];
}

export interface RowLayout {
  readonly name: string;
  /** The top of the row's frame, and of its cells. */
  readonly y: number;
  readonly height: number;
  readonly cellsY: number;
}

const MARGIN = 12;
const STRIP = 74;
const ROW = 130;
/** The network, between two rows. */
const GAP = 54;

export function layoutOf(world: World, width: number, maxRecords: number): Layout {
  const narrow = width < 520;
  const medium = width < 760;
  const cell = narrow ? 44 : medium ? 50 : 58;
  const pitch = cell + 8;
  const cellsX = narrow ? MARGIN + 10 : medium ? 188 : 206;
  const diskWidth = narrow ? 0 : medium ? 142 : 190;
  const room = Math.max(3, Math.floor((width - cellsX - diskWidth - MARGIN - 10) / pitch));
  const slots = Math.max(Math.min(room, Math.max(maxRecords + 1, 4)), 1);
  const stripHeight = narrow ? 120 : STRIP;
  const caches = world.replicas.some(({ epochCache }) => epochCache.length > 0);
  const rowHeight = narrow ? (caches ? 172 : 156) : ROW;
  const top = MARGIN + stripHeight;
  const rows = world.replicas.map(({ name }, index) => {
    const y = top + index * (rowHeight + GAP);
    return { name, y, height: rowHeight, cellsY: y + (narrow ? 56 : 36) };
  });
  const height = top + rows.length * rowHeight + (rows.length - 1) * GAP + MARGIN;
  return {
    ...{ width, height, narrow, slots, cell, pitch, cellsX, rows },
    from: firstDrawn(world, slots),
    narrowDiskY: 147,
    diskX: width - MARGIN - diskWidth + 8,
  };
}

/** The ends of the logs are drawn; or, where that is earlier, from where two of them first differ, or one ends. */
function firstDrawn(world: World, slots: number): number {
  const lost = lostIn(world).map(({ offset }) => offset);
  const ends = world.replicas.map(({ log }) => log.length);
  const longest = Math.max(0, ...ends, ...lost.map((offset) => offset + 1));
  if (longest < slots) return 0;
  const differing = pairs(world.replicas).flatMap(([a, b]) => differingOffsets(a, b).slice(0, 1));
  return Math.max(0, Math.min(longest + 1 - slots, ...[...differing, ...ends, ...lost].map((offset) => offset - 1)));
}

function pairs(list: readonly Replica[]): [Replica, Replica][] {
  return list.flatMap((a, index) => list.slice(index + 1).map((b): [Replica, Replica] => [a, b]));
}

/** Committed records that the elected leader does not have. */
export function lostIn(world: World): { readonly offset: number; readonly id: number; readonly leader: string }[] {
  return world.replicas
    .filter((replica) => isElected(world, replica) && isAlive(replica))
    .flatMap((leader) => missingFrom(world, leader).map((lost) => ({ ...lost, leader: leader.name })));
}

/** Offsets at which this log and another's hold different records. */
export function forksOf(world: World, replica: Replica): Set<number> {
  return new Set(
    world.replicas.filter(({ name }) => name !== replica.name).flatMap((other) => differingOffsets(replica, other)),
  );
}
