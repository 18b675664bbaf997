import { around, isElected, refusedNow, type Step, sameRecord, toldNow } from '../facts.ts';
import { agree, enumerate, records } from '../words.ts';
import type { Replica } from '../world.ts';
import { atOffset } from './loss.ts';

/** A leader's high watermark moved: why, what it commits, and what producers are told. Empty if it did not. */
export function leaderHwPhrase(step: Step, name: string): string {
  const [before, after] = around(step, name);
  if (after.hw === before.hw) return '';
  const inSync =
    after.isr.length === 1
      ? `${name} is the only in-sync replica`
      : `All in-sync replicas (${enumerate(after.isr)}) have everything below offset ${after.hw}`;
  const covered = after.log.slice(before.hw, after.hw);
  const asSeen = isElected(step.after, after) ? '' : ` in ${name}'s eyes`;
  const outcome = [
    `${records(covered)} ${agree(covered, 'is', 'are')} committed${asSeen}`,
    ...toldClauses(step, name, covered),
  ];
  return `${inSync}, so ${name}'s high watermark becomes ${after.hw}${diskPhrase(after)}: ${outcome.join(', and ')}.${notSoPhrase(step, after)}`;
}

/** A leader knows the offsets that others fetch from, not what they have below. */
function notSoPhrase({ after: world }: Step, leader: Replica): string {
  const others = world.replicas.filter(({ name }) => name !== leader.name && leader.isr.includes(name));
  for (const other of others) {
    const offset = leader.log.slice(0, leader.hw).findIndex((record, index) => !sameRecord(record, other.log[index]));
    if (offset === -1) continue;
    return other.log[offset] === undefined
      ? ` But ${other.name} does not have m${leader.log[offset]!.id}.`
      : ` But only offsets are compared: ${atOffset(offset, leader, other)}.`;
  }
  return '';
}

function toldClauses(step: Step, name: string, covered: readonly { id: number }[]): string[] {
  const told = toldNow(step);
  const refused = refusedNow(step, name);
  return [
    ...(told.length === 0 ? [] : [`${producers(told, covered)} told that ${agree(told, 'it is', 'they are')} stored`]),
    ...(refused.length === 0
      ? []
      : [`${producers(refused, covered)} told "not enough replicas" (min.insync.replicas)`]),
  ];
}

function producers(list: readonly { id: number }[], justNamed: readonly { id: number }[]): string {
  if (records(list) === records(justNamed)) return agree(list, 'its producer is', 'their producers are');
  return `${agree(list, 'the producer', 'the producers')} of ${records(list)} ${agree(list, 'is', 'are')}`;
}

/** Whether the file replication-offset-checkpoint follows at once. */
export function diskPhrase(after: Replica): string {
  return after.checkpoint === after.hw ? ', on disk too' : ` (on disk it is still ${after.checkpoint})`;
}

/** A follower's high watermark: what it was, what it is. */
export function followerHwPhrase(step: Step, name: string): string {
  const [before, after] = around(step, name);
  if (after.hw === before.hw) return `stays ${after.hw}`;
  return `${after.hw > before.hw ? 'becomes' : `goes back from ${before.hw} to`} ${after.hw}${diskPhrase(after)}`;
}

/** Whether the high watermark followed a truncation; said only where there was something to follow. */
export function hwAfterCut(step: Step, name: string): string {
  const [before, after] = around(step, name);
  if (after.hw !== before.hw) return `Its high watermark ${followerHwPhrase(step, name)}.`;
  const stays = after.log.length < before.log.length && after.hw > after.log.length;
  return stays ? `Its high watermark stays ${after.hw}, past the end of its log.` : '';
}
