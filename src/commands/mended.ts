import { accept } from '../claims/index.ts';
import { LIVENESS, type MendResult, mend, showStep, stepOf } from '../replay/index.ts';
import type { Trace } from '../trace/index.ts';
import { problemOf } from './acceptanceText.ts';
import { AS_CLAIMED, COULD_NOT_TELL, type Io, NOT_AS_CLAIMED } from './io.ts';
import { mark, records } from './show.ts';

/** The schedule of a counterexample under another profile, and what TLC says of the run. */
export interface MendedRun {
  readonly result: MendResult;
  readonly tlc: 'accepted' | 'notAsked' | { readonly problem: string; readonly undecided: boolean };
  readonly exitCode: number;
}

/** `trace`: with the arguments of its steps. TLC is asked only if there is a Java. */
export async function mendAndAccept(trace: Trace, profile: string, hasJava: boolean, io: Io): Promise<MendedRun> {
  const result = mend(trace, profile);
  if (result.kind !== 'caughtUp' || result.broken !== null || lost(result).length > 0) {
    return { result, tlc: 'notAsked', exitCode: NOT_AS_CLAIMED };
  }
  if (!hasJava) return { result, tlc: 'notAsked', exitCode: AS_CLAIMED };
  const { property } = result.trace.meta;
  const isInvariant = typeof property === 'string' && property !== '' && !LIVENESS.has(property);
  const invariants = isInvariant ? [property] : [];
  const acceptance = await accept(result.trace, { invariants, env: io.env, signal: io.signal });
  const problem = problemOf(acceptance);
  if (problem === null) return { result, tlc: 'accepted', exitCode: AS_CLAIMED };
  const undecided = acceptance.kind === 'couldNotTell';
  return { result, tlc: { problem, undecided }, exitCode: undecided ? COULD_NOT_TELL : NOT_AS_CLAIMED };
}

/** `✓ under Kip101: caught up, m1 read back from B; 3 steps put in; TLC accepts the run`. */
export function mendedLine({ result, tlc, exitCode }: MendedRun, io: Io): string {
  const mood = exitCode === AS_CLAIMED ? 'good' : exitCode === COULD_NOT_TELL ? 'unknown' : 'bad';
  return `${mark(mood, io)} under ${result.profile}: ${[...verdictOf(result), ...verdictOfTlc(tlc)].join('; ')}`;
}

function verdictOf(result: MendResult): string[] {
  if (result.kind === 'refused') return [`${showStep(result.step)} is not possible: ${result.reason}`];
  if (result.kind === 'stuck') return [`it does not end: ${result.reason}`];
  const taken = missing(result).filter((id) => result.takenByPower.includes(id));
  const putIn = result.origins.filter((origin) => origin === 'putIn').length;
  return [
    result.broken === null ? `caught up; ${readBack(result)}` : result.broken.what,
    ...(lost(result).length > 0 ? [`${records(lost(result))} acknowledged, and LOST`] : []),
    ...(taken.length > 0 ? [`${records(taken)} acknowledged and gone, with the power that took it`] : []),
    ...(putIn > 0 ? [`${putIn} steps put in`] : []),
    ...(result.leftOut.length > 0 ? [`${result.leftOut.length} left out`] : []),
  ];
}

type CaughtUp = Extract<MendResult, { kind: 'caughtUp' }>;

/** What a producer was told is stored, and nobody can read. */
function missing({ acked, readBack: ids }: CaughtUp): number[] {
  return acked.filter((id) => !ids.includes(id));
}

/** ... although no loss of power took it from any log: no rule may do that. */
function lost(result: CaughtUp): number[] {
  return missing(result).filter((id) => !result.takenByPower.includes(id));
}

function readBack({ acked, readBack: ids, leader }: CaughtUp): string {
  return acked.length === 0 ? 'no producer was told anything' : `${records(ids)} read back from ${leader}`;
}

function verdictOfTlc(tlc: MendedRun['tlc']): string[] {
  if (tlc === 'accepted') return ['TLC accepts the run'];
  if (tlc === 'notAsked') return [];
  return [tlc.undecided ? `TLC could not tell: ${tlc.problem}` : `TLC does not accept the run: ${tlc.problem}`];
}

/** Each step of the run, with where it comes from, and what was left out of the schedule. */
export function mendedSteps({ result }: MendedRun): string[] {
  const note = { schedule: '', putIn: '  (put in: this rule asks first)', catchingUp: '  (catching up)' };
  const steps = result.origins.map((origin, index) => {
    const action = result.trace.actions[index + 1];
    const step = action ? stepOf(action) : null;
    return `    ${String(index + 1).padStart(3)} ${step ? showStep(step) : ''}${note[origin]}`;
  });
  const left = result.leftOut.map(({ step, reason }) => `    left out: ${showStep(step)}, for ${reason}`);
  return [...steps, ...left];
}
