import { type Ghosts, NEEDED, noGhosts, noGhostsFor, observeStep } from '../replay/index.ts';
import { actions } from '../replica/index.ts';
import type { Observation, System, SystemConfig, WorldStep } from '../systems/system.ts';
import { equalGhosts } from './equalGhosts.ts';
import type { GraphStates } from './graphStates.ts';
import { allows, type Model } from './model.ts';
import type { Subject, Successor } from './subject.ts';

/** A system that can be put into any state: in each, all that it can do is tried. */
export class SystemSubject implements Subject {
  readonly name: string;
  readonly notObservable: readonly string[];
  readonly #system: System;
  readonly #states: GraphStates;
  readonly #model: Model | null;
  readonly #config: SystemConfig;
  readonly #seesGhosts: boolean;
  readonly #noGhosts: Ghosts;
  #isReset = false;

  /** `model`: null for a graph of another specification, whose bounds are the system's business. */
  constructor(system: System, states: GraphStates, model: Model | null, config: SystemConfig) {
    this.#system = system;
    this.#states = states;
    this.#model = model;
    this.#config = config;
    this.#seesGhosts = model !== null && NEEDED.every((name) => system.observable.has(name));
    this.#noGhosts = noGhostsFor(states.graph.variables);
    this.name = system.name;
    this.notObservable = states.graph.variables.filter(
      (name) => !system.observable.has(name) && !(this.#seesGhosts && name in this.#noGhosts),
    );
  }

  async first(): Promise<Successor> {
    await this.#reset();
    const seen = await this.#system.observe();
    return this.#successor({ action: 'Init', args: [] }, seen, this.#noGhosts, this.#states.graph.initial[0]!);
  }

  async successors(state: number, depth: number): Promise<Successor[]> {
    if (!this.#isReset) await this.#reset();
    const before = this.#states.observation(state);
    const ghosts = this.#model === null ? noGhosts : this.#states.ghosts(state);
    await this.#system.restore?.(before);
    const offered = (await this.#system.enabled?.()) ?? candidates(this.#config.replicas, this.#bound());
    const successors: Successor[] = [];
    let isThere = true;
    for (const step of offered) {
      if (this.#model !== null && !allows(this.#model, step, ghosts, epochIn(before), depth)) continue;
      if (!isThere) await this.#system.restore?.(before);
      const outcome = await this.#system.step(step.action === 'Write' ? { ...step, id: ghosts.written + 1 } : step);
      // What is refused has changed nothing.
      isThere = outcome.kind === 'refused';
      if (outcome.kind === 'refused') continue;
      const after = await this.#system.observe();
      const told = (this.#seesGhosts && observeStep(ghosts, step, outcome.effects, before, after)) || ghosts;
      successors.push(this.#successor(step, after, told, state));
    }
    return successors;
  }

  #successor(step: WorldStep, seen: Observation, ghosts: Ghosts, like: number): Successor {
    const states = this.#states;
    const withGhosts = this.#seesGhosts ? { ...seen, ...ghosts } : seen;
    return {
      step,
      is: (state) => states.shows(seen, state) && (!this.#seesGhosts || equalGhosts(ghosts, states.ghosts(state))),
      state: () => states.toState(withGhosts, like),
    };
  }

  async #reset(): Promise<void> {
    await this.#system.reset(this.#config);
    this.#isReset = true;
  }

  #bound(): number {
    const { bounds } = this.#model ?? {};
    if (bounds === undefined) return 0;
    const { records, elections, unclean, crashes, powerLosses } = bounds;
    return Math.max(records, 1 + elections + unclean + crashes + powerLosses);
  }
}

/** Every step that there can be: all actions with all arguments, as the table of the implementation has them. */
export function candidates(replicas: readonly string[], bound: number): WorldStep[] {
  const numbers = Array.from({ length: bound + 1 }, (_, number) => number);
  const values = { replica: replicas, acks: ['1', 'all'], number: numbers };
  return Object.entries(actions).flatMap(([action, { takes }]) =>
    takes
      .reduce<(string | number)[][]>(
        (all, kind) => all.flatMap((args) => values[kind].map((arg) => [...args, arg])),
        [[]],
      )
      .map((args) => ({ action, args })),
  );
}

function epochIn(seen: Observation): number {
  return (seen.controller as { readonly epoch?: number } | undefined)?.epoch ?? 0;
}
