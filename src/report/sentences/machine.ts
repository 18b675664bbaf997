import { around, cacheText, type Step, underWay } from '../facts.ts';
import { agree, count, enumerate, records, sentence } from '../words.ts';
import { cutPhrase, outOfReachPhrase } from './loss.ts';
import { droppedPhrase, messageText, unansweredPhrase } from './news.ts';
import type { Tellers } from './tell.ts';

/** What may happen to a disk, a machine or a connection. */
export const machine: Tellers = {
  CheckpointHighWatermark(step, name) {
    const [before, after] = around(step, name);
    return `${name} writes its high watermark to disk: ${after.checkpoint}, where ${before.checkpoint} was.`;
  },

  FlushEpochFile(step, name) {
    const [, after] = around(step, name);
    return `${name} writes its epoch file, which now is as its cache: ${cacheText(after) || 'empty'}.`;
  },

  Flush(step, name) {
    const [before, after] = around(step, name);
    return `${name} flushes its log: ${records(after.log.slice(before.flushed))} would survive a loss of power now.`;
  },

  Crash(step, name) {
    const [before, after] = around(step, name);
    const forgets =
      before.checkpoint === before.hw
        ? ''
        : `Its high watermark, ${before.hw}, is gone; the one on disk is ${after.checkpoint}.`;
    return sentence(
      `${name}${roleWas(before.role)} crashes. Its log is on disk and stays.`,
      forgets,
      lostWith(step, name),
    );
  },

  PowerLoss(step, name, kept) {
    const [before] = around(step, name);
    const cut = cutPhrase(step, name, 'gone');
    const whole = before.log.length === 0 ? '. Its log was empty.' : '. Its whole log had reached the disk.';
    const part =
      kept === '0'
        ? '. Nothing of its log had reached the disk.'
        : ` and keeps ${kept} of ${count(before.log.length, 'record')}: the rest had not reached the disk.`;
    const given = step.after.destroyed.filter((id) => !step.before.destroyed.includes(id)).map((id) => ({ id }));
    return sentence(
      `${name}${roleWas(before.role)} loses power${cut === '' ? whole : part}`,
      cut,
      given.length > 0 && `That was the last in-sync copy: no protocol could keep ${records(given)}.`,
      lostWith(step, name),
    );
  },

  Restart(step, name) {
    const [before, after] = around(step, name);
    const { controller } = step.after;
    const hw =
      after.checkpoint > after.hw
        ? `so its high watermark is ${after.hw} too, although ${after.checkpoint} is on disk`
        : `and the high watermark on disk is ${after.hw}`;
    const entries = before.epochCache.filter((entry) => !after.epochCache.some(({ epoch }) => epoch === entry.epoch));
    const stale = after.epochCache.filter((entry) => !before.epochCache.some(({ epoch }) => epoch === entry.epoch));
    const memoryOnly = before.epochCache.length > 0 && after.epochCache.length === 0 && after.log.length > 0;
    const wasEligible = step.before.elr.includes(name);
    return sentence(
      `${name} starts again. Its log ends at ${after.log.length}, ${hw}.`,
      stale.length > 0 &&
        `Its epoch file was not written since it cut its log: ${enumerate(stale.map(({ epoch }) => `e${epoch}`))} ${agree(stale, 'is', 'are')} back in its cache (KAFKA-15046).`,
      memoryOnly && 'Its epochs were in memory only: the cache is empty.',
      wasEligible && 'It stopped without a word, so it is not eligible to lead any more.',
      !memoryOnly &&
        entries.length > 0 &&
        `Epochs without a record go from its cache: ${enumerate(entries.map(({ epoch }) => `e${epoch}`))}.`,
      controller.leader === name &&
        `The controller has missed that it was away, and lets it lead on in epoch e${controller.epoch} (KAFKA-1120).`,
    );
  },

  LoseMessage(step, follower) {
    const message = underWay(step.before, follower)!;
    return `A connection breaks: ${messageText(message)} is lost, and ${follower} will try again.`;
  },
};

function roleWas(role: string): string {
  return role === 'leader' ? ', the leader,' : '';
}

/** What else goes when a replica stops. */
function lostWith(step: Step, name: string): string {
  const followers = step.before.replicas
    .map((replica) => replica.name)
    .filter((follower) => follower === name || underWay(step.before, follower)?.leader === name);
  return sentence(unansweredPhrase(step, name), droppedPhrase(step, followers), outOfReachPhrase(step));
}
