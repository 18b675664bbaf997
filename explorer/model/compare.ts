import { type MendResult, mend, type Origin } from '../../src/replay/index.ts';
import type { Trace } from '../../src/trace/index.ts';
import { profileTitle } from './names.ts';
import { Opened } from './opened.ts';

/** A schedule under two rules, moment by moment. */
export interface Comparison {
  readonly other: Opened;
  readonly result: MendResult;
  readonly moments: readonly Moment[];
  readonly outcome: { readonly good: boolean; readonly text: string };
}

export interface Moment {
  readonly left: number;
  readonly right: number;
  /** What happens: a step on both sides, one that only the other rule takes, or one that it leaves out. */
  readonly kind: 'start' | 'both' | Exclude<Origin, 'schedule'> | 'leftOut' | 'refused';
}

/** `trace`: with the arguments of its steps. */
export function compare(trace: Trace, profile: string): Comparison {
  const result = mend(trace, profile);
  const other = new Opened('other', result.trace, { title: `Under ${profileTitle(profile)}` });
  return { other, result, moments: momentsOf(trace, result), outcome: outcomeOf(result) };
}

function momentsOf(trace: Trace, result: MendResult): Moment[] {
  const moments: Moment[] = [{ left: 0, right: 0, kind: 'start' }];
  const leftOut = new Set(result.leftOut.map(({ index }) => index));
  let right = 0;
  const until = (left: number, kind: Origin) => {
    while (result.origins[right] === kind) moments.push({ left, right: ++right, kind: kind as 'putIn' | 'catchingUp' });
  };
  for (let left = 1; left < trace.states.length; left++) {
    until(left - 1, 'putIn');
    if (leftOut.has(left)) moments.push({ left, right, kind: 'leftOut' });
    else if (result.origins[right] === 'schedule') moments.push({ left, right: ++right, kind: 'both' });
    else moments.push({ left, right, kind: result.kind === 'refused' ? 'refused' : 'leftOut' });
  }
  const end = trace.states.length - 1;
  until(end, 'putIn');
  until(end, 'catchingUp');
  return moments;
}

function outcomeOf(result: MendResult): Comparison['outcome'] {
  const rule = profileTitle(result.profile);
  if (result.broken !== null) return { good: false, text: `Under ${rule} it breaks too: ${result.broken.what}.` };
  if (result.kind === 'refused')
    return { good: false, text: `Under ${rule} the schedule cannot go on: ${result.reason}.` };
  if (result.kind === 'stuck')
    return { good: false, text: `Under ${rule} the replicas never come to the same log: ${result.reason}.` };
  const missing = result.acked.filter((id) => !result.readBack.includes(id));
  const lost = missing.filter((id) => !result.takenByPower.includes(id));
  if (lost.length > 0)
    return { good: false, text: `Under ${rule} ${list(lost)} is lost too, although it was acknowledged.` };
  if (missing.length > 0)
    return {
      good: true,
      text: `Under ${rule} all logs agree at the end; ${list(missing)} went with the power that took it.`,
    };
  if (result.acked.length === 0) return { good: true, text: `Under ${rule} all logs agree at the end.` };
  return {
    good: true,
    text: `Saved. Under ${rule} a consumer reads ${list(result.readBack)} back from ${result.leader}, and all logs agree.`,
  };
}

function list(ids: readonly number[]): string {
  return ids.map((id) => `m${id}`).join(', ');
}
