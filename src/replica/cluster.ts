import { type Action, type ActionName, type Arguments, actions } from './actions.ts';
import { type Config, checkConfig } from './config.ts';
import { canonical, copy } from './copy.ts';
import { initialState } from './initial.ts';
import { type ReadResult, read } from './log.ts';
import type { ClusterState, ReplicaId } from './state.ts';
import { type Refusal, replicaOf, type StepResult, type World } from './world.ts';

/** One thing that happens, with the arguments in the specification's order. A Write brings its record's id. */
export interface Step {
  readonly action: ActionName;
  readonly args: Arguments;
  readonly id?: number;
}

/** The protocol does not allow this step in this state. The state is as it was. */
export class StepRefused extends Error {
  override readonly name = 'StepRefused';
  readonly step: Step;
  /** In words, naming the replica. */
  readonly reason: string;

  constructor(step: Step, reason: string) {
    super(`${step.action}(${step.args.join(', ')}) cannot happen: ${reason}`);
    this.step = step;
    this.reason = reason;
  }
}

const TABLE: Readonly<Record<ActionName, Action>> = actions;
const NAMES = Object.keys(actions) as ActionName[];

/** The replicas of one partition, their controller and the network between them. Nothing happens in it but by `step`. */
export class Cluster {
  readonly config: Config;
  readonly #world: World;

  /** All replicas up and empty. Throws a RangeError if the configuration makes no sense. */
  constructor(config: Config) {
    this.config = checkConfig(config);
    this.#world = { config: this.config, state: initialState(this.config), result: nothing() };
  }

  /** Back to the beginning, or to a copy of `state`, whose sets may be in any order. */
  reset(state?: ClusterState): void {
    this.#world.state = state ? canonical(this.config, state) : initialState(this.config);
  }

  /** A copy of the state, its sets in order. */
  observe(): ClusterState {
    return copy(this.#world.state);
  }

  /** Every step that the protocol allows now, without any bound. A Write among them still wants its record's id. */
  enabled(): Step[] {
    const steps: Step[] = [];
    for (const action of NAMES) {
      const entry = TABLE[action];
      for (const args of entry.offers(this.#world)) {
        if (entry.whyNot(this.#world, ...args) === null) steps.push({ action, args });
      }
    }
    return steps;
  }

  /** Why this step cannot be taken now, or null if it can. */
  whyNot(step: Step): Refusal {
    return this.#malformed(step) ?? TABLE[step.action].whyNot(this.#world, ...step.args);
  }

  /** Takes a step, or throws `StepRefused` and leaves all as it was. A Write without an id is a TypeError. */
  step(step: Step): StepResult {
    const reason = this.whyNot(step);
    if (reason !== null) throw new StepRefused(step, reason);
    const { action, args, id } = step;
    if (action === 'Write' && id === undefined) throw new TypeError('A Write needs the id of its record');
    this.#world.result = nothing();
    TABLE[action].take(this.#world, ...args, ...(id === undefined ? [] : [id]));
    return this.#world.result;
  }

  /** What a consumer gets that asks this replica for records from `offset` on: a leader's, below its high watermark. */
  read(replica: ReplicaId, offset: number): ReadResult {
    return read(replicaOf(this.#world, replica), offset);
  }

  /** Steps may come from a file. */
  #malformed({ action, args }: Step): Refusal {
    if (!Object.hasOwn(TABLE, action)) return `there is no action ${action}`;
    const { takes } = TABLE[action];
    if (args.length !== takes.length) return `${action} takes ${takes.length} arguments, not ${args.length}`;
    for (let i = 0; i < takes.length; i++) {
      const arg = args[i]!;
      if (takes[i] === 'replica' && !this.config.replicas.includes(String(arg))) return `there is no replica ${arg}`;
      if (takes[i] === 'acks' && arg !== '1' && arg !== 'all') return `acks are "1" or "all", not ${arg}`;
      if (takes[i] === 'number' && typeof arg !== 'number') return `${arg} is not a number`;
    }
    return null;
  }
}

function nothing(): StepResult {
  return { acknowledged: [], refused: [] };
}
