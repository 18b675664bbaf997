import { cacheText, isAcked, isAlive, isElected, sameRecord } from './facts.ts';
import { recordText } from './words.ts';
import type { LogRecord, Replica, World } from './world.ts';

export interface RowOptions {
  /** The state before, for what was appended and what was cut. */
  readonly before?: World;
  /** Show how much of each log would survive a loss of power. */
  readonly flushed?: boolean;
}

/** What a drawing says of one replica. */
export interface Row {
  /** In columns: its name, its role, the epoch that it knows. */
  readonly head: readonly string[];
  /** By offset, those that were cut last. */
  readonly cells: readonly Cell[];
  readonly leo: number;
  /** Null while it is down. */
  readonly hw: number | null;
  /** In columns, the epoch cache last. */
  readonly tail: readonly string[];
}

export interface Cell {
  readonly sign: ' ' | '+' | '-';
  readonly text: string;
  readonly epoch: number;
  readonly acked: boolean;
}

export function rowOf(world: World, replica: Replica, { before, flushed }: RowOptions): Row {
  const { log, hw, checkpoint } = replica;
  const old = before?.replicas.find(({ name }) => name === replica.name)?.log ?? log;
  const cellOf = (sign: Cell['sign'], record: LogRecord): Cell => {
    return { sign, text: recordText(record), epoch: record.epoch, acked: isAcked(world, record.id) };
  };
  const here = log.map((record, offset) => cellOf(sameRecord(record, old[offset]) ? ' ' : '+', record));
  const cut = old.slice(log.length).map((record) => cellOf('-', record));
  const alive = isAlive(replica);
  const cachesInUse = world.replicas.some(({ epochCache }) => epochCache.length > 0);
  return {
    head: [replica.name, ...roleText(world, replica)],
    cells: [...here, ...cut],
    leo: log.length,
    hw: alive ? hw : null,
    tail: [
      `LEO ${log.length} `,
      `HW ${alive ? hw : '–'}${alive && checkpoint === hw ? '' : ` (disk ${checkpoint})`} `,
      ...(flushed === true ? [`flushed ${replica.flushed} `] : []),
      cachesInUse ? `cache ${cacheText(replica) || '–'}` : '',
    ],
  };
}

function roleText(world: World, replica: Replica): [string, string] {
  const replaced = replica.role === 'leader' && !isElected(world, replica);
  const knows = replica.role === 'leader' || replica.role === 'follower';
  // As wide in each drawing, so that the logs of a story stand below each other.
  return [` ${replaced ? 'old leader' : replica.role}`.padEnd(11), (knows ? `e${replica.leaderEpoch}` : '').padEnd(2)];
}
