import { StateReader } from '../../tla/index.ts';
import type { Trace } from '../../trace/index.ts';
import { ConsoleReader } from './console.ts';
import { LineSplitter } from './lines.ts';
import { roleOf } from './messageCodes.ts';
import { MessageReader, type OutputEvent } from './messages.ts';
import { buildTrace, type PrintedEnd, type PrintedState, readStateMessage, type TraceResult } from './trace.ts';

/**
 * The behaviours in any part of TLC's output, with `-tool` or without, whatever they are shown for: for an excerpt, or one that was
 * cut. A verdict is what `parseTlcOutput` gives.
 */
export function tracesIn(text: string): (Trace | { readonly problem: string })[] {
  const found = tracesOf(text);
  return found.length > 0 ? found : tracesOf(withHeads(text));
}

/** What is left of `-tool` where its markers were taken out, as the Toolbox's console does: `2: <Next line …>`. */
function withHeads(text: string): string {
  return text
    .replace(/^(\d+): Back to state:? ?(.*)$/gm, 'Back to state $1: $2')
    .replace(/^(?=\d+: (?:<.*>|Stuttering)\r?$)/gm, 'State ');
}

function tracesOf(text: string): (Trace | { readonly problem: string })[] {
  const printed: { states: PrintedState[]; end: PrintedEnd | null }[] = [];
  const event = (each: OutputEvent): void => {
    const state =
      each.kind === 'message' && roleOf(each.message.code) === 'state' ? readStateMessage(each.message) : null;
    if (state === null) return;
    const current = printed.at(-1);
    if ('kind' in state) {
      if (current !== undefined) current.end = state;
    } else if (current === undefined || state.number === 1) printed.push({ states: [state], end: null });
    else current.states.push(state);
  };
  const reader = text.includes('@!@!@STARTMSG ') ? new MessageReader(event) : new ConsoleReader(event);
  const lines = new LineSplitter((line) => reader.line(line));
  lines.push(text);
  lines.end();
  reader.end();
  const states = new StateReader();
  const results = printed.map(({ states: each, end }): TraceResult => buildTrace(each, end, states));
  return results.map((result) => (result.ok ? result.trace : { problem: result.message }));
}
