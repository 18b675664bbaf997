import { type Message, UNDEFINED } from '../../../../src/report/index.ts';
import { isReply } from '../../sequence.ts';
import { type Asked, type Draft, type Option, yesNo } from '../stop.ts';
import { around, cacheText, messageOf, worldsOf } from './around.ts';

/** To which offset will it cut its log? */
export function cutTo(asked: Asked): Draft | null {
  const { opened, step } = asked;
  const id = String(step.args[0]);
  const [before, after] = around(asked, id);
  const message = messageOf(worldsOf(asked)[0], id);
  if (before === undefined || after === undefined || before.log.length === 0) return null;
  const rule = ruleThatCuts(asked, message);
  if (rule === null) return null;
  const leo = before.log.length;
  const leader = worldsOf(asked)[0].replicas.find(({ name }) => name === after.leader);
  const answer = message?.endOffset ?? UNDEFINED;
  const candidates = new Map<number, string[]>();
  const suggest = (offset: number, why: string) => {
    if (offset >= 0 && offset <= leo) candidates.set(offset, [...(candidates.get(offset) ?? []), why]);
  };
  suggest(Math.min(before.hw, leo), 'its own high watermark');
  suggest(leo, 'the end of its log: nothing is cut');
  if (answer !== UNDEFINED) suggest(Math.min(answer, leo), `what ${message?.leader} answered`);
  if (leader !== undefined) suggest(Math.min(leader.hw, leo), `${leader.name}’s high watermark`);
  suggest(after.log.length, 'where the epochs part');
  if (candidates.size < 2) suggest(0, 'the beginning');
  if (candidates.size < 2) return null;
  const heard =
    step.action === 'BecomeFollower'
      ? `${id} hears that ${after.leader} leads.`
      : `${id} has got ${message?.leader}’s answer.`;
  return {
    kind: `cut-${after.log.length}-${leo}`,
    question: `${heard} To which offset will it cut its log?`,
    options: optionsOf(candidates, after.log.length),
    rule,
    misconception: beliefAbout(),
  };

  function beliefAbout(): string | null {
    if (opened.profile === 'LeaderHighWatermark') return 'leader-hw';
    if (after!.log.length < before!.hw) return 'below-hw';
    if (after!.fetchState === 'truncating') return 'one-round';
    if (step.action === 'BecomeFollower' && after!.log.length < leo) {
      return opened.profile === 'DelayedHighWatermark' ? 'delayed-hw' : 'own-hw';
    }
    return opened.profile === 'Kafka_2_0_0' ? 'as-released' : null;
  }
}

/** The function that decides it; null where the step decides nothing of the kind. */
function ruleThatCuts(asked: Asked, message: Message | undefined): string | null {
  const { step } = asked;
  const [before, after] = around(asked, String(step.args[0]));
  switch (step.action) {
    case 'BecomeFollower':
      return after?.fetchState === 'fetching' && before?.fetchState !== 'fetching' ? 'becomeFollower' : null;
    case 'HandleOffsetsForLeaderEpochResponse':
      return message?.error === 'none' ? 'truncationFor' : null;
    case 'HandleFetchResponse':
      if (message === undefined || !isReply(message)) return null;
      if (message.error === 'OFFSET_OUT_OF_RANGE') return 'handleFetchResponse';
      return message.error === 'none' && message.diverging !== null ? 'truncateDiverging' : null;
    default:
      return null;
  }
}

function optionsOf(candidates: ReadonlyMap<number, readonly string[]>, right: number): Option[] {
  return [...candidates]
    .sort(([a], [b]) => a - b)
    .map(([offset, whys]) => ({
      text: `${offset}: ${whys.filter((why, at) => at === 0 || why !== 'where the epochs part').join(', ')}`,
      right: offset === right,
    }));
}

/** Where does an epoch end in the leader's log? */
export function whereItEnds(asked: Asked): Draft | null {
  const { step } = asked;
  if (step.action !== 'HandleOffsetsForLeaderEpoch') return null;
  const [leader, follower] = step.args.map(String) as [string, string];
  const [before] = around(asked, leader);
  const answer = messageOf(worldsOf(asked)[1], follower);
  if (before === undefined || answer === undefined || answer.error !== 'none') return null;
  const knows = before.epochCache.some(({ epoch }) => epoch === answer.asked);
  const offsets = new Set([...before.epochCache.map(({ start }) => start), before.log.length, answer.endOffset]);
  offsets.delete(UNDEFINED);
  const what = answer.asked === UNDEFINED ? 'epoch −1' : `e${answer.asked}`;
  return {
    kind: `ends-${knows}-${answer.endOffset}`,
    question: `${follower} asks where ${what} ends. ${leader}’s epoch cache: ${cacheText(before.epochCache)}; its log ends at ${before.log.length}. What does it answer?`,
    options: [
      ...[...offsets]
        .sort((a, b) => a - b)
        .map((offset) => ({ text: `${offset}`, right: offset === answer.endOffset })),
      { text: 'unknown (−1)', right: answer.endOffset === UNDEFINED },
    ],
    rule: 'endOffsetFor',
    misconception: knows || answer.endOffset === UNDEFINED || before.epochCache.length === 0 ? null : 'next-epoch',
  };
}

/** The same leader in another epoch: does it ask where to cut? */
export function asksAgain(asked: Asked): Draft | null {
  const { step } = asked;
  if (step.action !== 'BecomeFollower') return null;
  const [before, after] = around(asked, String(step.args[0]));
  if (before?.role !== 'follower' || before.leader !== after?.leader || before.log.length === 0) return null;
  if (before.fetchState !== 'fetching' || before.log.length !== after.log.length) return null;
  const begins = after.fetchState === 'truncating';
  const goesOn = messageOf(worldsOf(asked)[0], before.name) === undefined || messageOf(worldsOf(asked)[1], before.name);
  if (!begins && !goesOn) return null;
  return {
    kind: `same-leader-${begins}`,
    question: `${before.name} follows ${before.leader} in e${before.leaderEpoch}, and hears that ${before.leader} leads on, in e${after.leaderEpoch}. Does it ask again where to cut its log?`,
    options: yesNo(begins, 'Yes, for any new epoch', 'No, its leader is the same'),
    rule: 'becomeFollower',
    misconception: begins ? null : 'same-leader',
  };
}
