import type { WorldStep } from '../systems/system.ts';
import type { Value } from '../tla/index.ts';
import type { State } from '../trace/index.ts';
import type { Ghosts } from './observer.ts';
import { ReplayProblem } from './problem.ts';

/** The bounds of MC.tla, which stand there as guards of its actions. */
export interface Bounds {
  readonly acks: ReadonlySet<string>;
  readonly records: number;
  readonly elections: number;
  readonly crashes: number;
  readonly powerLosses: number;
  readonly unclean: number;
  readonly lostMessages: number;
}

/** @throws ReplayProblem if a constant is missing */
export function boundsOf(constants: State): Bounds {
  const number = (name: string): number => {
    const value = constants.get(name);
    if (value?.kind === 'int') return Number(value.value);
    throw new ReplayProblem(`The model does not say what its constant ${name} is (expected a number).`);
  };
  return {
    acks: new Set(textsOf(constants.get('Acks'))),
    records: number('MaxRecords'),
    elections: number('MaxElections'),
    crashes: number('MaxCrashes'),
    powerLosses: number('MaxPowerLosses'),
    unclean: number('MaxUnclean'),
    lostMessages: number('MaxLostMessages'),
  };
}

function textsOf(value: Value | undefined): string[] {
  return value?.kind === 'set' ? value.elements.flatMap((part) => (part.kind === 'string' ? [part.value] : [])) : [];
}

/** Whether MC.tla lets this step happen, which the protocol allows. `epoch`: the controller's newest. */
export function isWithin(bounds: Bounds, { action, args }: WorldStep, ghosts: Ghosts, epoch: number): boolean {
  const { faults, written } = ghosts;
  switch (action) {
    case 'Write':
      return written < bounds.records && bounds.acks.has(String(args[1]));
    case 'Elect':
      return epoch - 1 - faults.unclean - faults.offline < bounds.elections;
    case 'ElectUnclean':
      return faults.unclean < bounds.unclean;
    case 'Crash':
      return faults.crashes < bounds.crashes;
    case 'PowerLoss':
      return faults.powerLosses < bounds.powerLosses;
    // Flushing matters only where power can be lost.
    case 'Flush':
      return bounds.powerLosses > 0;
    case 'LoseMessage':
      return faults.lostMessages < bounds.lostMessages;
    default:
      return true;
  }
}
