import { judges, LIVENESS, type ReplayResult, replay, showStep } from '../replay/index.ts';
import { differences } from '../report/index.ts';
import { memorySystem } from '../systems/memory.ts';
import type { System } from '../systems/system.ts';
import type { Trace } from '../trace/index.ts';
import { AS_CLAIMED, COULD_NOT_TELL, type Io, NOT_AS_CLAIMED, wantsColour } from './io.ts';
import { mark, plural } from './show.ts';

export interface Replay {
  readonly name: string;
  readonly result: ReplayResult;
  readonly exitCode: number;
}

/** Replays a trace on the implementation in memory. */
export async function replayOnMemory(name: string, trace: Trace): Promise<Replay> {
  const system = memorySystem();
  try {
    return await replayOn(system, name, trace);
  } finally {
    await system.close();
  }
}

/** Replays a trace on a system that is open, and stays open. */
export async function replayOn(system: System, name: string, trace: Trace): Promise<Replay> {
  const result = await replay(trace, system);
  return { name, result, exitCode: exitCodeOf(result) };
}

function exitCodeOf(result: ReplayResult): number {
  if (result.kind === 'ambiguous') return COULD_NOT_TELL;
  return result.kind === 'conforms' && !failsToBreak(result) ? AS_CLAIMED : NOT_AS_CLAIMED;
}

/** A counterexample whose every state is reached, and yet nothing is broken: then the property is not what it was. */
function failsToBreak({ trace, broken }: ReplayResult): boolean {
  const { property } = trace.meta;
  return typeof property === 'string' && (Object.hasOwn(judges, property) || LIVENESS.has(property)) && broken === null;
}

/** What became of it in one line, and what it shows in the next ones. */
export function replayLines({ name, result, exitCode }: Replay, io: Io): string[] {
  const mood = exitCode === AS_CLAIMED ? 'good' : exitCode === COULD_NOT_TELL ? 'unknown' : 'bad';
  return [`${mark(mood, io)} ${name.padEnd(28)} ${summaryOf(result)}`, ...detailsOf(result, io)];
}

function summaryOf(result: ReplayResult): string {
  const { stuttering, steps, lastIndex, system } = result;
  const still = stuttering.length > 0 ? `; state ${stuttering.join(', ')} repeats the one before` : '';
  switch (result.kind) {
    case 'conforms':
      return `${plural(steps, 'step')} replayed on ${system}, all equal up to the last state, ${lastIndex}${still}`;
    case 'diverged':
      return `differs at state ${result.at.index}, after ${nameOf(result)}`;
    case 'refused':
      return `stops at state ${result.at.index}: ${nameOf(result)} cannot be taken, for ${result.reason}`;
    case 'ambiguous': {
      const several = result.candidates.map(showStep).join(', ');
      return `state ${result.at.index}: ${result.at.action} leads there with several arguments: ${several}`;
    }
  }
}

function detailsOf(result: ReplayResult, io: Io): string[] {
  const { broken, trace, notObservable } = result;
  const { property } = trace.meta;
  const hidden = notObservable.length > 0 ? [`not observable, so not compared: ${notObservable.join(', ')}`] : [];
  if (result.kind === 'diverged') {
    const { at, differences: list, system } = result;
    const step = at.step ?? { action: at.action, args: [] };
    const options = { colour: wantsColour(io), width: io.columns, step: at.index, ...step, system };
    return [...hidden, ...differences(list, options)].map(indent);
  }
  if (result.kind !== 'conforms') return hidden.map(indent);
  if (failsToBreak(result)) return [...hidden, `but ${property} is not broken`].map(indent);
  return broken === null ? hidden.map(indent) : [...hidden, `${property}: ${broken}`].map(indent);
}

function indent(line: string): string {
  return `    ${line}`;
}

function nameOf({ at }: Extract<ReplayResult, { kind: 'diverged' | 'refused' }>): string {
  return at.step ? showStep(at.step) : at.action;
}
