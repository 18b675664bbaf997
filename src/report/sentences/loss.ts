import {
  around,
  cutRecords,
  differingOffsets,
  hasRecord,
  isAcked,
  isAlive,
  isCommitted,
  leaderInSameEpoch,
  missingFrom,
  replicaOf,
  type Step,
} from '../facts.ts';
import { agree, enumerate, records, recordText, sentence } from '../words.ts';
import type { Replica, World } from '../world.ts';

type Ids = readonly { readonly id: number }[];

/**
 * The records that a log loses in this step, each with what somebody was promised about it and who still has it:
 * `m1 is cut, although its producer was told that it is stored. A still has it.` Empty if the log got no shorter.
 */
export function cutPhrase(step: Step, name: string, verb = 'cut'): string {
  const cut = cutRecords(around(step, name));
  const promised = cut.filter(({ id }) => isAcked(step.before, id) || isCommitted(step.before, id));
  const others = cut.filter((record) => !promised.includes(record));
  const gone = (list: Ids) => `${records(list)} ${agree(list, 'is', 'are')} ${verb}`;
  return sentence(
    promised.length > 0 &&
      `${gone(promised)}, although ${promisePhrase(step.before, promised)}. ${holdersPhrase(step.after, promised)}`,
    others.length > 0 && `${gone(others)}.`,
  );
}

/** What producers were told of these records, or that they are committed. */
export function promisePhrase(world: World, list: Ids): string {
  if (!list.every(({ id }) => isAcked(world, id))) return agree(list, 'it is committed', 'they are committed');
  return agree(list, 'its producer was told that it is stored', 'their producers were told that they are stored');
}

/** Who has these records. */
export function holdersPhrase(world: World, list: Ids): string {
  const them = agree(list, 'it', 'them');
  const holders = world.replicas.filter((replica) => list.some(({ id }) => hasRecord(replica, id)));
  if (holders.length === 0) return `No log has ${them} any more.`;
  const names = enumerate(holders.map((replica) => replica.name));
  if (holders.some(isAlive)) return `${names} still ${agree(holders, 'has', 'have')} ${them}.`;
  return `Only ${names} still ${agree(holders, 'has', 'have')} ${them}, and ${agree(holders, 'is', 'are')} down.`;
}

/** Records that somebody relies on, and that only replicas have that are down, since this step. */
export function outOfReachPhrase(step: Step): string {
  const live = (world: World, id: number) =>
    world.replicas.some((replica) => isAlive(replica) && hasRecord(replica, id));
  const ids = [...new Set([...step.after.acked, ...step.after.committed].map(({ id }) => id))].sort((a, b) => a - b);
  const somewhere = (id: number) => step.after.replicas.some((replica) => hasRecord(replica, id));
  const list = ids
    .filter((id) => live(step.before, id) && !live(step.after, id) && somewhere(id))
    .map((id) => ({ id }));
  if (list.length === 0) return '';
  return `${records(list)} ${agree(list, 'is', 'are')} on no live replica now, although ${promisePhrase(step.after, list)}.`;
}

/** What was committed and a new leader does not have. */
export function lackPhrase(world: World, name: string): string {
  const lacks = missingFrom(world, replicaOf(world, name), { evenDestroyed: true });
  return lacks.length === 0 ? '' : `${name} does not have ${records(lacks)}, although ${promisePhrase(world, lacks)}.`;
}

/** A follower that goes on fetching although its log is not its leader's. */
export function forkPhrase(world: World, name: string): string {
  const follower = replicaOf(world, name);
  const leader = leaderInSameEpoch(world, follower);
  if (leader === null || follower.fetchState !== 'fetching') return '';
  const [offset] = differingOffsets(follower, leader);
  return offset === undefined ? '' : `${name} does not notice that ${atOffset(offset, follower, leader)}.`;
}

export function atOffset(offset: number, a: Replica, b: Replica): string {
  return `at offset ${offset} ${a.name} has ${recordText(a.log[offset]!)} and ${b.name} has ${recordText(b.log[offset]!)}`;
}
