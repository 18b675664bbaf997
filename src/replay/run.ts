import { MemoryCluster } from '../systems/memory.ts';
import type { Observation, StepOutcome, SystemConfig, WorldStep } from '../systems/system.ts';
import { int, str, type Value } from '../tla/index.ts';
import type { ActionTaken, State, Trace } from '../trace/index.ts';
import { ghosts as ghostTable, histories, mapping, toState } from './mapping.ts';
import { type Ghosts, LOOKED_AT, noGhostsFor, observeStep } from './observer.ts';

/** The implementation in memory beside the observer's ghosts: together they show every variable of the specification. */
export class Run {
  readonly cluster: MemoryCluster;
  ghosts: Ghosts;

  /** `vars`: those of the trace, which may remember more. Throws a RangeError if the configuration makes no sense. */
  constructor(config: SystemConfig, vars: readonly string[] = []) {
    this.cluster = new MemoryCluster(config);
    this.ghosts = noGhostsFor(vars);
  }

  state(): Map<string, Value> {
    return toState({ ...this.cluster.observe(), ...this.ghosts });
  }

  step(step: WorldStep): StepOutcome {
    const before = this.cluster.observe(LOOKED_AT);
    const outcome = this.cluster.step(this.withId(step));
    if (outcome.kind === 'taken') {
      const after = this.cluster.observe(LOOKED_AT);
      this.ghosts = observeStep(this.ghosts, step, outcome.effects, before, after) ?? this.ghosts;
    }
    return outcome;
  }

  /** The state after a step that is not really taken; null if it is refused. */
  peek(step: WorldStep): Map<string, Value> | null {
    const saved = this.cluster.save();
    const { ghosts } = this;
    const state = this.step(step).kind === 'taken' ? this.state() : null;
    this.cluster.restore(saved);
    this.ghosts = ghosts;
    return state;
  }

  observe(): Observation {
    return this.cluster.observe();
  }

  /** Clients number their records. */
  withId(step: WorldStep): WorldStep {
    return step.action === 'Write' ? { ...step, id: this.ghosts.written + 1 } : step;
  }
}

/** Steps and the states between them, as a trace like any recorded one. */
export class Recorder {
  readonly #states: State[];
  readonly #actions: (ActionTaken | null)[] = [null];

  constructor(first: State) {
    this.#states = [first];
  }

  add(step: WorldStep, state: State): void {
    this.#states.push(state);
    this.#actions.push(actionOf(step));
  }

  trace(constants: State, meta: Record<string, unknown>): Trace {
    const remembered = Object.keys(histories).filter((name) => this.#states[0]?.has(name));
    const vars = [...Object.keys(mapping), ...Object.keys(ghostTable), ...remembered];
    return { vars, states: this.#states, actions: this.#actions, constants, meta };
  }
}

export function actionOf({ action, args }: WorldStep): ActionTaken {
  return { name: action, args: args.map((arg) => (typeof arg === 'number' ? int(arg) : str(arg))) };
}

/** Null: the trace does not know the arguments. */
export function stepOf({ name, args }: ActionTaken): WorldStep | null {
  if (args === undefined) return null;
  return { action: name, args: args.map(plainArgument) };
}

function plainArgument(value: Value): string | number {
  if (value.kind === 'int') return Number(value.value);
  if (value.kind === 'string') return value.value;
  return value.kind === 'model' ? value.name : JSON.stringify(value.kind);
}

export function showStep({ action, args }: Pick<WorldStep, 'action' | 'args'>): string {
  return args.length === 0 ? action : `${action}(${args.join(', ')})`;
}
