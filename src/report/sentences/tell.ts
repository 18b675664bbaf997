import type { Step } from '../facts.ts';
import { fetching } from './fetching.ts';
import { leadership } from './leadership.ts';
import { machine } from './machine.ts';
import { truncation } from './truncation.ts';

/** By action of the specification: what happened, told from the two states and the messages. */
export type Tellers = Readonly<Record<string, (step: Step, ...args: string[]) => string>>;

/** An action that the specification got later is told by its name. */
export function tell(step: Step): string {
  const teller = TELLERS[step.name];
  return teller === undefined ? `${step.name}(${step.args.join(', ')}).` : teller(step, ...step.args);
}

const TELLERS: Tellers = { ...leadership, ...fetching, ...truncation, ...machine };
