import {
  type Conformance,
  type Coverage,
  checkGraph,
  coverageOf,
  type Drive,
  driveGraph,
  type GraphStates,
  MemorySubject,
  type Model,
  SystemSubject,
} from '../conform/index.ts';
import { CannotRestore, type System, type WorldStep } from '../systems/system.ts';

/** What became of one graph and one system. */
export type Outcome =
  | { readonly kind: 'checked'; readonly result: Conformance; readonly coverage: Coverage; readonly times: Times }
  | { readonly kind: 'driven'; readonly drive: Drive; readonly coverage: Coverage; readonly times: Times }
  /** It conforms, as an earlier run has found. */
  | { readonly kind: 'kept'; readonly states: number; readonly steps: number; readonly times: Times }
  /** It has more states than were asked for. */
  | { readonly kind: 'leftOut'; readonly maxStates: number }
  | { readonly kind: 'couldNotTell'; readonly reason: string };

/** In milliseconds; `tlc` is null for a graph that was there already. */
export interface Times {
  readonly tlc: number | null;
  readonly check: number;
}

export interface HoldOptions {
  readonly tlcMs: number | null;
  readonly maxSteps?: number;
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, of: number) => void;
}

/**
 * Memory is put into every state, and so is a system that can be; any other is driven along the edges, with the arguments
 * that the implementation in memory takes each with.
 */
export async function holdAgainst(
  states: GraphStates,
  model: Model,
  system: System | null,
  options: HoldOptions,
): Promise<Outcome> {
  if (states.unknown.length > 0) {
    const reason = `the graph has variables that no system is asked for: ${states.unknown.join(', ')}`;
    return { kind: 'couldNotTell', reason };
  }
  const started = performance.now();
  const { signal, onProgress, tlcMs } = options;
  const times = () => ({ tlc: tlcMs, check: performance.now() - started });
  const coverage = coverageOf(states.graph);
  if (system === null || system.restore !== undefined) {
    const subject =
      system === null ? new MemorySubject(model, states) : new SystemSubject(system, states, model, model.config);
    try {
      const result = await checkGraph(states, subject, { signal, onProgress });
      return { kind: 'checked', result, coverage, times: times() };
    } catch (error) {
      if (!(error instanceof CannotRestore)) throw error;
      return { kind: 'couldNotTell', reason: `${subject.name} cannot be put into one of the states: ${error.message}` };
    }
  }
  const labels = new Map<number, WorldStep[]>();
  const onMatch = (edge: number, step: WorldStep): void => {
    labels.set(edge, [...(labels.get(edge) ?? []), step]);
  };
  const { missing, extra } = await checkGraph(states, new MemorySubject(model, states), { signal, onMatch });
  if (missing + extra > 0) {
    const reason = 'the implementation in memory, which finds the arguments of the steps, does not conform itself';
    return { kind: 'couldNotTell', reason };
  }
  const { maxSteps } = options;
  const drive = await driveGraph(states, system, model.config, labels, {
    signal,
    onProgress,
    ...(maxSteps === undefined ? {} : { maxSteps }),
  });
  return { kind: 'driven', drive, coverage, times: times() };
}
