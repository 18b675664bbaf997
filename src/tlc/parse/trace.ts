import type { StateReader } from '../../tla/index.ts';
import { type ActionTaken, BESIDE_VARIABLES, type State, type Trace } from '../../trace/index.ts';
import { parseActionLabel } from './label.ts';
import { EC } from './messageCodes.ts';
import type { Message } from './messages.ts';

/** A state as printed, not yet parsed: of the many traces of a `-continue` run, only those that are asked for are. */
export interface PrintedState {
  /** Counts from 1; null where TLC prints none (2216 outside a trace). */
  readonly number: number | null;
  readonly label: string;
  readonly text: string;
}

/** How a liveness trace goes on for ever. State numbers count from 1. */
export type PrintedEnd =
  | { readonly kind: 'stuttering'; readonly number: number }
  | { readonly kind: 'back'; readonly number: number; readonly label: string };

export type TraceResult =
  | { readonly ok: true; readonly trace: Trace }
  | { readonly ok: false; readonly message: string };

/** Reads a 2216, 2217, 2218 or 2122. Null: not of their shape. */
export function readStateMessage(message: Message): PrintedState | PrintedEnd | null {
  const head = /^\s*(\d*): ?(.*)$/.exec(message.lines[0] ?? '');
  if (head === null) return null;
  const number = head[1] === '' ? null : Number(head[1]);
  if (message.code === EC.STUTTERING) return number === null ? null : { kind: 'stuttering', number };
  let label = head[2]!;
  if (message.code === EC.BACK_TO_STATE) {
    return number === null ? null : { kind: 'back', number, label: label.replace(/^Back to state:? ?/, '') };
  }
  // A label is one line as far as known; an argument that is wrapped must not become part of the state.
  let rest = 1;
  let last = label;
  while (label.startsWith('<') && !last.trimEnd().endsWith('>') && rest < message.lines.length)
    last = message.lines[rest++]!;
  if (rest > 1) label = [label, ...message.lines.slice(1, rest)].join('\n');
  return { number, label, text: message.lines.slice(rest).join('\n') };
}

/**
 * Parses printed states. A variable that a state leaves out keeps its value: `-difftrace` prints only what changed, but
 * in a safety trace the last state is whole again.
 */
export function buildTrace(states: readonly PrintedState[], end: PrintedEnd | null, reader: StateReader): TraceResult {
  const parsed: State[] = [];
  const actions: (ActionTaken | null)[] = [];
  for (const [index, state] of states.entries()) {
    if (state.number !== null && state.number !== index + 1) {
      return { ok: false, message: `state ${state.number} comes where state ${index + 1} is due` };
    }
    try {
      parsed.push(new Map([...(parsed.at(-1) ?? []), ...reader.read(state.text)]));
    } catch (error) {
      return {
        ok: false,
        message: `state ${index + 1} cannot be read: ${error instanceof Error ? error.message : error}`,
      };
    }
    actions.push(index === 0 ? null : parseActionLabel(state.label));
  }
  const vars = [...(parsed[0]?.keys() ?? [])];
  if (vars.length === 0) return { ok: false, message: 'no state was printed' };
  const reserved = vars.find((name) => BESIDE_VARIABLES.test(name));
  if (reserved !== undefined) return { ok: false, message: `a variable is called ${reserved}, as none is in ITF` };
  const odd = parsed.findIndex((state) => state.size !== vars.length);
  if (odd !== -1) return { ok: false, message: `state ${odd + 1} has a variable that state 1 has not` };
  const loop = loopIndex(end, parsed.length);
  if (loop === 'outside')
    return { ok: false, message: `the trace goes back to state ${end!.number}, which it has not` };
  const loopAction = end?.kind === 'back' ? parseActionLabel(end.label) : null;
  const lasso = loop === null ? {} : { loop, ...(loopAction === null ? {} : { loopAction }) };
  return { ok: true, trace: { vars, states: parsed, actions, ...lasso, meta: {} } };
}

/** TLC counts from 1 and numbers a stuttering step one past the last state; a Trace counts from 0. */
function loopIndex(end: PrintedEnd | null, length: number): number | null | 'outside' {
  if (end === null) return null;
  const index = end.kind === 'stuttering' ? end.number - 2 : end.number - 1;
  const inside = end.kind === 'stuttering' ? index === length - 1 : index >= 0 && index < length;
  return inside ? index : 'outside';
}
