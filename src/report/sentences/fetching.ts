import { around, replicaOf, type Step, underWay } from '../facts.ts';
import { enumerate, records, sentence } from '../words.ts';
import { type Message, UNDEFINED } from '../world.ts';
import { followerHwPhrase, hwAfterCut, leaderHwPhrase } from './high-watermark.ts';
import { cutPhrase, forkPhrase } from './loss.ts';
import { ignoredPhrase, isTaken, refusalPhrase, zombiePhrase } from './news.ts';
import type { Tellers } from './tell.ts';

export const fetching: Tellers = {
  SendFetch(step, follower) {
    const { leader, offset, lastFetchedEpoch } = underWay(step.after, follower)!;
    const ends = `${follower} asks ${leader} for records from offset ${offset} on, where its own log ends`;
    return lastFetchedEpoch === UNDEFINED
      ? `${ends}.`
      : `${ends}, and says that it ends with epoch e${lastFetchedEpoch}.`;
  },

  HandleFetch(step, leader, follower) {
    const reply = underWay(step.after, follower)!;
    const got = `${leader} gets ${follower}'s fetch from offset ${reply.offset}`;
    if (reply.error === 'OFFSET_OUT_OF_RANGE') {
      return `${got}, but its own log ends at ${reply.endOffset}: it answers OFFSET_OUT_OF_RANGE.`;
    }
    if (reply.error !== 'none') return `${got}. ${refusalPhrase(step, reply)}`;
    if (reply.diverging !== null) return divergingPhrase(step, reply, `${got}.`);
    return sentence(
      `${got}.`,
      otherEpochPhrase(step, reply),
      leaderHwPhrase(step, leader) || waitingPhrase(step, leader, follower),
      replyPhrase(step, reply),
      zombiePhrase(step, leader),
    );
  },

  HandleFetchResponse(step, follower) {
    const reply = underWay(step.before, follower)!;
    const [before, after] = around(step, follower);
    const late = reply.leaderEpoch < before.leaderEpoch;
    const fits = reply.offset === before.log.length && reply.error === 'none';
    if (late && !(fits && isTaken(before, reply, 'fetching'))) return ignoredPhrase(follower, reply);
    const lateText = late
      ? `${follower} has heard of epoch e${before.leaderEpoch} since it asked, in e${reply.leaderEpoch}; but the offset fits, and it takes the reply (KAFKA-18723).`
      : '';
    if (reply.error === 'OFFSET_OUT_OF_RANGE') {
      const ahead = `${follower}'s log ends at ${before.log.length}, ${reply.leader}'s at ${reply.endOffset}.`;
      if (after.role === 'halted') {
        return `${ahead} ${follower} halts rather than cut its records: an unclean election must have happened, and it is not configured for one.`;
      }
      const cut = cutPhrase(step, follower);
      return sentence(`${ahead} ${follower} cuts its log to ${reply.leader}'s end.`, cut, hwAfterCut(step, follower));
    }
    if (reply.error !== 'none') {
      const next = after.fetchState === 'failed' ? 'gives up until it hears of a newer epoch' : 'will try again';
      return `${follower} learns that its fetch was refused (${reply.error}), and ${next}.`;
    }
    if (reply.diverging !== null) {
      const { epoch, endOffset } = reply.diverging;
      const told = `${follower} is told that e${epoch} ends at ${endOffset} in ${reply.leader}'s log.`;
      const cut =
        before.log.length === after.log.length ? 'It has nothing to cut.' : `It cuts its log to ${after.log.length}.`;
      const phrase = cutPhrase(step, follower);
      return sentence(told, cut, phrase, hwAfterCut(step, follower), forkPhrase(step.after, follower));
    }
    const { records: fetched } = reply;
    const got = fetched.length === 0 ? 'gets no new records' : `appends ${records(fetched)}`;
    const said = after.hw === reply.hw ? 'as the reply says' : `where its log ends; the reply says ${reply.hw}`;
    const ahead = replicaOf(step.after, reply.leader);
    const lag = ahead.role === 'leader' && ahead.hw > reply.hw ? `, while ${ahead.name}'s is ${ahead.hw} by now` : '';
    return sentence(
      lateText,
      `${follower} ${got}. Its high watermark ${followerHwPhrase(step, follower)}, ${said}${lag}.`,
      forkPhrase(step.after, follower),
    );
  },
};

/** The logs part: the leader says where, and sends no records. 2.8.0 counted the fetch all the same. */
function divergingPhrase(
  step: Step,
  { follower, leader, offset, lastFetchedEpoch, diverging }: Message,
  got: string,
): string {
  const { epoch, endOffset } = diverging!;
  const [before, after] = around(step, leader);
  const counted = before.remoteLeo.get(follower) !== after.remoteLeo.get(follower);
  const why =
    epoch === lastFetchedEpoch
      ? `In its own log e${epoch} ends at ${endOffset}, before that.`
      : `It never had e${lastFetchedEpoch}, which ${follower}'s log ends with; the largest epoch below is e${epoch}, which ends at ${endOffset}.`;
  return sentence(
    got,
    why,
    'The reply says so, and carries no records.',
    counted &&
      `But the offset ${offset} is counted, as if ${follower} had ${leader}'s own records below it (KAFKA-13141).`,
    counted && leaderHwPhrase(step, leader),
  );
}

/** A leader that does not compare epochs counts the fetch of a follower that may not have cut its log yet. */
function otherEpochPhrase(step: Step, reply: Message): string {
  const leader = replicaOf(step.after, reply.leader);
  if (reply.leaderEpoch === leader.leaderEpoch) return '';
  return `It does not see that ${reply.follower} sent it in epoch e${reply.leaderEpoch}, while it leads in e${leader.leaderEpoch}.`;
}

/** Why the high watermark stays, if something waits for it. */
function waitingPhrase(step: Step, name: string, follower: string): string {
  const leader = replicaOf(step.after, name);
  if (!leader.isr.includes(follower)) return `${follower} is not in sync, and does not count for the high watermark.`;
  if (leader.hw >= leader.log.length) return '';
  const behind = leader.isr.filter((r) => r !== name && (leader.remoteLeo.get(r) ?? UNDEFINED) <= leader.hw);
  const know = behind.map((r) => {
    const offset = leader.remoteLeo.get(r) ?? UNDEFINED;
    if (offset === UNDEFINED) return `${r} has not fetched from it yet`;
    return offset === 0 ? `${r} has nothing yet` : `${r} has no more than what is below ${offset}`;
  });
  return behind.length === 0 ? '' : `Its high watermark stays ${leader.hw}: as far as it knows, ${enumerate(know)}.`;
}

function replyPhrase(step: Step, reply: Message): string {
  const [, leader] = around(step, reply.leader);
  const what = reply.records.length === 0 ? 'no records' : records(reply.records);
  const still =
    reply.hw === leader.hw ? `high watermark ${reply.hw}` : `the high watermark as it was before, ${reply.hw}`;
  return `The reply carries ${what}, and ${still}.`;
}
