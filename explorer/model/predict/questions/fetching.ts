import { isReply } from '../../sequence.ts';
import { type Asked, type Draft, yesNo } from '../stop.ts';
import { around, messageOf, worldsOf } from './around.ts';

/** Does the reply carry the new high watermark? */
export function replyHw(asked: Asked): Draft | null {
  const { step } = asked;
  if (step.action !== 'HandleFetch') return null;
  const [leader, follower] = step.args.map(String) as [string, string];
  const [before, after] = around(asked, leader);
  const reply = messageOf(worldsOf(asked)[1], follower);
  if (before === undefined || after === undefined || before.hw === after.hw || reply === undefined || reply.hw < 0)
    return null;
  return {
    kind: 'reply-hw',
    question: `${follower} fetches from ${reply.offset}, and that moves ${leader}’s high watermark from ${before.hw} to ${after.hw}. Which one does the reply carry?`,
    options: [
      { text: `${after.hw}, the new one`, right: reply.hw === after.hw },
      { text: `${before.hw}, the old one`, right: reply.hw === before.hw },
    ],
    rule: 'countFetch',
    misconception: reply.hw === before.hw ? 'reply-hw' : null,
  };
}

/** Is a request of another epoch taken? */
export function isAccepted(asked: Asked): Draft | null {
  const { step } = asked;
  if (step.action !== 'HandleFetch' && step.action !== 'HandleOffsetsForLeaderEpoch') return null;
  const [leader, follower] = step.args.map(String) as [string, string];
  const [before] = around(asked, leader);
  const [request, reply] = worldsOf(asked).map((world) => messageOf(world, follower));
  if (before === undefined || request === undefined || reply === undefined) return null;
  if (request.leaderEpoch === before.leaderEpoch && before.role === 'leader') return null;
  const knows =
    before.role === 'leader' ? `leads in e${before.leaderEpoch}` : `is ${before.role} in e${before.leaderEpoch}`;
  return {
    kind: `accepted-${reply.error}`,
    question: `${follower} sent its request in e${request.leaderEpoch}; ${leader} ${knows}. Is it answered?`,
    options: yesNo(reply.error === 'none', 'Yes, as any other', 'No, it is refused'),
    rule: 'errorFor',
    misconception: 'fencing',
  };
}

/** Is a reply taken that was asked for in an earlier epoch? */
export function isTakenLate(asked: Asked): Draft | null {
  const { step } = asked;
  if (!['HandleFetchResponse', 'HandleOffsetsForLeaderEpochResponse'].includes(step.action)) return null;
  const [before, after] = around(asked, String(step.args[0]));
  const reply = messageOf(worldsOf(asked)[0], String(step.args[0]));
  if (before === undefined || after === undefined || reply === undefined || !isReply(reply)) return null;
  if (reply.leaderEpoch >= before.leaderEpoch) return null;
  const taken =
    before.log.length !== after.log.length || before.fetchState !== after.fetchState || before.hw !== after.hw;
  return {
    kind: `late-${taken}`,
    question: `${before.name} asked in e${reply.leaderEpoch}, and has heard of e${before.leaderEpoch} since. Now the reply comes. Does it take it?`,
    options: yesNo(taken, 'Yes', 'No, it is thrown away'),
    rule: step.action === 'HandleFetchResponse' ? 'handleFetchResponse' : 'handleOffsetsForLeaderEpochResponse',
    misconception: taken ? 'late-reply' : null,
  };
}
