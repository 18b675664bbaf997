import { parse, type StateReader } from '../../tla/index.ts';
import type { Trace } from '../../trace/index.ts';
import type { TlcOutcome, ToolFailure, ToolFailureCause } from '../outcome.ts';
import type { Finding } from './findings.ts';
import { generalOutcome, isOutOfMemory, systemFailure, unknownKeywordHint } from './general.ts';
import { findRange, type SourceRange } from './location.ts';
import { EC } from './messageCodes.ts';
import type { SpecError } from './sany.ts';
import { buildTrace, type PrintedState, type TraceResult } from './trace.ts';

/** What the rest of the output says about a finding. */
export interface VerdictContext {
  readonly specErrors: readonly SpecError[];
  /** Why a liveness counterexample may be only a lack of fairness; null when nothing speaks for it. */
  readonly fairnessHint: string | null;
  readonly tlcVersion: string | null;
  /** Of all traces of a run: with -continue they share most of their states. */
  readonly reader: StateReader;
}

/** A finding is a verdict only with what belongs to it: a violation has a trace that can be read, or it is a tool failure. */
export function outcomeOf(finding: Finding, context: VerdictContext): TlcOutcome {
  const text = finding.message.lines.join('\n').trim();
  const firstLine = finding.message.lines[0] ?? '';
  switch (finding.role) {
    case 'invariant': {
      const name = /^Invariant (.+?) is violated/s.exec(text)?.[1] ?? text;
      const initial = finding.message.code === EC.INVARIANT_VIOLATED_INITIAL;
      return withTrace(finding, context, (trace) => ({
        kind: 'invariant',
        name,
        ...locationOf(name),
        initial,
        trace,
      }));
    }
    case 'property': {
      const name = /^(?:Action p|P)roperty (.+?) is violated/s.exec(text)?.[1] ?? text;
      const initial = finding.message.code === EC.PROPERTY_VIOLATED_INITIAL;
      return withTrace(finding, context, (trace) => ({
        kind: 'actionProperty',
        name,
        ...locationOf(name),
        initial,
        trace,
      }));
    }
    case 'temporal':
      return temporal(finding, text, context);
    case 'deadlock':
      return withTrace(finding, context, (trace) => ({ kind: 'deadlock', trace }));
    case 'assumption':
      return { kind: 'assumption', message: text, location: findRange(text) };
    case 'assertion':
      return assertion(finding, text, context);
    case 'incomplete':
      return incomplete(finding, text, context);
    case 'evaluation':
      // Of an invariant, a console shows the two in one.
      if (ASSERTED.test(text)) return assertion(finding, text, context);
      if (isOutOfMemory(finding)) return { kind: 'outOfMemory', message: text };
      if (text.startsWith('current state is not a legal state')) return incomplete(finding, text, context);
      return withOptionalTrace(finding, context, (trace) => ({
        kind: 'evaluation',
        code: finding.message.code,
        message: evaluationText(finding, text),
        callStack: finding.callStack,
        trace,
      }));
    case 'config':
      return {
        kind: 'config',
        code: finding.message.code,
        message: text,
        hint: unknownKeywordHint(text, context.tlcVersion),
      };
    case 'parse':
      return { kind: 'parse', errors: context.specErrors.length > 0 ? context.specErrors : [{ message: text }] };
    case 'usage':
      return usage(firstLine, context.tlcVersion);
    case 'memory':
      return { kind: 'outOfMemory', message: text };
    case 'metadir':
      return failure('metadir', text);
    case 'tool':
      return finding.message.severity === 2 ? failure('tlcBug', text) : systemFailure(text);
    default:
      return withOptionalTrace(finding, context, (trace) => generalOutcome(finding, text, trace));
  }
}

function temporal(finding: Finding, text: string, context: VerdictContext): TlcOutcome {
  const result = traceOf(finding, context);
  if (!result.ok) return failure('unreadableTrace', `${text} But ${result.message}.`);
  const { trace } = result;
  const stuttersAtOnce = trace.states.length === 1 && trace.loop === 0 && trace.loopAction === undefined;
  const hint = context.fairnessHint ?? (stuttersAtOnce ? NO_FAIRNESS : null);
  return { kind: 'temporal', names: temporalNames(text), trace, hint };
}

/** Since tlaplus commits for issue 641 the text names the properties; before, it is "Temporal properties were violated." */
export function temporalNames(text: string): string[] | null {
  const names = /^Temporal propert(?:y|ies) (.+) (?:was|were) violated/s.exec(text)?.[1];
  if (names === undefined) return null;
  const parts = names.split(/,? and |, /);
  return parts.every((part) => /^[\w!]+$/.test(part)) ? parts : [names];
}

export const NO_FAIRNESS =
  'No fairness is assumed, so a behaviour may stutter for ever; check a SPECIFICATION that has WF_ or SF_ instead of INIT and NEXT.';

function incomplete(finding: Finding, text: string, context: VerdictContext): TlcOutcome {
  // Of an initial state, 2.18 says it with a 2102, later releases with a 2106: its text, then the state.
  const initial = finding.message.code === EC.INCOMPLETE_INITIAL || finding.message.code === EC.INITIAL_STATE;
  const named = /variables? (?:is|are) not (?:assigned|defined): (.+)$/s.exec(text)?.[1]?.replace(/\.$/, '');
  const message = initial ? (finding.message.lines[0] ?? '') : text;
  return withOptionalTrace(finding, context, (whole) => {
    const last = whole?.states.at(-1);
    // TLC prints `null` for no value, which reads as a model value.
    const absent = [...(last ?? [])].flatMap(([name, value]) =>
      value.kind === 'model' && value.name === 'null' ? [name] : [],
    );
    const variables = named?.split(/,\s*(?:and )?| and /) ?? absent;
    const partialState = last === undefined ? null : new Map([...last].filter(([name]) => !variables.includes(name)));
    const action = whole?.actions.at(-1) ?? null;
    return { kind: 'incompleteNext', message, variables, trace: before(whole), partialState, action };
  });
}

function before(trace: Trace | null): Trace | null {
  if (trace === null || trace.states.length < 2) return null;
  return { ...trace, states: trace.states.slice(0, -1), actions: trace.actions.slice(0, -1) };
}

function usage(firstLine: string, version: string | null): TlcOutcome {
  const option = /unrecognized option: (\S+)/.exec(firstLine)?.[1] ?? null;
  const text = firstLine.replace(/^Error: /, '');
  const jar = version === null ? 'this jar' : `this jar (TLC ${version})`;
  return { kind: 'usage', message: option === null ? text : `option ${option} is not supported by ${jar}`, option };
}

function assertion(finding: Finding, text: string, context: VerdictContext): TlcOutcome {
  const message = assertedText(text);
  return withOptionalTrace(finding, context, (trace) => ({
    kind: 'assertion',
    message,
    callStack: finding.callStack,
    trace,
  }));
}

const ASSERTED = /^.*The first argument of Assert evaluated to FALSE; the second argument was:\s*/s;

/** The printed value of `Assert`'s second argument; of a string, its content. */
function assertedText(text: string): string {
  const printed = text.replace(ASSERTED, '');
  try {
    const value = parse(printed);
    return value.kind === 'string' ? value.value : printed;
  } catch {
    return printed;
  }
}

/** In its distributed mode TLC names neither invariants nor deadlocks (tlaplus#752). */
const UNNAMED = 'TLC shows a behaviour that breaks something, and does not say what.';

function evaluationText(finding: Finding, text: string): string {
  if (finding.message.code === EC.BEHAVIOR_UP_TO_THIS_POINT) return UNNAMED;
  return finding.message.code === EC.INITIAL_STATE
    ? text.replace(/\nWhile working on the initial state:.*$/s, '')
    : text;
}

/** `line 7, col 17 to line 7, col 28 of module M` in place of a name. */
function locationOf(name: string): { location?: SourceRange } {
  const location = findRange(name);
  return location === null ? {} : { location };
}

function withTrace(finding: Finding, context: VerdictContext, outcome: (trace: Trace) => TlcOutcome): TlcOutcome {
  const result = traceOf(finding, context);
  const text = finding.message.lines[0] ?? '';
  return result.ok ? outcome(result.trace) : failure('unreadableTrace', `${text} But ${result.message}.`);
}

function withOptionalTrace(
  finding: Finding,
  context: VerdictContext,
  outcome: (trace: Trace | null) => TlcOutcome,
): TlcOutcome {
  const result = traceOf(finding, context);
  return outcome(result.ok ? result.trace : null);
}

/** A state that stands inside the text itself, after its first line that ends in "state:" or "predicate:" (2102, 2106–2108). */
function traceOf(finding: Finding, { reader }: VerdictContext): TraceResult {
  if (finding.states.length > 0) return buildTrace(finding.states, finding.end, reader);
  const inText: PrintedState[] = [];
  for (const { lines } of finding.outer === null ? [finding.message] : [finding.message, finding.outer]) {
    const head = lines.findIndex((line) => /(initial state|initial predicate):\s*$/.test(line));
    if (head !== -1) inText.push({ number: 1, label: '', text: lines.slice(head + 1).join('\n') });
  }
  return buildTrace(inText.slice(0, 1), finding.end, reader);
}

function failure(cause: ToolFailureCause, message: string): ToolFailure {
  return { kind: 'toolFailure', cause, message };
}
