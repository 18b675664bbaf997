import type { Effect, Observation, WorldStep } from '../systems/system.ts';

interface LogRecord {
  readonly id: number;
  readonly epoch: number;
}
type PerReplica<T> = Readonly<Record<string, T>>;
interface Election {
  readonly epoch: number;
  readonly leader: string;
  readonly isr: readonly string[];
}
/** What the observer needs to see; a system that hides one of these has no ghosts to compare. */
interface Seen {
  readonly log: PerReplica<readonly LogRecord[]>;
  readonly hw: PerReplica<number>;
  readonly role: PerReplica<string>;
  readonly leaderEpoch: PerReplica<number>;
  readonly controller: Election;
  /** A system that has no eligible leader replicas need not show that. */
  readonly elr?: readonly string[];
}
/** What the observer cannot do without. */
export const NEEDED: readonly string[] = ['log', 'hw', 'role', 'leaderEpoch', 'controller'];
/** All that it looks at. */
export const LOOKED_AT: readonly string[] = [...NEEDED, 'elr'];

export interface Ghosts {
  readonly written: number;
  readonly acked: readonly { readonly id: number; readonly acks: string }[];
  readonly committed: readonly { readonly offset: number; readonly id: number }[];
  readonly destroyed: readonly number[];
  readonly faults: Readonly<Record<FaultName, number>>;
  /** What a consumer of a leader could ever have read: only for a trace that remembers it (spec/Readers.tla). */
  readonly readable?: readonly Readable[];
}

interface Readable {
  readonly offset: number;
  readonly id: number;
  readonly epoch: number;
}
type FaultName = 'crashes' | 'powerLosses' | 'unclean' | 'offline' | 'lostMessages';

const FAULT_OF: Readonly<Record<string, FaultName>> = {
  Crash: 'crashes',
  PowerLoss: 'powerLosses',
  ElectUnclean: 'unclean',
  PartitionOffline: 'offline',
  LoseMessage: 'lostMessages',
};

export const noGhosts: Ghosts = {
  written: 0,
  acked: [],
  committed: [],
  destroyed: [],
  faults: { crashes: 0, powerLosses: 0, unclean: 0, offline: 0, lostMessages: 0 },
};

/** For a trace with these variables. */
export function noGhostsFor(vars: readonly string[]): Ghosts {
  return vars.includes('readable') ? { ...noGhosts, readable: [] } : noGhosts;
}

/**
 * The specification's ghosts and budgets after a step, from what the system showed before and after it, and from what its
 * client was told. Null where the system does not show enough.
 */
export function observeStep(
  ghosts: Ghosts,
  step: WorldStep,
  effects: readonly Effect[],
  before: Observation,
  after: Observation,
): Ghosts | null {
  if (!isSeen(before) || !isSeen(after)) return null;
  const fault = FAULT_OF[step.action];
  return {
    written: ghosts.written + (step.action === 'Write' ? 1 : 0),
    acked: effects.length === 0 ? ghosts.acked : [...ghosts.acked, ...effects.map(({ id, acks }) => ({ id, acks }))],
    committed: withCommitted(ghosts.committed, after),
    destroyed: withDestroyed(step, ghosts, before),
    faults: fault === undefined ? ghosts.faults : { ...ghosts.faults, [fault]: ghosts.faults[fault] + 1 },
    ...(ghosts.readable === undefined ? {} : { readable: withReadable(ghosts.readable, after) }),
  };
}

/** What the high watermark of the leader that the controller has elected covers is committed from then on. */
function withCommitted(committed: Ghosts['committed'], seen: Seen): Ghosts['committed'] {
  let all = committed;
  for (const leader in seen.role) {
    if (!isElectedLeader(seen, leader)) continue;
    const log = logOf(seen, leader);
    const covered = Math.min(seen.hw[leader] ?? 0, log.length);
    for (let offset = 0; offset < covered; offset++) {
      const { id } = log[offset]!;
      if (!committed.some((one) => one.offset === offset && one.id === id)) all = [...all, { offset, id }];
    }
  }
  return all;
}

function withReadable(readable: readonly Readable[], seen: Seen): readonly Readable[] {
  const known = new Set(readable.map(({ offset, id }) => `${offset} ${id}`));
  const now = Object.keys(seen.role)
    .filter((id) => seen.role[id] === 'leader')
    .flatMap((id) =>
      logOf(seen, id)
        .slice(0, seen.hw[id])
        .map((record, offset) => ({ offset, ...record })),
    );
  return [...readable, ...now.filter(({ offset, id }) => !known.has(`${offset} ${id}`))];
}

export function isElectedLeader(seen: Pick<Seen, 'role' | 'leaderEpoch' | 'controller'>, id: string): boolean {
  return seen.role[id] === 'leader' && seen.leaderEpoch[id] === seen.controller.epoch;
}

function withDestroyed(step: WorldStep, ghosts: Ghosts, before: Seen): readonly number[] {
  const destroyed = destroyedBy(step, ghosts, before).filter((id) => !ghosts.destroyed.includes(id));
  return destroyed.length === 0 ? ghosts.destroyed : [...ghosts.destroyed, ...destroyed];
}

/** Records whose last in-sync copy a loss of power took, or that an unclean election gave up. */
function destroyedBy(step: WorldStep, ghosts: Ghosts, before: Seen): number[] {
  const [replica, kept] = step.args;
  if (step.action === 'PowerLoss') {
    const others = [...before.controller.isr, ...(before.elr ?? [])].filter((id) => id !== replica);
    const elsewhere = new Set(others.flatMap((id) => idsOf(before, id)));
    return idsOf(before, String(replica))
      .slice(Number(kept))
      .filter((id) => !elsewhere.has(id));
  }
  if (step.action === 'ElectUnclean') {
    const has = new Set(idsOf(before, String(replica)));
    return ghosts.committed.map(({ id }) => id).filter((id) => !has.has(id));
  }
  return [];
}

function idsOf(seen: Seen, id: string): number[] {
  return logOf(seen, id).map((record) => record.id);
}

function logOf(seen: Seen, id: string): readonly LogRecord[] {
  return seen.log[id] ?? [];
}

function isSeen(observation: Observation): observation is Observation & Seen {
  return NEEDED.every((name) => observation[name] !== undefined);
}
