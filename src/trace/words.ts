import { print } from '../tla/index.ts';
import type { ActionTaken, Trace } from './trace.ts';

/** `Write(r1, 2)`; `Elect(node: n1)` for choices with names; null for a step that is not known. */
export function actionText(action: ActionTaken | null): string | null {
  if (action === null) return null;
  const picks = Array.from(action.picks ?? [], ([name, value]) => `${name}: ${print(value)}`);
  const args = [...(action.args ?? []).map((value) => print(value)), ...picks];
  return args.length === 0 ? action.name : `${action.name}(${args.join(', ')})`;
}

/** How the trace goes on after its last state, counted from 1 as TLC does; null when it ends there. */
export function endText({ states, loop, loopAction }: Trace): string | null {
  if (loop === undefined) return null;
  if (loop === states.length - 1 && loopAction === undefined) return `Stuttering in state ${loop + 1} for ever`;
  const by = actionText(loopAction ?? null);
  return `Back to state ${loop + 1}${by === null ? '' : `, by ${by}`}`;
}
