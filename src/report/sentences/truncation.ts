import { around, cutRecords, replicaOf, type Step, underWay } from '../facts.ts';
import { sentence } from '../words.ts';
import { type CacheEntry, type Message, type Replica, UNDEFINED } from '../world.ts';
import { hwAfterCut } from './high-watermark.ts';
import { cutPhrase, forkPhrase } from './loss.ts';
import { droppedPhrase, ignoredPhrase, isTaken, oldNewsPhrase, refusalPhrase, unansweredPhrase } from './news.ts';
import type { Tellers } from './tell.ts';

/** How a follower finds out where to cut its log. */
export const truncation: Tellers = {
  BecomeFollower(step, follower, epoch) {
    const [before, after] = around(step, follower);
    const sameLeader = before.role === 'follower' && before.leader === after.leader;
    const dropped = droppedPhrase(step, [follower], 'no longer waited for');
    const cuts = before.log.length !== after.log.length;
    const startsAgain = after.fetchState !== before.fetchState || cuts || dropped !== '';
    const was = before.role === 'leader' ? ' and stops leading' : '';
    const now = sameLeader
      ? `${follower} hears that ${after.leader} leads on, in epoch e${epoch}.`
      : `${follower} hears that ${after.leader} leads in epoch e${epoch}${was}.`;
    return sentence(
      now,
      oldNewsPhrase(step, Number(epoch)),
      unansweredPhrase(step, follower),
      dropped,
      sameLeader && !startsAgain
        ? 'To it this is the same leader, so it goes on where it was and cuts nothing.'
        : beginning(step, after),
      forkPhrase(step.after, follower),
    );
  },

  SendOffsetsForLeaderEpoch(step, follower) {
    const { leader, asked } = underWay(step.after, follower)!;
    return asked === UNDEFINED
      ? `${follower} has no epoch in its cache. It asks ${leader} all the same where to cut its log, for epoch -1.`
      : `${follower} asks ${leader} where epoch e${asked} ends, the latest that it has.`;
  },

  HandleOffsetsForLeaderEpoch(step, leader, follower) {
    const answer = underWay(step.after, follower)!;
    const asks = answer.asked === UNDEFINED ? 'epoch -1, which is none' : `e${answer.asked}`;
    const got = `${leader} gets ${follower}'s question about ${asks}.`;
    return sentence(
      got,
      answer.error === 'none' ? answerPhrase(replicaOf(step.after, leader), answer) : refusalPhrase(step, answer),
    );
  },

  HandleOffsetsForLeaderEpochResponse(step, follower) {
    const answer = underWay(step.before, follower)!;
    const [before, after] = around(step, follower);
    const late = answer.leaderEpoch < before.leaderEpoch;
    if (late && !isTaken(before, answer, 'truncating')) return ignoredPhrase(follower, answer);
    const lateText = late
      ? `${follower} has heard of epoch e${before.leaderEpoch} since it asked, in e${answer.leaderEpoch}, and nobody looks at that (KAFKA-7786).`
      : '';
    if (answer.error !== 'none') {
      const next = after.fetchState === 'failed' ? 'gives up until it hears of a newer epoch' : 'will ask again';
      return sentence(lateText, `${follower} learns that its question was refused (${answer.error}), and ${next}.`);
    }
    const asksTheSame = before.epochCache.at(-1)?.epoch === after.epochCache.at(-1)?.epoch;
    const next =
      after.fetchState !== 'truncating'
        ? ''
        : asksTheSame
          ? `Then it asks again, and for the same epoch: its cache still ends with e${after.epochCache.at(-1)?.epoch} (KAFKA-10706).`
          : 'Then it asks again, for that older epoch.';
    return sentence(
      lateText,
      rulePhrase(before, after, answer),
      outcomePhrase(step, follower),
      hwAfterCut(step, follower),
      next,
      forkPhrase(step.after, follower),
    );
  },
};

/** What a new follower does first. */
function beginning(step: Step, after: Replica): string {
  const { name, leader, hw, log } = after;
  if (after.fetchState === 'truncating') return `Before it fetches it will ask ${leader} where to cut its log.`;
  const cut = cutPhrase(step, name);
  if (cut !== '') return `Asking nobody, it cuts its log to its own high watermark, ${hw}. ${cut}`;
  if (log.length > 0 && after.epochCache.length > 0) {
    return `It cuts nothing yet: its fetch will tell ${leader} which epoch its log ends with, and the reply where the logs part.`;
  }
  if (log.length === 0) return 'Its log is empty, so there is nothing to cut.';
  return `Its log ends at ${log.length} and its own high watermark is ${hw}, so it cuts nothing, and asks nobody.`;
}

/** What an answer says, and where in the leader's epoch cache it comes from. */
function answerPhrase(leader: Replica, { asked, epoch, endOffset }: Message): string {
  const { name, epochCache: cache } = leader;
  const latest = cache.at(-1)?.epoch ?? UNDEFINED;
  if (asked === UNDEFINED && cache.length === 0 && endOffset !== UNDEFINED && endOffset !== leader.log.length) {
    return `Epochs do not matter: it answers with its high watermark, ${endOffset}.`;
  }
  if (endOffset === UNDEFINED) return `${unknownWhy(name, cache, asked, latest)}: the answer is "unknown" (-1).`;
  if (asked === UNDEFINED) {
    return `Its own cache is empty too, and it takes "none" for its latest epoch: it answers with its log end, ${endOffset} (KAFKA-6857).`;
  }
  if (asked === latest) return `That is its own latest epoch, so it answers with its log end, ${endOffset}.`;
  if (cache.some((entry) => entry.epoch === asked))
    return `In its log e${asked} ends at ${endOffset}, and so it answers.`;
  const next = cache.find((entry) => entry.epoch > asked)!;
  const never = `It never had e${asked}.`;
  if (epoch === UNDEFINED) {
    return `${never} It answers ${endOffset}, where its next higher epoch e${next.epoch} begins, and does not say whose records are below.`;
  }
  if (epoch === asked) {
    return `${never} Its first epoch e${next.epoch} begins at ${next.start}, so e${asked} ends there: it answers ${endOffset}.`;
  }
  return `${never} The largest epoch below that it had is e${epoch}, which ends at ${endOffset}: it answers with both.`;
}

function unknownWhy(name: string, cache: readonly CacheEntry[], asked: number, latest: number): string {
  if (asked === UNDEFINED) return 'Nothing can be said of that';
  if (cache.length === 0) return `${name}'s epoch cache is empty`;
  if (asked > latest) return `${name}'s latest epoch is e${latest}, so e${asked} is news to it`;
  return `${name}'s epoch cache begins with e${cache[0]!.epoch}, so of e${asked} it knows nothing`;
}

/** The rule that a follower applies to an answer; it depends on what its own epoch cache says. */
function rulePhrase(before: Replica, after: Replica, { leader, epoch, endOffset }: Message): string {
  const { name, epochCache: cache } = before;
  if (endOffset === UNDEFINED)
    return `${leader} knows nothing, so ${name} falls back to its own high watermark, ${before.hw}.`;
  if (epoch === UNDEFINED) return `${name} takes the answer for the offset to cut to: ${endOffset}.`;
  if (after.fetchState === 'truncating') {
    const end = after.log.length;
    return `${leader} speaks of e${epoch}, which ${name} never had. ${name} goes back to where its own next lower epoch ends, ${end}.`;
  }
  if (cache.some((entry) => entry.epoch === epoch)) {
    const ownEnd = cache.find((entry) => entry.epoch > epoch)?.start ?? before.log.length;
    return `In ${leader}'s log e${epoch} ends at ${endOffset}, in ${name}'s own at ${ownEnd}, and the smaller one counts.`;
  }
  const first = cache[0];
  const asOffset = Math.min(endOffset, before.log.length) === after.log.length;
  return asOffset || first === undefined
    ? `${name}'s own cache says nothing of e${epoch}, so ${name} takes the answer for the offset to cut to: ${endOffset}.`
    : `${name}'s own log begins with e${first.epoch}, so of e${epoch} it has nothing, and cuts to ${first.start}.`;
}

/** What the rule came to. */
function outcomePhrase(step: Step, name: string): string {
  const [before, after] = around(step, name);
  if (cutRecords([before, after]).length === 0) return `Its log ends at ${after.log.length}, so nothing is cut.`;
  const below = after.log.length < before.hw ? `That is below its own high watermark, ${before.hw}.` : '';
  return sentence(below, cutPhrase(step, name));
}
