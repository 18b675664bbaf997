import type { WorldStep } from '../systems/system.ts';
import { type Difference, diffStates } from '../tla/index.ts';
import type { State } from '../trace/index.ts';
import type { GraphStates } from './graphStates.ts';
import { type Paths, pathTo, shortestPaths } from './paths.ts';
import type { Subject, Successor } from './subject.ts';

/** How a system fared with a whole graph: in every state, what it does and what the specification allows. */
export interface Conformance {
  readonly system: string;
  /** Of the graph, all of them looked at. */
  readonly states: number;
  /** Steps of the graph as TLC wrote them, repetitions included. */
  readonly steps: number;
  /** Distinct ones: from a state by an action to a state. */
  readonly transitions: number;
  /** Steps that the specification has and the system has not. */
  readonly missing: number;
  /** Steps that the system has and the specification has not. */
  readonly extra: number;
  /** The first ones, nearest to the beginning first. */
  readonly deviations: readonly Deviation[];
  /** Variables that the system does not show, and so were not compared. */
  readonly notObservable: readonly string[];
  /** Longest of the shortest ways, counted in states as TLC does. */
  readonly depth: number;
}

export interface Deviation {
  /** `missing`: the specification alone does it; `extra`: the system alone; `initial`: they begin in different states. */
  readonly kind: 'missing' | 'extra' | 'initial';
  /** A shortest way from the beginning to the state where it happens, with arguments as far as the system has such steps. */
  readonly path: readonly PathStep[];
  readonly action: string;
  /** With its arguments; null for a missing step, which TLC names without. */
  readonly step: WorldStep | null;
  /** Where it happens. */
  readonly before: State;
  /** What it leads to, by the one of the two that does it. */
  readonly after: State;
  /** The step of the same action on the other side that comes closest, and how the states after it differ (specification first). */
  readonly nearest: { readonly step: WorldStep | null; readonly differences: readonly Difference[] } | null;
}

export interface PathStep {
  readonly action: string;
  readonly args: readonly (string | number)[] | null;
}

export interface CheckOptions {
  /** How many deviations are told in full. Default 10. */
  readonly maxDeviations?: number;
  readonly onProgress?: (checked: number, of: number) => void;
  /** Called for each step of the graph with each step of the system that does the same. */
  readonly onMatch?: (graphStep: number, step: WorldStep) => void;
  readonly signal?: AbortSignal;
  /** Enough to know that it does not conform. */
  readonly stopAtFirst?: boolean;
}

const PROGRESS_STATES = 2_000;

/** Holds a system against a graph: in each state its successors must be the graph's, nothing more and nothing less. */
export async function checkGraph(
  states: GraphStates,
  subject: Subject,
  options: CheckOptions = {},
): Promise<Conformance> {
  const { graph } = states;
  const paths = shortestPaths(graph);
  const checker = new Checker(states, subject, paths, options);
  await checker.initial();
  for (let index = 0; index < paths.order.length; index++) {
    const state = paths.order[index]!;
    if (index % PROGRESS_STATES === 0) {
      options.onProgress?.(index, paths.order.length);
      // Lets signals and timers in.
      await new Promise<void>((resolve) => setImmediate(resolve));
      options.signal?.throwIfAborted();
    }
    const found = subject.successors(state, paths.depth[state]!);
    await checker.state(state, found instanceof Promise ? await found : found);
    if (options.stopAtFirst === true && checker.hasFound) break;
  }
  return checker.result();
}

class Checker {
  readonly #states: GraphStates;
  readonly #subject: Subject;
  readonly #paths: Paths;
  readonly #options: CheckOptions;
  readonly #deviations: Deviation[] = [];
  #transitions = 0;
  #missing = 0;
  #extra = 0;
  #isMatched = new Uint8Array(0);

  constructor(states: GraphStates, subject: Subject, paths: Paths, options: CheckOptions) {
    this.#states = states;
    this.#subject = subject;
    this.#paths = paths;
    this.#options = options;
  }

  async initial(): Promise<void> {
    const own = await this.#subject.first();
    const { graph } = this.#states;
    if (graph.initial.some((state) => own.is(state))) return;
    this.#extra++;
    const wanted = graph.stateAt(graph.initial[0]!);
    const after = own.state();
    const nearest = { step: null, differences: differencesOf(wanted, after) };
    this.#deviations.push({ kind: 'initial', path: [], action: 'Init', step: null, before: wanted, after, nearest });
  }

  /** Every successor must be one of the graph's, and every one of the graph's a successor. */
  async state(state: number, successors: readonly Successor[]): Promise<void> {
    const { graph } = this.#states;
    const steps = graph.stepsFrom(state);
    if (this.#isMatched.length < steps.length) this.#isMatched = new Uint8Array(steps.length * 2);
    this.#isMatched.fill(0, 0, steps.length);
    this.#countDistinct(steps);
    for (const successor of successors) {
      if (!this.#match(steps, successor)) await this.#note('extra', state, successor.step.action, successor, -1);
    }
    for (let index = 0; index < steps.length; index++) {
      if (this.#isMatched[index] === 1) continue;
      const action = graph.stepAt(steps[index]!).action;
      const nearest = successors.filter(({ step }) => step.action === action);
      await this.#note('missing', state, action, this.#nearestTo(steps[index]!, nearest), steps[index]!);
    }
  }

  get hasFound(): boolean {
    return this.#deviations.length > 0;
  }

  result(): Conformance {
    const { graph } = this.#states;
    return {
      system: this.#subject.name,
      states: this.#paths.order.length,
      steps: graph.stepCount,
      transitions: this.#transitions,
      missing: this.#missing,
      extra: this.#extra,
      deviations: this.#deviations,
      notObservable: this.#subject.notObservable,
      depth: this.#paths.depth.reduce((most, one) => Math.max(most, one), 0) + 1,
    };
  }

  #countDistinct(steps: Int32Array): void {
    const { graph } = this.#states;
    for (let index = 0; index < steps.length; index++) {
      const [action, target] = [graph.actionOf(steps[index]!), graph.targetOf(steps[index]!)];
      let before = index - 1;
      while (before >= 0 && (graph.targetOf(steps[before]!) !== target || graph.actionOf(steps[before]!) !== action)) {
        before--;
      }
      if (before === -1) this.#transitions++;
    }
  }

  #match(steps: Int32Array, successor: Successor): boolean {
    const { graph } = this.#states;
    let target = -1;
    for (let index = 0; index < steps.length; index++) {
      const step = steps[index]!;
      if (graph.actions[graph.actionOf(step)] !== successor.step.action) continue;
      const to = graph.targetOf(step);
      // TLC writes a step twice that it can take in two ways.
      if (to !== target && !(target === -1 && successor.is(to))) continue;
      target = to;
      this.#isMatched[index] = 1;
      this.#options.onMatch?.(step, successor.step);
    }
    return target !== -1;
  }

  async #note(
    kind: 'missing' | 'extra',
    state: number,
    action: string,
    successor: Successor | null,
    graphStep: number,
  ): Promise<void> {
    if (kind === 'missing') this.#missing++;
    else this.#extra++;
    if (this.#deviations.length >= (this.#options.maxDeviations ?? 10)) return;
    const { graph } = this.#states;
    const place = { path: await this.#path(state), action, before: graph.stateAt(state) };
    if (kind === 'missing') {
      const after = graph.stateAt(graph.targetOf(graphStep));
      const nearest = successor && { step: successor.step, differences: differencesOf(after, successor.state()) };
      this.#deviations.push({ kind, ...place, step: null, after, nearest });
    } else if (successor !== null) {
      const after = successor.state();
      const wanted = [...graph.stepsFrom(state)]
        .filter((step) => graph.stepAt(step).action === action)
        .map((step) => differencesOf(graph.stateAt(graph.targetOf(step)), after))
        .sort((a, b) => a.length - b.length)[0];
      const nearest = wanted === undefined ? null : { step: null, differences: wanted };
      this.#deviations.push({ kind, ...place, step: successor.step, after, nearest });
    }
  }

  #nearestTo(graphStep: number, successors: readonly Successor[]): Successor | null {
    const { graph } = this.#states;
    const wanted = graph.stateAt(graph.targetOf(graphStep));
    const ranked = successors.map((one) => ({ one, far: differencesOf(wanted, one.state()).length }));
    return ranked.sort((a, b) => a.far - b.far)[0]?.one ?? null;
  }

  /** The arguments are those with which the system takes the same step. */
  async #path(state: number): Promise<PathStep[]> {
    const { graph } = this.#states;
    const path: PathStep[] = [];
    for (const number of pathTo(graph, this.#paths, state)) {
      const { from, to, action } = graph.stepAt(number);
      const successors = await this.#subject.successors(from, path.length);
      const same = successors.find(({ step, is }) => step.action === action && is(to));
      path.push({ action, args: same?.step.args ?? null });
    }
    return path;
  }
}

/** In the variables that both have. */
function differencesOf(wanted: State, shown: State): Difference[] {
  return diffStates(new Map([...wanted].filter(([name]) => shown.has(name))), shown);
}
