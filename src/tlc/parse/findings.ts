import { findCallStack, type SourceRange } from './location.ts';
import { EC, type MessageRole, roleOf } from './messageCodes.ts';
import type { Message } from './messages.ts';
import { type PrintedEnd, type PrintedState, readStateMessage } from './trace.ts';

/** An error that TLC reports, with everything that it prints about it afterwards. */
export interface Finding {
  readonly role: MessageRole;
  readonly message: Message;
  /** The message that this one stood inside of, with more text; null for most. */
  outer: Message | null;
  readonly states: PrintedState[];
  end: PrintedEnd | null;
  /** Texts of the messages about it that follow: the call stack (2103), the failed fingerprint (2147). */
  readonly details: Message[];
  /** Something else was printed afterwards, so its trace is whole. */
  closed: boolean;
  /** A detail that came before its error, with nothing else known so far. */
  readonly isOrphan: boolean;
  readonly callStack: SourceRange[];
}

/** A `-continue` run may report millions of violations; the first ones are kept. */
export const MAX_FINDINGS = 101;

/** Sorts error messages, states and details into findings, in TLC's order. */
export class FindingCollector {
  readonly findings: Finding[] = [];
  /** The one that states and details belong to; not kept when there are too many. */
  #current: Finding | null = null;

  add(message: Message): void {
    const role = roleOf(message.code) ?? 'general';
    const isError = message.severity === 1 || message.severity === 2;
    if (role === 'detail' && message.holdsMessage) this.#dropInner(message);
    if (role === 'state') this.#addState(message);
    else if (role === 'detail' && (this.#current !== null || !isError)) this.#addDetail(message);
    else if (isError && role === 'detail') this.#openOrphan(message);
    else if (isError) this.#open(isFinding(role) ? role : 'general', message);
    else if (message.depth > 0 && isFinding(role)) this.#open(role, message);
    else if (this.#current !== null) this.#current.closed = true;
  }

  #open(role: MessageRole, message: Message): void {
    // A 1000 around a 5003 says no more than the 5003, which came just before it; so does a 1000 around a 2154 around a 2145.
    if (message.holdsMessage && this.#current !== null && this.#current.message.depth > message.depth) {
      this.#current.outer = message;
      return;
    }
    const orphan = this.#current?.isOrphan === true ? this.#current : null;
    if (orphan !== null) this.#drop();
    else if (this.#current !== null) this.#current.closed = true;
    const details = orphan === null ? [] : [orphan.message];
    this.#push({ role, message, details, callStack: orphan?.callStack ?? [], isOrphan: false });
  }

  /** Later releases may print the call stack (2103) before the error that it belongs to. */
  #openOrphan(message: Message): void {
    this.#push({
      role: 'evaluation',
      message,
      details: [],
      callStack: findCallStack(message.lines),
      isOrphan: message.code === EC.NESTED_EXPRESSION,
    });
  }

  #push(known: Pick<Finding, 'role' | 'message' | 'details' | 'callStack' | 'isOrphan'>): void {
    this.#current = { ...known, outer: null, states: [], end: null, closed: false };
    if (this.findings.length < MAX_FINDINGS) this.findings.push(this.#current);
  }

  /** A detail (2147) that holds an error in its text, which has just been taken for another one, only says once more what the finding says. */
  #dropInner(detail: Message): void {
    const inner = this.#current;
    if (inner === null || inner.message.depth <= detail.depth || this.findings.length < 2) return;
    const isBare = inner.outer === null && inner.states.length === 0 && inner.details.length === 0;
    if (isBare && this.findings.at(-1) === inner) this.#drop();
  }

  #drop(): void {
    if (this.findings.at(-1) === this.#current) this.findings.pop();
    this.#current = this.findings.at(-1) ?? null;
  }

  #addState(message: Message): void {
    const current = this.#current;
    const printed = message.complete ? readStateMessage(message) : null;
    if (current === null || printed === null) return;
    if ('kind' in printed) current.end = printed;
    else {
      // With -continue TLC may print the behaviour of an evaluation error again, and again.
      if (printed.number === 1 && current.states[0]?.number === 1) current.states.length = 0;
      current.states.push(printed);
      // What came between states, such as a report of progress, was not the end of them.
      current.closed = false;
    }
  }

  #addDetail(message: Message): void {
    const current = this.#current;
    if (current === null || message.code === EC.BEHAVIOR_UP_TO_THIS_POINT || message.code === EC.COUNTER_EXAMPLE)
      return;
    current.details.push(message);
    current.callStack.push(...findCallStack(message.lines));
    current.closed = true;
  }
}

/** The config errors inside a 1000 come with severity 0. */
function isFinding(role: MessageRole): boolean {
  return !['detail', 'state', 'counts', 'initial', 'coverage', 'info'].includes(role);
}
