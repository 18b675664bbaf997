import { around, isElected, refusedNow, replicaOf, type Step, underWay } from '../facts.ts';
import { agree, capital, records } from '../words.ts';
import { type Message, NO_ONE, type Replica } from '../world.ts';

/** A leader that does not know yet that it was replaced. */
export function zombiePhrase(step: Step, name: string): string {
  const leader = replicaOf(step.after, name);
  if (leader.role !== 'leader' || isElected(step.after, leader)) return '';
  return `${name} does not know yet that ${newestPhrase(step)}.`;
}

/** News that is not the newest any more. */
export function oldNewsPhrase(step: Step, epoch: number): string {
  return epoch === step.after.controller.epoch ? '' : `That is old news: ${newestPhrase(step)}.`;
}

function newestPhrase(step: Step): string {
  const { epoch, leader } = step.after.controller;
  return `${leader === NO_ONE ? 'nobody' : leader} leads in epoch e${epoch}`;
}

/** Producers that waited at a leader which does not lead any more. */
export function unansweredPhrase(step: Step, name: string): string {
  if (around(step, name)[1].role === 'leader') return '';
  const list = refusedNow(step, name);
  return list.length === 0
    ? ''
    : `The ${agree(list, 'producer', 'producers')} of ${records(list)}, still waiting, ${agree(list, 'gets', 'get')} an error.`;
}

/** What was under way for these followers, and what became of it. */
export function droppedPhrase(step: Step, followers: readonly string[], how = 'lost with the connection'): string {
  const dropped = followers.flatMap((follower) => {
    const message = underWay(step.before, follower);
    return message !== undefined && underWay(step.after, follower) === undefined ? [message] : [];
  });
  if (dropped.length === 0) return '';
  return `${dropped.map((message, index) => (index === 0 ? capital(messageText(message)) : messageText(message))).join(' and ')} ${
    dropped.length === 1 ? 'is' : 'are'
  } ${how}.`;
}

export function messageText(message: Message): string {
  switch (message.type) {
    case 'FetchRequest':
      return `${message.follower}'s fetch from offset ${message.offset}`;
    case 'FetchResponse':
      return `${message.leader}'s reply to ${message.follower}'s fetch`;
    case 'OffsetsForLeaderEpochRequest':
      return `${message.follower}'s question`;
    case 'OffsetsForLeaderEpochResponse':
      return `${message.leader}'s answer to ${message.follower}`;
    default:
      return `a ${message.type} of ${message.follower}`;
  }
}

/** Whether a follower's fetcher is at what a reply is about. */
export function isTaken({ role, leader, fetchState }: Replica, message: Message, state: string): boolean {
  return role === 'follower' && leader === message.leader && fetchState === state;
}

export function ignoredPhrase(follower: string, message: Message): string {
  return `${capital(messageText(message))} comes late: ${follower} asked in epoch e${message.leaderEpoch}, and ignores it now.`;
}

/** Why a leader refuses a request; the same for a fetch and a question. */
export function refusalPhrase(step: Step, { leader, follower, leaderEpoch, error }: Message): string {
  const known = replicaOf(step.after, leader);
  const code = `${leader} refuses it (${error})`;
  switch (error) {
    case 'FENCED_LEADER_EPOCH':
      return `${code}: ${follower} sent it in epoch e${leaderEpoch}, and ${leader} leads in e${known.leaderEpoch}. First ${follower} has to hear of that.`;
    case 'UNKNOWN_LEADER_EPOCH':
      return `${code}: ${follower} sent it in epoch e${leaderEpoch}, of which ${leader} has not heard yet.`;
    case 'NOT_LEADER':
      return `${code}: as far as ${leader} knows, it does not lead.`;
    default:
      return `${code}.`;
  }
}
