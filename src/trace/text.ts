import { print } from '../tla/index.ts';
import type { ActionTaken, Trace } from './trace.ts';
import { assertTrace } from './trace.ts';
import { actionText } from './words.ts';

/** The states as TLC writes them on a console; `parseTlcOutput` and `parseConsole` read it back. */
export function printText(trace: Trace): string {
  assertTrace(trace);
  const { vars, states, actions, loop, loopAction } = trace;
  const parts = states.map((state, index) => {
    const one = vars.length === 1;
    const lines = vars.map((name) => `${one ? '' : '/\\ '}${name} = ${print(state.get(name)!)}`);
    return `State ${index + 1}: ${index === 0 ? '<Initial predicate>' : label(actions[index]!)}\n${lines.join('\n')}\n`;
  });
  if (loop !== undefined) {
    const stutters = loop === states.length - 1 && loopAction === undefined;
    parts.push(
      stutters ? `State ${loop + 2}: Stuttering\n` : `Back to state ${loop + 1}: ${label(loopAction ?? null)}\n`,
    );
  }
  return parts.join('\n');
}

/** TLC calls an action without a name `Action`. */
function label(action: ActionTaken | null): string {
  return `<${actionText(action) ?? 'Action'}${action?.location === undefined ? '' : ` ${action.location}`}>`;
}
