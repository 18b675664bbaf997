import type { Observation } from '../systems/system.ts';
import type { BrokerSet } from './brokerSet.ts';
import type { Election } from './controller.ts';
import { isAlive, type Member } from './member.ts';
import { FETCH } from './wire/replication.ts';

/** What is not among these is nowhere on the wire or on disk: how far a leader takes its followers to be. */
export const OBSERVABLE: ReadonlySet<string> = new Set([
  'log',
  'flushed',
  'epochCache',
  'checkpoint',
  'role',
  'leaderEpoch',
  'leader',
  'hw',
  'fetchState',
  'incarnation',
  'isr',
  'pending',
  'controller',
  'oldNews',
  'network',
]);

/** The specification's variables; null where a replica does not show one at this moment. */
export function observation(set: BrokerSet, elections: readonly Election[], oldNews: boolean): Observation {
  const each = <T>(field: (member: Member) => T): Record<string, T> =>
    Object.fromEntries(set.members.map((member) => [member.name, field(member)]));
  const nameOf = (number: number): string => set.members.find((member) => member.number === number)?.name ?? 'none';
  const names = (numbers: readonly number[]): string[] => numbers.map(nameOf).sort();
  const plain = ({ epoch, leader, isr }: Election) => ({ epoch, leader: nameOf(leader), isr: names(isr) });
  const diskOf = (member: Member) => set.sights.get(member)!.disk;
  const probeOf = (member: Member) => set.sights.get(member)!.probe;
  const shownBy = (member: Member) => (isAlive(member) ? probeOf(member)?.shown : undefined);
  const also = set.options.kind.alsoObservable ?? [];
  const remoteLeo = (member: Member): Record<string, number> =>
    Object.fromEntries(set.members.map(({ name, number }) => [name, shownBy(member)?.remoteLeo.get(number) ?? -1]));

  return {
    log: each((member) => diskOf(member).log),
    flushed: each(({ flushed }) => flushed),
    epochCache: each((member) => diskOf(member).epochCache),
    checkpoint: each((member) => checkpoint(member, probeOf(member)?.role, diskOf(member).checkpoint)),
    role: each((member) => (member.halted ? 'halted' : (probeOf(member)?.role ?? 'down'))),
    leaderEpoch: each((member) => shownBy(member)?.leaderEpoch ?? member.heard?.epoch ?? 0),
    leader: each((member) => nameOf(shownBy(member)?.leader ?? member.heard?.leader ?? -1)),
    hw: each((member) => highWatermark(member, probeOf(member))),
    fetchState: each((member) => fetchState(set, member)),
    incarnation: each(({ incarnation }) => incarnation),
    isr: each((member) => names(shownBy(member)?.isr ?? member.isr)),
    ...(also.includes('remoteLeo') && { remoteLeo: each(remoteLeo) }),
    ...(also.includes('epochStart') && { epochStart: each((member) => shownBy(member)?.epochStart ?? -1) }),
    pending: each((member) => pending(member, diskOf(member).log)),
    controller: plain(elections.at(-1)!),
    oldNews: oldNews ? elections.slice(0, -1).map(plain) : [],
    network: set.members.flatMap((member) => message(member, nameOf)),
    // No variable of the specification's: what a client sees, to be told.
    read: each((member) => probeOf(member)?.read ?? null),
  };
}

function checkpoint({ checkpointed }: Member, role: string | undefined, onDisk: number): number | null {
  return checkpointed ?? (role === 'starting' ? null : onDisk);
}

/** One that has just started may know no partition yet, and so say nothing of it. */
function highWatermark(member: Member, probe: { hw: number | null } | null): number | null {
  return isAlive(member) ? (probe?.hw ?? null) : 0;
}

/** Seen in what the fetcher asks: nothing, while there is nobody to ask. */
function fetchState(set: BrokerSet, member: Member): string | null {
  if (!isAlive(member) || member.heard === null || member.heard.leader === member.number) return 'idle';
  const parked = set.gateOf(member)?.parked ?? null;
  const said = set.sights.get(member)?.probe?.shown?.fetchState;
  if (parked === null || said === 'failed') return said ?? null;
  return parked.apiKey === FETCH ? 'fetching' : 'truncating';
}

function pending({ waiting }: Member, log: readonly { id: number }[]): number[] {
  return waiting.filter(({ answer }) => answer === null).map(({ id }) => log.findIndex((record) => record.id === id));
}

function message(member: Member, nameOf: (number: number) => string): object[] {
  const { underWay } = member;
  if (underWay === null) return [];
  const { request, reply } = underWay;
  const isFetch = request.type === 'FetchRequest';
  const question = {
    type: reply === null ? request.type : request.type.replace('Request', 'Response'),
    follower: member.name,
    leader: nameOf(underWay.leader),
    incarnation: member.incarnation,
    leaderEpoch: underWay.leaderEpoch,
    ...(isFetch ? { offset: request.number, lastFetchedEpoch: request.lastFetchedEpoch } : { asked: request.number }),
  };
  if (reply === null) return [question];
  const { error, epochEnd, hw, records } = reply;
  if (!isFetch) return [{ ...question, error, ...epochEnd }];
  return [{ ...question, error, diverging: epochEnd, endOffset: underWay.endOffset, hw, records }];
}
