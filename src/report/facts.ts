import { type LogRecord, type Message, NO_ONE, type Replica, StoryError, type World } from './world.ts';

/** A step of the specification: what the sentences are told from. */
export interface Step {
  readonly before: World;
  readonly after: World;
  readonly name: string;
  /** Replicas and acks as they are called, numbers in decimal. */
  readonly args: readonly string[];
}

export function replicaOf(world: World, name: string): Replica {
  const found = world.replicas.find((replica) => replica.name === name);
  if (found === undefined) throw new StoryError(`no replica is called "${name}"`);
  return found;
}

/** Both states of a replica around a step. */
export function around(step: Step, name: string): [before: Replica, after: Replica] {
  return [replicaOf(step.before, name), replicaOf(step.after, name)];
}

export function isAlive(replica: Replica): boolean {
  return replica.role !== 'down' && replica.role !== 'halted';
}

/** A leader that has not been replaced; one that has, and does not know it yet, is a zombie. */
export function isElected(world: World, replica: Replica): boolean {
  return replica.role === 'leader' && replica.leaderEpoch === world.controller.epoch;
}

/** The records at the end of a log that are not there after the step. */
export function cutRecords([before, after]: [Replica, Replica]): readonly LogRecord[] {
  return before.log.slice(Math.min(before.log.length, after.log.length));
}

export function isCommitted(world: World, id: number): boolean {
  return world.committed.some((record) => record.id === id);
}

/** Whether a producer was told that a record is stored, whatever it had asked for. */
export function isAcked(world: World, id: number): boolean {
  return world.acked.some((record) => record.id === id);
}

export function hasRecord(replica: Replica, id: number): boolean {
  return replica.log.some((record) => record.id === id);
}

/** Committed records that a replica does not have at their offset, but for those that no protocol could have kept. */
export function missingFrom(world: World, replica: Replica, { evenDestroyed = false } = {}): World['committed'] {
  return world.committed.filter(
    ({ offset, id }) => replica.log[offset]?.id !== id && (evenDestroyed || !world.destroyed.includes(id)),
  );
}

/** Offsets that both logs have, with different records. */
export function differingOffsets(a: Replica, b: Replica): number[] {
  const both = a.log.slice(0, b.log.length);
  return both.flatMap((record, offset) => (sameRecord(record, b.log[offset]) ? [] : [offset]));
}

export function sameRecord(a: LogRecord | undefined, b: LogRecord | undefined): boolean {
  return a?.id === b?.id && a?.epoch === b?.epoch;
}

/** The one that a replica follows, if that one leads and both know the same epoch. */
export function leaderInSameEpoch(world: World, follower: Replica): Replica | null {
  if (follower.role !== 'follower' || follower.leader === NO_ONE) return null;
  const leader = replicaOf(world, follower.leader);
  return leader.role === 'leader' && leader.leaderEpoch === follower.leaderEpoch ? leader : null;
}

/** What a follower has under way: at most one message. */
export function underWay(world: World, follower: string): Message | undefined {
  return world.network.find((message) => message.follower === follower);
}

export function cacheText(replica: Replica): string {
  return replica.epochCache.map(({ epoch, start }) => `e${epoch}→${start}`).join(' ');
}

/** Records whose producers (acks=all) are told in this step that they are stored. */
export function toldNow(step: Step): { id: number }[] {
  const all = (world: World) => world.acked.filter(({ acks }) => acks === 'all').map(({ id }) => id);
  const before = all(step.before);
  return all(step.after)
    .filter((id) => !before.includes(id))
    .map((id) => ({ id }));
}

/** Records whose producers (acks=all) do not wait any more, and were not told that they are stored. */
export function refusedNow(step: Step, leader: string): LogRecord[] {
  const [before, after] = around(step, leader);
  return before.pending
    .filter((offset) => !after.pending.includes(offset))
    .map((offset) => before.log[offset]!)
    .filter(({ id }) => !step.after.acked.some((acked) => acked.id === id && acked.acks === 'all'));
}
