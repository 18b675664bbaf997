import { type Ghosts, NEEDED, noGhosts, observeStep } from '../replay/index.ts';
import type { System, SystemConfig, WorldStep } from '../systems/system.ts';
import { type Difference, diffStates } from '../tla/index.ts';
import { equalGhosts } from './equalGhosts.ts';
import type { GraphStates } from './graphStates.ts';
import { PathCover } from './pathCover.ts';

/** How a system fared that was driven along the edges of a graph, for it cannot be put into a state. */
export interface Drive {
  readonly system: string;
  /** Edges of the graph, each with its arguments: what was to be covered. */
  readonly edges: number;
  /** Taken, and led to the state that the graph has. */
  readonly covered: number;
  /** Beyond a failed edge, and not to be reached otherwise. */
  readonly unreached: number;
  readonly steps: number;
  readonly resets: number;
  readonly deviations: readonly DriveDeviation[];
  readonly notObservable: readonly string[];
  /** The drive was ended before all edges were covered. */
  readonly isCutShort: boolean;
}

export interface DriveDeviation {
  /** From the last reset on; the last step is the one that failed. */
  readonly path: readonly WorldStep[];
  /** Why it was refused; null: it was taken, and led elsewhere. */
  readonly refused: string | null;
  /** Specification first. */
  readonly differences: readonly Difference[];
}

export interface DriveOptions {
  readonly onProgress?: (covered: number, of: number) => void;
  readonly signal?: AbortSignal;
  /** So many steps at most, and then a report. */
  readonly maxSteps?: number;
  /** So many deviations at most, and then a report. Default 20. */
  readonly maxDeviations?: number;
}

/** `labels`: for each step of the graph, with which arguments it is taken; what has none cannot be driven. */
export async function driveGraph(
  states: GraphStates,
  system: System,
  config: SystemConfig,
  labels: ReadonlyMap<number, readonly WorldStep[]>,
  options: DriveOptions = {},
): Promise<Drive> {
  const cover = new PathCover(states.graph, labels);
  const driver = new Driver(states, system, config);
  const deviations: DriveDeviation[] = [];
  let steps = 0;
  let isCutShort = false;
  await driver.reset();
  for (let edge = cover.next(); edge !== null; edge = cover.next()) {
    if (steps >= (options.maxSteps ?? Number.POSITIVE_INFINITY) || deviations.length >= (options.maxDeviations ?? 20)) {
      isCutShort = true;
      break;
    }
    if (edge.restart) await driver.reset();
    const deviation = await driver.take(edge.step, edge.to);
    steps++;
    if (deviation === null) cover.passed();
    else {
      cover.failed();
      deviations.push(deviation);
    }
    if (steps % 500 === 0) {
      options.onProgress?.(cover.covered, cover.edges);
      options.signal?.throwIfAborted();
    }
  }
  return {
    system: system.name,
    edges: cover.edges,
    covered: cover.covered,
    unreached: isCutShort ? 0 : cover.edges - cover.covered - cover.failures,
    steps,
    resets: driver.resets,
    deviations,
    notObservable: driver.notObservable,
    isCutShort,
  };
}

/** Takes one step after the other, and holds what is seen against the graph. */
class Driver {
  readonly notObservable: readonly string[];
  resets = 0;
  readonly #states: GraphStates;
  readonly #system: System;
  readonly #config: SystemConfig;
  readonly #seesGhosts: boolean;
  #ghosts: Ghosts = noGhosts;
  #seen: Awaited<ReturnType<System['observe']>> = {};
  #path: WorldStep[] = [];

  constructor(states: GraphStates, system: System, config: SystemConfig) {
    this.#states = states;
    this.#system = system;
    this.#config = config;
    this.#seesGhosts = NEEDED.every((name) => system.observable.has(name));
    this.notObservable = states.graph.variables.filter(
      (name) => !system.observable.has(name) && !(this.#seesGhosts && name in noGhosts),
    );
  }

  async reset(): Promise<void> {
    await this.#system.reset(this.#config);
    this.#seen = await this.#system.observe();
    this.#ghosts = noGhosts;
    this.#path = [];
    this.resets++;
  }

  async take(step: WorldStep, to: number): Promise<DriveDeviation | null> {
    this.#path.push(step);
    const outcome = await this.#system.step(step.action === 'Write' ? { ...step, id: this.#ghosts.written + 1 } : step);
    if (outcome.kind === 'refused') return { path: [...this.#path], refused: outcome.reason, differences: [] };
    const seen = await this.#system.observe();
    const ghosts = observeStep(this.#ghosts, step, outcome.effects, this.#seen, seen);
    this.#ghosts = ghosts ?? { ...this.#ghosts, written: this.#ghosts.written + (step.action === 'Write' ? 1 : 0) };
    this.#seen = seen;
    const states = this.#states;
    const isSame = states.shows(seen, to) && (!this.#seesGhosts || equalGhosts(this.#ghosts, states.ghosts(to)));
    if (isSame) return null;
    const shown = states.toState(this.#seesGhosts ? { ...seen, ...this.#ghosts } : seen, to);
    const wanted = new Map([...states.graph.stateAt(to)].filter(([name]) => shown.has(name)));
    return { path: [...this.#path], refused: null, differences: diffStates(wanted, shown) };
  }
}
