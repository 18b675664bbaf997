import type { Observation } from '../systems/system.ts';
import { type Ghosts, isElectedLeader } from './observer.ts';

interface LogRecord {
  readonly id: number;
  readonly epoch: number;
}
type PerReplica<T> = Readonly<Record<string, T>>;

/** What the judge looks at: fields that a system shows, and the observer's ghosts. */
export interface Evidence {
  readonly log: PerReplica<readonly LogRecord[]>;
  readonly epochCache: PerReplica<readonly { readonly epoch: number; readonly start: number }[]>;
  readonly hw: PerReplica<number>;
  readonly role: PerReplica<string>;
  readonly leader: PerReplica<string>;
  readonly leaderEpoch: PerReplica<number>;
  readonly fetchState: PerReplica<string>;
  readonly controller: { readonly epoch: number; readonly leader: string; readonly isr: readonly string[] };
  readonly network: readonly SeenMessage[];
  /** Offsets whose producers wait; a system need not show them. */
  readonly pending?: PerReplica<readonly number[]>;
  readonly ghosts: Ghosts;
}

interface SeenMessage {
  readonly type: string;
  readonly follower: string;
  readonly leader: string;
  readonly error?: string;
  readonly offset?: number;
  readonly records?: readonly LogRecord[];
  readonly diverging?: { readonly epoch: number; readonly endOffset: number };
}

/**
 * The promises of spec/LeaderEpoch.tla that a trace can break, judged on what a system shows: a sentence that says what is
 * wrong, or null. A second opinion beside TLC's, and the only one where there is no Java.
 */
export const judges: Readonly<Record<string, (evidence: Evidence) => string | null>> = {
  CommittedSurvives: (evidence) => lostCommitted(evidence, evidence.ghosts.destroyed),
  CommittedSurvivesAnything: (evidence) => lostCommitted(evidence, []),

  AckedSurvives: (evidence) => lostAcked(evidence, 'all'),
  AckedByOneSurvives: (evidence) => lostAcked(evidence, '1'),

  UnansweredIsGone: (evidence) =>
    firstOf(electedLeaders(evidence), (leader) => {
      const committed = logOf(evidence, leader).slice(0, evidence.hw[leader] ?? 0);
      const stored = committed.find(({ id }) => unanswered(evidence).includes(id));
      return stored
        ? `nobody will tell the producer of m${stored.id}, and it is committed at the leader ${leader}`
        : null;
    }),

  UnansweredIsStored: (evidence) =>
    firstOf(electedLeaders(evidence), (leader) => {
      const lost = unanswered(evidence).find((id) => !logOf(evidence, leader).some((record) => record.id === id));
      if (lost === undefined) return null;
      return `nobody will tell the producer of m${lost}, and it is not in the log of the leader ${leader}`;
    }),

  FollowerAgrees: (seen) =>
    firstOf(Object.keys(seen.role), (id) => {
      const leader = seen.leader[id] ?? '';
      const settled = seen.role[id] === 'follower' && seen.fetchState[id] === 'fetching';
      const sameEpoch = seen.role[leader] === 'leader' && seen.leaderEpoch[leader] === seen.leaderEpoch[id];
      return settled && sameEpoch ? difference(seen, id, leader, () => true) : null;
    }),

  AppendAgrees: (seen) =>
    firstOf(seen.network, ({ type, follower, leader, error, diverging, offset, records = [] }) => {
      const brings =
        type === 'FetchResponse' && error === 'none' && diverging?.epoch === -1 && diverging.endOffset === -1;
      const sameEpoch = seen.role[leader] === 'leader' && seen.leaderEpoch[leader] === seen.leaderEpoch[follower];
      const own = logOf(seen, follower);
      const isTaken =
        seen.leader[follower] === leader && seen.fetchState[follower] === 'fetching' && offset === own.length;
      if (!brings || !sameEpoch || !isTaken) return null;
      const appended = { ...seen, log: { ...seen.log, [follower]: [...own, ...records] } };
      return difference(appended, follower, leader, () => true);
    }),

  NoDivergence: ({ ghosts, ...seen }) =>
    ghosts.faults.unclean > 0
      ? null
      : firstOf(pairs(seen), ([one, other]) =>
          difference(seen, one, other, (offset) => offset < (seen.hw[one] ?? 0) && offset < (seen.hw[other] ?? 0)),
        ),

  LogMatching: (seen) =>
    firstOf(pairs(seen), ([one, other]) => {
      const [a, b] = [logOf(seen, one), logOf(seen, other)];
      const upTo = a.findLastIndex((record, offset) => record.epoch === b[offset]?.epoch);
      return difference(seen, one, other, (offset) => offset <= upTo);
    }),

  CacheMatchesLog: (seen) =>
    firstOf(Object.keys(seen.log), (id) => {
      if (['down', 'halted'].includes(seen.role[id] ?? '')) return null;
      const epochAt = (offset: number) => seen.epochCache[id]?.findLast(({ start }) => start <= offset)?.epoch;
      const wrong = logOf(seen, id).findIndex(({ epoch }, offset) => epochAt(offset) !== epoch);
      if (wrong === -1) return null;
      const says = epochAt(wrong) === undefined ? 'no epoch' : `epoch ${epochAt(wrong)}`;
      return `${id} has ${show(logOf(seen, id)[wrong])} at offset ${wrong}, and its epoch cache has ${says} there`;
    }),

  NoPhantom: ({ ghosts }) => contradiction(ghosts.readable ?? [], ghosts.readable ?? [], 'was read'),

  NoPhantomFromFollower: ({ ghosts, ...seen }) =>
    firstOf(withRole(seen, 'follower'), (id) =>
      contradiction(below(seen, id, seen.hw[id] ?? 0), ghosts.readable ?? [], `can be read from the follower ${id}`),
    ),

  NoPhantomAtLogEnd: ({ ghosts, ...seen }) =>
    firstOf(withRole(seen, 'leader'), (id) =>
      contradiction(below(seen, id, Infinity), ghosts.readable ?? [], `is in the log of the leader ${id}`),
    ),

  ResumesOnItsPast: ({ ghosts, ...seen }) =>
    firstOf(electedLeaders(seen), (leader) => {
      const past = ghosts.readable?.find(
        ({ offset, id }) => offset < (seen.hw[leader] ?? 0) && logOf(seen, leader)[offset]?.id !== id,
      );
      if (past === undefined) return null;
      const there = show(logOf(seen, leader)[past.offset]);
      return `a consumer that has read m${past.id} at offset ${past.offset} goes on at ${leader}, which has ${there} there`;
    }),

  // The log of the users (spec/Refinement.tla) only grows while its holder has all that could ever be read.
  Refines: ({ ghosts, ...seen }) => {
    const { leader, isr } = seen.controller;
    const holder = leader in seen.log ? leader : ([...isr].sort()[0] ?? '');
    const readable = ghosts.readable ?? [];
    const wrong = readable.find(({ offset, id }) => logOf(seen, holder)[offset]?.id !== id);
    if (wrong !== undefined) {
      const there = show(logOf(seen, holder)[wrong.offset]);
      return `m${wrong.id} could be read at offset ${wrong.offset}, and ${holder}, which holds the log now, has ${there} there`;
    }
    const told = ghosts.acked.find(({ id, acks }) => acks === 'all' && !readable.some((read) => read.id === id));
    return told && ghosts.readable ? `m${told.id} was acknowledged, and no consumer could ever read it` : null;
  },
};

interface Read {
  readonly offset: number;
  readonly id: number;
}

function contradiction(some: readonly Read[], others: readonly Read[], how: string): string | null {
  return firstOf(some, ({ offset, id }) => {
    const other = others.find((read) => read.offset === offset && read.id !== id);
    return other ? `at offset ${offset} m${id} ${how}, and m${other.id} was read there too` : null;
  });
}

function below(seen: Seen, id: string, end: number): Read[] {
  return logOf(seen, id)
    .slice(0, end)
    .map((record, offset) => ({ offset, id: record.id }));
}

function withRole(seen: Seen, role: string): string[] {
  return Object.keys(seen.role).filter((id) => seen.role[id] === role);
}

/** Null where the property is kept, or not one that can be judged here. */
export function judge(property: string, observation: Observation, ghosts: Ghosts): string | null {
  if (!Object.hasOwn(judges, property)) return null;
  return judges[property]!({ ...(observation as unknown as Omit<Evidence, 'ghosts'>), ghosts });
}

function lostAcked({ ghosts, ...seen }: Evidence, by: string): string | null {
  return firstOf(electedLeaders(seen), (leader) => {
    const has = new Set(logOf(seen, leader).map(({ id }) => id));
    const lost = ghosts.acked.find(({ id, acks }) => acks === by && !ghosts.destroyed.includes(id) && !has.has(id));
    return lost ? `m${lost.id} was acknowledged, and is not in the log of the leader ${leader}` : null;
  });
}

/** Records whose producers were not told, and do not wait any more; none where a system does not show who waits. */
function unanswered({ ghosts, pending, ...seen }: Evidence): number[] {
  if (pending === undefined) return [];
  const waiting = Object.entries(pending).flatMap(([id, offsets]) =>
    offsets.map((offset) => logOf(seen, id)[offset]?.id),
  );
  const told = [...waiting, ...ghosts.acked.map(({ id }) => id)];
  return Array.from({ length: ghosts.written }, (_, index) => index + 1).filter((id) => !told.includes(id));
}

function lostCommitted({ ghosts, ...seen }: Evidence, excused: readonly number[]): string | null {
  return firstOf(electedLeaders(seen), (leader) => {
    const lost = ghosts.committed.find(
      ({ offset, id }) => !excused.includes(id) && logOf(seen, leader)[offset]?.id !== id,
    );
    return lost ? `m${lost.id}, committed at offset ${lost.offset}, is not in the log of the leader ${leader}` : null;
  });
}

type Seen = Omit<Evidence, 'ghosts'>;

function electedLeaders(seen: Seen): string[] {
  const known = { ...seen, controller: { ...seen.controller, leader: '', isr: [] } };
  return Object.keys(seen.role).filter((id) => isElectedLeader(known, id));
}

function difference(seen: Seen, one: string, other: string, counts: (offset: number) => boolean): string | null {
  const [a, b] = [logOf(seen, one), logOf(seen, other)];
  const offset = a.findIndex((record, at) => {
    const there = b[at];
    return there !== undefined && counts(at) && (record.id !== there.id || record.epoch !== there.epoch);
  });
  if (offset === -1) return null;
  return `${one} has ${show(a[offset])} at offset ${offset}, where ${other} has ${show(b[offset])}`;
}

function show(record: LogRecord | undefined): string {
  return record === undefined ? 'nothing' : `m${record.id} of epoch ${record.epoch}`;
}

function logOf(seen: Seen, id: string): readonly LogRecord[] {
  return seen.log[id] ?? [];
}

function pairs(seen: Seen): [string, string][] {
  const ids = Object.keys(seen.log).sort();
  return ids.flatMap((one, index) => ids.slice(index + 1).map((other): [string, string] => [one, other]));
}

function firstOf<T>(things: readonly T[], judgeOne: (thing: T) => string | null): string | null {
  for (const thing of things) {
    const found = judgeOne(thing);
    if (found !== null) return found;
  }
  return null;
}
