import { type Ghosts, NEEDED, noGhosts, observeStep, toState } from '../replay/index.ts';
import { type ClusterState, equalStates } from '../replica/index.ts';
import { MemoryCluster, toObservation } from '../systems/memory.ts';
import type { WorldStep } from '../systems/system.ts';
import type { State } from '../trace/index.ts';
import { equalGhosts } from './equalGhosts.ts';
import type { GraphStates } from './graphStates.ts';
import { allows, type Model } from './model.ts';

/** Something that a system did in a state. */
export interface Successor {
  readonly step: WorldStep;
  /** Whether what it came to is this state of the graph, in all that the system shows. */
  is(state: number): boolean;
  state(): State;
}

/** What is held against a graph, one state at a time. */
export interface Subject {
  readonly name: string;
  /** Variables that it does not show. */
  readonly notObservable: readonly string[];
  /** All that it does in this state of the graph, within the bounds of the model. */
  successors(state: number, depth: number): Successor[] | Promise<Successor[]>;
  /** Where it begins by itself. */
  first(): Successor | Promise<Successor>;
}

/** The implementation in memory, with the observer's ghosts: it shows everything. */
export class MemorySubject implements Subject {
  readonly name = 'memory';
  readonly notObservable: readonly string[] = [];
  readonly #cluster: MemoryCluster;
  readonly #model: Model;
  readonly #states: GraphStates;
  readonly #loaded: (ClusterState | undefined)[] = [];
  readonly #ghosts: (Ghosts | undefined)[] = [];

  constructor(model: Model, states: GraphStates) {
    this.#model = model;
    this.#states = states;
    this.#cluster = new MemoryCluster(model.config);
  }

  successors(state: number, depth: number): Successor[] {
    const cluster = this.#cluster;
    const from = this.#clusterState(state);
    const ghosts = this.#ghostsOf(state);
    cluster.restore(from);
    const seen = toObservation(from, NEEDED);
    const successors: Successor[] = [];
    for (const step of cluster.enabled()) {
      if (!allows(this.#model, step, ghosts, from.controller.epoch, depth)) continue;
      const outcome = cluster.step(step.action === 'Write' ? { ...step, id: ghosts.written + 1 } : step);
      if (outcome.kind === 'refused') throw new TypeError(`${step.action} was offered, and refused: ${outcome.reason}`);
      const reached = cluster.save();
      const after = observeStep(ghosts, step, outcome.effects, seen, toObservation(reached, NEEDED)) ?? ghosts;
      successors.push(this.#successor(step, reached, after));
      cluster.restore(from);
    }
    return successors;
  }

  first(): Successor {
    const cluster = new MemoryCluster(this.#model.config);
    return this.#successor({ action: 'Init', args: [] }, cluster.save(), noGhosts);
  }

  #successor(step: WorldStep, reached: ClusterState, ghosts: Ghosts): Successor {
    return {
      step,
      is: (state) => equalStates(reached, this.#clusterState(state)) && equalGhosts(ghosts, this.#ghostsOf(state)),
      state: () => toState({ ...toObservation(reached), ...ghosts }),
    };
  }

  #clusterState(state: number): ClusterState {
    const known = this.#loaded[state];
    if (known !== undefined) return known;
    this.#cluster.load(this.#states.observation(state));
    const loaded = this.#cluster.save();
    this.#loaded[state] = loaded;
    return loaded;
  }

  #ghostsOf(state: number): Ghosts {
    this.#ghosts[state] ??= this.#states.ghosts(state);
    return this.#ghosts[state];
  }
}
