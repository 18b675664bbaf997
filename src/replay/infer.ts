import type { SystemConfig, WorldStep } from '../systems/system.ts';
import { type Difference, diffStates, equal } from '../tla/index.ts';
import type { State, Trace } from '../trace/index.ts';
import { actionOf, Run, stepOf } from './run.ts';

/** TLC 2.18 names the action of a step but not its arguments. This is the trace with them, or why they can't be told. */
export type Inferred =
  | { readonly kind: 'known'; readonly trace: Trace }
  /** No step of that name leads from the state before to the one that the trace has. `nearest`: what comes closest. */
  | {
      readonly kind: 'none';
      /** With the arguments of the steps before. */
      readonly trace: Trace;
      readonly index: number;
      readonly action: string;
      readonly nearest: { readonly step: WorldStep; readonly differences: readonly Difference[] } | null;
    }
  /** Different arguments lead to the same state. */
  | {
      readonly kind: 'several';
      readonly trace: Trace;
      readonly index: number;
      readonly action: string;
      readonly steps: readonly WorldStep[];
    };

/**
 * Finds the arguments of each step by trying those that the implementation allows: the ones whose successor is the next
 * state of the trace. Arguments that the trace knows are left as they are.
 */
export function inferArguments(trace: Trace, config: SystemConfig): Inferred {
  if (trace.actions.every((action) => action === null || action.args !== undefined)) return { kind: 'known', trace };
  const run = new Run(config, trace.vars);
  const actions = [...trace.actions];
  const withArguments = { ...trace, actions };
  for (let index = 1; index < trace.states.length; index++) {
    const action = trace.actions[index];
    const next = trace.states[index] as State;
    if (isStuttering(trace, index)) continue;
    if (!action) break; // the replay will say why
    const known = stepOf(action);
    const candidates = known === null ? candidatesFor(run, action.name, next) : [known];
    const [step] = candidates;
    const found = { trace: withArguments, index, action: action.name };
    if (candidates.length > 1) return { kind: 'several', ...found, steps: candidates };
    if (step === undefined) return { kind: 'none', ...found, nearest: nearest(run, action.name, next) };
    actions[index] = { ...action, ...actionOf(step) };
    if (run.step(step).kind === 'refused') break; // so will it here
  }
  return { kind: 'known', trace: withLoopArguments(withArguments, run) };
}

/** The step that closes a loop leads to a state that was there before. */
function withLoopArguments(trace: Trace, run: Run): Trace {
  const { loop, loopAction, states } = trace;
  if (loop === undefined || loop === states.length - 1 || !loopAction || loopAction.args !== undefined) return trace;
  const [step] = candidatesFor(run, loopAction.name, states[loop] as State);
  return step === undefined ? trace : { ...trace, loopAction: { ...loopAction, ...actionOf(step) } };
}

/** A state that is repeated without a step is the behaviour standing still: quint#1133 doubles a last state so. */
export function isStuttering(trace: Trace, index: number): boolean {
  const before = trace.states[index - 1] as State;
  const after = trace.states[index] as State;
  return trace.vars.every((name) => same(before, after, name));
}

function candidatesFor(run: Run, action: string, next: State): WorldStep[] {
  return offered(run, action).filter((step) => {
    const state = run.peek(step);
    return state !== null && [...next.keys()].every((name) => !state.has(name) || same(state, next, name));
  });
}

function nearest(run: Run, action: string, next: State) {
  const tried = offered(run, action).flatMap((step) => {
    const state = run.peek(step);
    return state === null ? [] : [{ step, differences: diffStates(shared(next, state), state) }];
  });
  return tried.sort((a, b) => a.differences.length - b.differences.length)[0] ?? null;
}

function offered(run: Run, action: string): WorldStep[] {
  return run.cluster.enabled().filter((step) => step.action === action);
}

function shared(state: State, other: State): State {
  return new Map([...state].filter(([name]) => other.has(name)));
}

function same(a: State, b: State, name: string): boolean {
  const one = a.get(name);
  const other = b.get(name);
  return one !== undefined && other !== undefined && equal(one, other);
}
