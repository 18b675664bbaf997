import { type Message, missingFrom, type Replica, UNDEFINED, type World } from '../../../src/report/index.ts';
import { isReply } from '../sequence.ts';
import { type Asked, type Draft, type Option, yesNo } from './stop.ts';

/** Kinds of questions: each looks at a step, and asks if the step decides something of its kind. */
export const QUESTIONS: readonly ((asked: Asked) => Draft | null)[] = [
  cutTo,
  replyHw,
  whereItEnds,
  isAccepted,
  hwOnReturn,
  isStillThere,
  keptOfPower,
];

/** To which offset will it cut its log? */
function cutTo({ opened, index, step }: Asked): Draft | null {
  const id = String(step.args[0]);
  const [before, after] = around(opened.world(index - 1), opened.world(index), id);
  const message = before === undefined ? undefined : messageOf(opened.world(index - 1), id);
  const decides =
    step.action === 'BecomeFollower'
      ? after?.fetchState === 'fetching' && before?.fetchState !== 'fetching'
      : message !== undefined &&
        isReply(message) &&
        (message.type !== 'FetchResponse' || message.diverging !== null || message.error === 'OFFSET_OUT_OF_RANGE');
  if (
    !decides ||
    !['BecomeFollower', 'HandleOffsetsForLeaderEpochResponse', 'HandleFetchResponse'].includes(step.action)
  )
    return null;
  if (
    before === undefined ||
    after === undefined ||
    before.log.length === 0 ||
    (message !== undefined && isRefusal(message))
  )
    return null;
  const leo = before.log.length;
  const leader = opened.world(index - 1).replicas.find(({ name }) => name === after.leader);
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
  const asksAgain = after.fetchState === 'truncating';
  return {
    kind: `cut-${after.log.length}-${leo}`,
    question: `${heard} To which offset will it cut its log?`,
    options: optionsOf(candidates, after.log.length),
    rule:
      step.action === 'BecomeFollower'
        ? 'becomeFollower'
        : step.action === 'HandleFetchResponse'
          ? 'truncateDiverging'
          : 'truncationFor',
    misconception:
      after.log.length < before.hw
        ? 'below-hw'
        : asksAgain
          ? 'one-round'
          : step.action === 'BecomeFollower' && after.log.length < leo
            ? 'own-hw'
            : opened.profile === 'Kafka_2_0_0'
              ? 'as-released'
              : null,
  };
}

function optionsOf(candidates: ReadonlyMap<number, readonly string[]>, right: number): Option[] {
  return [...candidates]
    .sort(([a], [b]) => a - b)
    .map(([offset, whys]) => ({
      text: `${offset}: ${whys.filter((why, at) => at === 0 || why !== 'where the epochs part').join(', ')}`,
      right: offset === right,
    }));
}

/** Does the reply carry the new high watermark? */
function replyHw({ opened, index, step }: Asked): Draft | null {
  if (step.action !== 'HandleFetch') return null;
  const [leader, follower] = step.args.map(String) as [string, string];
  const [before, after] = around(opened.world(index - 1), opened.world(index), leader);
  const reply = messageOf(opened.world(index), follower);
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
    misconception: 'reply-hw',
  };
}

/** Where does an epoch end in the leader's log? */
function whereItEnds({ opened, index, step }: Asked): Draft | null {
  if (step.action !== 'HandleOffsetsForLeaderEpoch') return null;
  const [leader, follower] = step.args.map(String) as [string, string];
  const [before] = around(opened.world(index - 1), opened.world(index), leader);
  const answer = messageOf(opened.world(index), follower);
  if (before === undefined || answer === undefined || answer.error !== 'none') return null;
  const knows = before.epochCache.some(({ epoch }) => epoch === answer.asked);
  const cache = before.epochCache.map(({ epoch, start }) => `e${epoch} from ${start}`).join(', ') || 'empty';
  const offsets = new Set([...before.epochCache.map(({ start }) => start), before.log.length, answer.endOffset]);
  offsets.delete(UNDEFINED);
  const asked = answer.asked === UNDEFINED ? 'epoch −1' : `e${answer.asked}`;
  return {
    kind: `ends-${knows}-${answer.endOffset}`,
    question: `${follower} asks where ${asked} ends. ${leader}’s epoch cache: ${cache}; its log ends at ${before.log.length}. What does it answer?`,
    options: [
      ...[...offsets]
        .sort((a, b) => a - b)
        .map((offset) => ({ text: `${offset}`, right: offset === answer.endOffset })),
      { text: 'unknown (−1)', right: answer.endOffset === UNDEFINED },
    ],
    rule: 'endOffsetFor',
    misconception: knows || answer.endOffset === UNDEFINED ? null : 'next-epoch',
  };
}

/** Is a request of another epoch taken? */
function isAccepted({ opened, index, step }: Asked): Draft | null {
  if (step.action !== 'HandleFetch' && step.action !== 'HandleOffsetsForLeaderEpoch') return null;
  const [leader, follower] = step.args.map(String) as [string, string];
  const [before] = around(opened.world(index - 1), opened.world(index), leader);
  const [request, reply] = [messageOf(opened.world(index - 1), follower), messageOf(opened.world(index), follower)];
  if (before === undefined || request === undefined || reply === undefined) return null;
  const sameEpoch = request.leaderEpoch === before.leaderEpoch;
  if (sameEpoch && before.role === 'leader') return null;
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

/** With which high watermark does it come back? */
function hwOnReturn({ opened, index, step }: Asked): Draft | null {
  if (step.action !== 'Restart') return null;
  const id = String(step.args[0]);
  const [before, after] = around(opened.world(index - 1), opened.world(index), id);
  if (before === undefined || after === undefined) return null;
  const offsets = [...new Set([after.hw, before.checkpoint, before.log.length, 0])].sort((a, b) => a - b);
  if (offsets.length < 2) return null;
  return {
    kind: 'return',
    question: `${id} starts again. Its log has ${count(before.log.length)}, the checkpoint on disk says ${before.checkpoint}. Which high watermark will it have?`,
    options: offsets.map((offset) => ({ text: `${offset}`, right: offset === after.hw })),
    rule: 'restart',
    misconception: null,
  };
}

/** Has the new leader everything that was committed? */
function isStillThere({ opened, index, step }: Asked): Draft | null {
  if (step.action !== 'BecomeLeader') return null;
  const id = String(step.args[0]);
  const after = opened.world(index);
  const replica = after.replicas.find(({ name }) => name === id);
  if (replica === undefined || opened.world(index - 1).committed.length === 0) return null;
  const lost = missingFrom(after, replica, { evenDestroyed: true });
  const ids = (lost.length > 0 ? lost : opened.world(index - 1).committed).map((one) => `m${one.id}`);
  return {
    kind: `there-${lost.length > 0}`,
    question: `${id} is elected: it is alive and in the ISR. Does it have ${ids.join(', ')}, which ${ids.length === 1 ? 'is' : 'are'} committed?`,
    options: yesNo(lost.length === 0),
    rule: 'elect',
    misconception: lost.length > 0 ? (opened.profile === 'Kip101' ? 'kip101-enough' : 'unclean') : null,
  };
}

/** What does a loss of power leave? */
function keptOfPower({ opened, index, step }: Asked): Draft | null {
  if (step.action !== 'PowerLoss') return null;
  const id = String(step.args[0]);
  const [before] = around(opened.world(index - 1), opened.world(index), id);
  if (before === undefined || before.flushed === before.log.length) return null;
  const acked = before.log
    .slice(before.flushed)
    .filter((record) => opened.world(index - 1).acked.some((one) => one.id === record.id));
  if (acked.length === 0) return null;
  const names = acked.map((record) => `m${record.id}`).join(', ');
  return {
    kind: 'power',
    question: `${names}: the producer (acks=all) was told “stored”. ${id} loses power now. Must it still have ${acked.length === 1 ? 'it' : 'them'} when it returns?`,
    options: yesNo(false, 'Yes, acknowledged is on disk', 'No, what was not flushed may go'),
    rule: 'powerLoss',
    misconception: 'on-disk',
  };
}

function around(before: World, after: World, id: string): [Replica | undefined, Replica | undefined] {
  const find = (world: World) => world.replicas.find(({ name }) => name === id);
  return [find(before), find(after)];
}

function messageOf(world: World, follower: string): Message | undefined {
  return world.network.find((message) => message.follower === follower);
}

function isRefusal({ error }: Message): boolean {
  return error !== '' && error !== 'none' && error !== 'OFFSET_OUT_OF_RANGE';
}

function count(records: number): string {
  return records === 1 ? '1 record' : `${records} records`;
}
