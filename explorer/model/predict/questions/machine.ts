import { type Asked, type Draft, yesNo } from '../stop.ts';
import { around, cacheText, count, named, worldsOf } from './around.ts';

/** With which high watermark does it come back? */
export function hwOnReturn(asked: Asked): Draft | null {
  const { step } = asked;
  if (step.action !== 'Restart') return null;
  const [before, after] = around(asked, String(step.args[0]));
  if (before === undefined || after === undefined) return null;
  const offsets = [...new Set([after.hw, before.checkpoint, before.log.length, 0])].sort((a, b) => a - b);
  if (offsets.length < 2) return null;
  return {
    kind: 'return',
    question: `${before.name} starts again. Its log has ${count(before.log.length)}, the checkpoint on disk says ${before.checkpoint}. Which high watermark will it have?`,
    options: offsets.map((offset) => ({ text: `${offset}`, right: offset === after.hw })),
    rule: 'restart',
    misconception: null,
  };
}

/** Which epochs does it know when it comes back? */
export function epochsOnReturn(asked: Asked): Draft | null {
  const { step } = asked;
  if (step.action !== 'Crash' && step.action !== 'Restart') return null;
  const [before, after] = around(asked, String(step.args[0]));
  if (before === undefined || after === undefined || before.log.length === 0) return null;
  const [was, becomes] = [cacheText(before.epochCache), cacheText(after.epochCache)];
  if (was === becomes) return null;
  const caches = [...new Set([was, cacheText(before.epochFile), becomes, cacheText([])])];
  const file = step.action === 'Crash' ? `; the file on disk has: ${cacheText(before.epochFile)}` : '';
  return {
    kind: 'epochs-on-return',
    question: `${before.name} ${step.action === 'Crash' ? 'crashes' : 'starts again'}. Its epoch cache was: ${was}${file}. Its log ends at ${before.log.length}. What will the cache be when it is back?`,
    options: caches.map((text) => ({ text, right: text === becomes })),
    rule: 'restart',
    misconception: after.epochCache.length === 0 ? 'in-memory' : 'epoch-file',
  };
}

/** What does a loss of power leave? */
export function keptOfPower(asked: Asked): Draft | null {
  const { step } = asked;
  if (step.action !== 'PowerLoss') return null;
  const [before] = around(asked, String(step.args[0]));
  if (before === undefined || before.flushed === before.log.length) return null;
  const acked = before.log
    .slice(before.flushed)
    .filter((record) => worldsOf(asked)[0].acked.some((one) => one.id === record.id));
  if (acked.length === 0) return null;
  return {
    kind: 'power',
    question: `The producer (acks=all) was told that ${named(acked, 'is', 'are')} stored. ${before.name} loses power now. Must it still have ${acked.length === 1 ? 'it' : 'them'} when it returns?`,
    options: yesNo(false, 'Yes, acknowledged is on disk', 'No, what was not flushed may go'),
    rule: 'powerLoss',
    misconception: 'on-disk',
  };
}
