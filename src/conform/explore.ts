import { Recorder, toState } from '../replay/index.ts';

import { toObservation } from '../systems/memory.ts';
import type { WorldStep } from '../systems/system.ts';
import type { Trace } from '../trace/index.ts';
import type { Model } from './model.ts';
import { propertyOf } from './properties.ts';
import { StateTable } from './stateTable.ts';
import { Stepper } from './stepper.ts';

/** All that the implementation does by itself within the bounds of a model, breadth first. */
export interface Explored {
  readonly distinct: number;
  /** Distinct ones: from a state by an action to a state. */
  readonly transitions: number;
  /** Levels of the search, the initial state's counted, as TLC does. */
  readonly depth: number;
  /** The first state that breaks a property, by a way that no other is shorter than. The search ends there. */
  readonly violation: Violation | null;
  /** Properties that were asked for, and cannot be judged here. */
  readonly notJudged: readonly string[];
}

export interface Violation {
  readonly property: string;
  /** In a sentence. */
  readonly what: string;
  readonly trace: Trace;
}

export interface ExploreOptions {
  readonly properties?: readonly string[];
  readonly onProgress?: (distinct: number) => void;
  readonly signal?: AbortSignal;
  /** Gives up with more than so many states. */
  readonly maxStates?: number;
}

const PROGRESS_STATES = 2_000;

export async function explore(model: Model, options: ExploreOptions = {}): Promise<Explored> {
  const properties = (options.properties ?? []).map((name) => [name, propertyOf(name, model)] as const);
  const notJudged = properties.flatMap(([name, property]) => (property === null ? [name] : []));
  const judged = properties.flatMap(([name, property]) => (property === null ? [] : [[name, property] as const]));
  const search = new Search(model);
  const { table, depths } = search;
  let broken = -1;
  let violation: Violation | null = null;

  const judge = (number: number): void => {
    for (const [property, judgeOne] of judged) {
      const what = judgeOne(table.states[number]!, table.ghosts[number]!);
      if (what === null) continue;
      broken = number;
      violation = { property, what, trace: search.traceTo(number, property) };
      return;
    }
  };

  judge(0);
  for (let number = 0; number < table.states.length && broken === -1; number++) {
    if (table.states.length > (options.maxStates ?? Number.POSITIVE_INFINITY)) break;
    if (number % PROGRESS_STATES === 0) {
      options.onProgress?.(table.states.length);
      await new Promise<void>((resolve) => setImmediate(resolve));
      options.signal?.throwIfAborted();
    }
    for (const found of search.expand(number)) {
      judge(found);
      if (broken !== -1) break;
    }
  }
  return {
    distinct: table.states.length,
    transitions: search.transitions,
    depth: (depths.at(-1) ?? 0) + 1,
    violation,
    notJudged,
  };
}

class Search {
  readonly table = new StateTable();
  readonly depths: number[] = [0];
  readonly #parents: number[] = [-1];
  readonly #steps: (WorldStep | null)[] = [null];
  readonly #stepper: Stepper;
  transitions = 0;

  constructor(model: Model) {
    this.#stepper = new Stepper(model);
    const { state, ghosts } = this.#stepper.initial();
    this.table.numberOf(state, ghosts);
  }

  /** Numbers of the states that are new, one by one as they are found. */
  *expand(number: number): Generator<number> {
    const { table, depths } = this;
    const depth = depths[number]!;
    let before = 0;
    const targets: number[] = [];
    let action = '';
    for (const { step, state, ghosts } of this.#stepper.from(table.states[number]!, table.ghosts[number]!, depth)) {
      before = table.states.length;
      const found = table.numberOf(state, ghosts);
      // Steps of one action come one after the other.
      if (step.action !== action) targets.length = 0;
      action = step.action;
      if (!targets.includes(found)) {
        targets.push(found);
        this.transitions++;
      }
      if (found < before) continue;
      depths.push(depth + 1);
      this.#parents.push(number);
      this.#steps.push(step);
      yield found;
    }
  }

  /** With the arguments of its steps, for they were taken here. */
  traceTo(number: number, property: string): Trace {
    const numbers: number[] = [];
    for (let at = number; at !== -1; at = this.#parents[at]!) numbers.push(at);
    numbers.reverse();
    const stateOf = (at: number) => toState({ ...toObservation(this.table.states[at]!), ...this.table.ghosts[at]! });
    const recorder = new Recorder(stateOf(0));
    for (const at of numbers.slice(1)) recorder.add(this.#steps[at]!, stateOf(at));
    const { constants, name } = this.#stepper.model;
    return recorder.trace(constants, { model: name, property, foundBy: 'explore' });
  }
}
