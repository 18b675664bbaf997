import { type Ghosts, toState } from '../replay/index.ts';
import { type ClusterState, equalStates } from '../replica/index.ts';
import { MemoryCluster, toObservation } from '../systems/memory.ts';
import type { WorldStep } from '../systems/system.ts';
import type { State } from '../trace/index.ts';
import { equalGhosts } from './equalGhosts.ts';
import type { GraphStates } from './graphStates.ts';
import type { Model } from './model.ts';
import { type Reached, Stepper } from './stepper.ts';

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

/** The states of a graph as the implementation in memory has them, each made once, with the observer's ghosts. */
export class LoadedStates {
  readonly #states: GraphStates;
  readonly #loader: MemoryCluster;
  readonly #clusters: (ClusterState | undefined)[] = [];
  readonly #ghosts: (Ghosts | undefined)[] = [];

  constructor(model: Model, states: GraphStates) {
    this.#states = states;
    this.#loader = new MemoryCluster(model.config);
  }

  cluster(state: number): ClusterState {
    const known = this.#clusters[state];
    if (known !== undefined) return known;
    this.#loader.load(this.#states.observation(state));
    const loaded = this.#loader.save();
    this.#clusters[state] = loaded;
    return loaded;
  }

  ghosts(state: number): Ghosts {
    this.#ghosts[state] ??= this.#states.ghosts(state);
    return this.#ghosts[state];
  }
}

/** The implementation in memory, with the observer's ghosts: it shows everything. */
export class MemorySubject implements Subject {
  readonly name = 'memory';
  readonly notObservable: readonly string[] = [];
  readonly #stepper: Stepper;
  readonly #loaded: Pick<LoadedStates, 'cluster' | 'ghosts'>;

  /** `loaded`: for several that are held against one graph. */
  constructor(
    model: Model,
    states: GraphStates,
    loaded: Pick<LoadedStates, 'cluster' | 'ghosts'> = new LoadedStates(model, states),
  ) {
    this.#loaded = loaded;
    this.#stepper = new Stepper(model);
  }

  successors(state: number, depth: number): Successor[] {
    const loaded = this.#loaded;
    const reached = this.#stepper.from(loaded.cluster(state), loaded.ghosts(state), depth);
    return reached.map((one) => this.#successor(one));
  }

  first(): Successor {
    return this.#successor(this.#stepper.initial());
  }

  #successor({ step, state: reached, ghosts }: Reached): Successor {
    const loaded = this.#loaded;
    return {
      step,
      is: (state) => equalStates(reached, loaded.cluster(state)) && equalGhosts(ghosts, loaded.ghosts(state)),
      state: () => toState({ ...toObservation(reached), ...ghosts }),
    };
  }
}
