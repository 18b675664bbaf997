import type { Observation, System, SystemConfig, WorldStep } from '../systems/system.ts';
import type { Difference } from '../tla/index.ts';
import type { ActionTaken, State, Trace } from '../trace/index.ts';
import { ShapeError } from './codec.ts';
import { compare, type Hidden } from './compare.ts';
import { configOf } from './config.ts';
import { inferArguments, isStuttering } from './infer.ts';
import { inShape } from './inShape.ts';
import { judge } from './judge.ts';
import { judgeLasso, LIVENESS } from './lasso.ts';
import { histories, toObservation } from './mapping.ts';
import { type Ghosts, noGhosts, noGhostsFor, observeStep } from './observer.ts';
import { ReplayProblem } from './problem.ts';
import { stepOf } from './run.ts';

/** How a system fared with a trace. */
export type ReplayResult =
  /** After every step all that the system shows equals the trace's state. */
  | (Replayed & { readonly kind: 'conforms' })
  /** It took the step, and shows something else. Differences are from the trace (before) to the system (after). */
  | (Replayed & { readonly kind: 'diverged'; readonly at: FailedStep; readonly differences: readonly Difference[] })
  /** It could not take the step. `never`: by no fault of its rules, as `StepOutcome` says. */
  | (Replayed & {
      readonly kind: 'refused';
      readonly at: FailedStep;
      readonly reason: string;
      readonly never?: boolean;
    })
  /** The step's arguments are not known, and several would do. */
  | (Replayed & { readonly kind: 'ambiguous'; readonly at: FailedStep; readonly candidates: readonly WorldStep[] });

export interface FailedStep {
  /** The index of the state that the step should lead to; 0 is the initial state. */
  readonly index: number;
  readonly action: string;
  readonly step: WorldStep | null;
}

interface Replayed {
  readonly system: string;
  /** The trace with the arguments of its steps, as far as they are known. */
  readonly trace: Trace;
  readonly config: SystemConfig;
  /** How many steps were taken and found equal, stuttering not counted. */
  readonly steps: number;
  /** The index of the last state that was compared. */
  readonly lastIndex: number;
  /** Indices of states that repeat the one before: the trace stands still there. */
  readonly stuttering: readonly number[];
  /** Variables that the system does not show, and so were not compared. */
  readonly notObservable: readonly string[];
  /** What it shows otherwise, and did not at this step. */
  readonly hidden: readonly (Hidden & { readonly index: number })[];
  /** How the system's own last state breaks the trace's property, in a sentence; null if it does not, or hides too much. */
  readonly broken: string | null;
}

export interface ReplayOptions {
  /** Another profile than the trace's: then it will diverge, unless the rules agree on this schedule. */
  readonly profile?: string;
  readonly onStep?: (index: number, of: number) => void;
}

/**
 * Drives a system along a trace. It is told only what the world decides; after each step everything that it shows is held
 * against the trace's state.
 * @throws ReplayProblem if the trace is not of this protocol
 */
export async function replay(trace: Trace, given: System, options: ReplayOptions = {}): Promise<ReplayResult> {
  const system = inShape(given);
  const config = configOf(trace, options.profile);
  checkShapes(trace);
  const inferred = inferArguments(trace, config);
  const known = inferred.trace;
  const replayed = {
    system: system.name,
    trace: known,
    config,
    stuttering: [] as number[],
    hidden: [] as (Hidden & { index: number })[],
    steps: 0,
    lastIndex: 0,
    broken: null as string | null,
  };
  const result = <T>(rest: T) => ({ ...replayed, notObservable: hiddenBy(system, trace), ...rest });

  if (inferred.kind === 'several') {
    const at = { index: inferred.index, action: inferred.action, step: null };
    return result({ kind: 'ambiguous' as const, at, candidates: inferred.steps });
  }
  // A loop is closed by one more step, to a state that was there before.
  const closing = known.loop !== undefined && known.loop < known.states.length - 1 ? [known.states[known.loop]] : [];
  const states = [...known.states, ...closing];
  const compareAt = (index: number, shown: Observation): readonly Difference[] => {
    const { differences, hidden } = compare(states[index] as State, shown);
    for (const one of hidden) replayed.hidden.push({ ...one, index });
    return differences;
  };
  await system.reset(config);
  let before = await system.observe();
  let ghosts: Ghosts | null = noGhostsFor(trace.vars);
  const first = compareAt(0, { ...before, ...ghosts });
  if (first.length > 0) {
    return result({ kind: 'diverged' as const, at: { index: 0, action: 'Init', step: null }, differences: first });
  }
  for (let index = 1; index < states.length; index++) {
    options.onStep?.(index, states.length - 1);
    const wanted = states[index] as State;
    if (index < known.states.length && isStuttering(known, index)) {
      replayed.stuttering.push(index);
      replayed.lastIndex = index;
      continue;
    }
    const action = index < known.states.length ? known.actions[index] : (known.loopAction ?? null);
    const step = worldStep(action, wanted);
    const at = { index, action: action?.name ?? 'an unnamed step', step };
    if (step === null) {
      if (inferred.kind !== 'none' || inferred.index !== index)
        return result({ kind: 'refused' as const, at, reason: 'the trace does not name it' });
      const { nearest } = inferred;
      if (nearest === null)
        return result({ kind: 'refused' as const, at, reason: `no ${at.action} is possible there` });
      return result({ kind: 'diverged' as const, at: { ...at, step: nearest.step }, differences: nearest.differences });
    }
    const outcome = await system.step(step);
    if (outcome.kind === 'refused') return result({ ...outcome, at });
    const after = await system.observe();
    ghosts = ghosts && observeStep(ghosts, step, outcome.effects, before, after);
    const differences = compareAt(index, { ...after, ...ghosts });
    if (differences.length > 0) return result({ kind: 'diverged' as const, at, differences });
    before = after;
    replayed.steps++;
    replayed.lastIndex = index;
    replayed.broken = ghosts && judge(String(trace.meta.property ?? ''), after, ghosts);
  }
  const property = String(trace.meta.property ?? '');
  if (LIVENESS.has(property)) replayed.broken = judgeLasso(property, known, config);
  return result({ kind: 'conforms' as const });
}

/** Every value must be of the shape that its variable has, or nothing could be compared. */
function checkShapes(trace: Trace): void {
  trace.states.forEach((state, index) => {
    try {
      toObservation(state);
    } catch (error) {
      if (!(error instanceof ShapeError)) throw error;
      throw new ReplayProblem(`State ${index} has a value of a wrong type: ${error.message}. Record the trace anew.`);
    }
  });
}

function worldStep(action: ActionTaken | null | undefined, wanted: State): WorldStep | null {
  const step = action ? stepOf(action) : null;
  if (step?.action !== 'Write') return step;
  const written = wanted.get('written');
  return written?.kind === 'int' ? { ...step, id: Number(written.value) } : step;
}

function hiddenBy(system: System, trace: Trace): string[] {
  const ghostsSeen = ['log', 'hw', 'role', 'leaderEpoch', 'controller'].every((name) => system.observable.has(name));
  const ghostNames = new Set([...Object.keys(noGhosts), ...Object.keys(histories)]);
  return trace.vars.filter((name) => (ghostNames.has(name) ? !ghostsSeen : !system.observable.has(name)));
}
