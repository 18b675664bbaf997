import type { StateGraph } from '../graph/index.ts';
import type { WorldStep } from '../systems/system.ts';
import { type Paths, pathTo, shortestPaths } from './paths.ts';

export interface CoverStep {
  readonly step: WorldStep;
  readonly to: number;
  /** The system has to be reset first. */
  readonly restart: boolean;
}

/** How far around to look for something new before going back to the beginning. */
const MAX_DETOUR_STATES = 400;

/**
 * Ways from the initial state that together take every labelled edge of a graph, in few steps and few resets: on along what is
 * new as long as there is any, else a short detour to the nearest new edge, else from the beginning to one.
 */
export class PathCover {
  /** To be covered: an edge counts once for each of its labels. */
  readonly edges: number;
  covered = 0;
  failures = 0;
  readonly #graph: StateGraph;
  readonly #labels: ReadonlyMap<number, readonly WorldStep[]>;
  readonly #paths: Paths;
  /** By edge: how many of its labels are done. */
  readonly #done: Uint8Array;
  /** By edge: 1 where the system has left the way. */
  readonly #broken: Uint8Array;
  /** By state: labels of its edges that are left. */
  readonly #left: Int32Array;
  #at: number;
  #isLost = false;
  #plan: number[] = [];
  #edge = -1;
  #restart = false;
  /** Of `paths.order`: before it all states are done with. */
  #first = 0;

  constructor(graph: StateGraph, labels: ReadonlyMap<number, readonly WorldStep[]>) {
    this.#graph = graph;
    this.#labels = labels;
    this.#paths = shortestPaths(graph);
    this.#done = new Uint8Array(graph.stepCount);
    this.#broken = new Uint8Array(graph.stepCount);
    this.#left = new Int32Array(graph.stateCount);
    let edges = 0;
    for (const [edge, { length }] of labels) {
      this.#left[graph.stepAt(edge).from]! += length;
      edges += length;
    }
    this.edges = edges;
    this.#at = graph.initial[0] ?? -1;
  }

  /** What to take next; null when all that can be reached is covered. Then tell how it went. */
  next(): CoverStep | null {
    if (this.#plan.length === 0 && !this.#makePlan()) return null;
    const edge = this.#plan.shift()!;
    const labels = this.#labels.get(edge)!;
    const step = labels[Math.min(this.#done[edge]!, labels.length - 1)]!;
    const restart = this.#restart;
    this.#restart = false;
    this.#edge = edge;
    return { step, to: this.#graph.targetOf(edge), restart };
  }

  passed(): void {
    const edge = this.#edge;
    if (this.#done[edge]! < this.#labels.get(edge)!.length) {
      this.#done[edge]!++;
      this.#left[this.#graph.stepAt(edge).from]!--;
      this.covered++;
    }
    this.#at = this.#graph.targetOf(edge);
  }

  /** The system is somewhere else now, and must begin again. */
  failed(): void {
    const edge = this.#edge;
    const left = this.#labels.get(edge)!.length - this.#done[edge]!;
    this.#broken[edge] = 1;
    this.#left[this.#graph.stepAt(edge).from]! -= left;
    this.failures += left;
    this.#isLost = true;
    this.#plan = [];
  }

  #makePlan(): boolean {
    if (!this.#isLost) {
      const detour = this.#nearest([this.#at], MAX_DETOUR_STATES);
      if (detour !== null) {
        this.#plan = detour;
        return true;
      }
    }
    const way = this.#fromTheBeginning();
    if (way === null) return false;
    this.#plan = way;
    this.#isLost = false;
    this.#restart = true;
    return true;
  }

  /** Edges to the nearest new one, which is the last of them, by ways that are not broken. */
  #nearest(from: readonly number[], maxStates: number): number[] | null {
    const by = new Map<number, number>(from.map((state) => [state, -1]));
    const queue = [...from];
    for (let index = 0; index < queue.length && index < maxStates; index++) {
      const state = queue[index]!;
      if (this.#left[state]! > 0) return [...this.#wayBack(by, state), this.#newEdge(state)];
      for (const edge of this.#graph.stepsFrom(state)) {
        if (!this.#isOpen(edge)) continue;
        const target = this.#graph.targetOf(edge);
        if (by.has(target)) continue;
        by.set(target, edge);
        queue.push(target);
      }
    }
    return null;
  }

  /** By shortest ways as long as none is broken; then by a search. */
  #fromTheBeginning(): number[] | null {
    const { order } = this.#paths;
    while (this.#first < order.length && this.#left[order[this.#first]!] === 0) this.#first++;
    const state = order[this.#first];
    if (state === undefined) return null;
    const way = pathTo(this.#graph, this.#paths, state);
    if (way.every((edge) => this.#isOpen(edge))) return [...way, this.#newEdge(state)];
    return this.#nearest([...this.#graph.initial], Number.POSITIVE_INFINITY);
  }

  #wayBack(by: ReadonlyMap<number, number>, state: number): number[] {
    const way: number[] = [];
    for (let edge = by.get(state)!; edge !== -1; edge = by.get(this.#graph.stepAt(edge).from)!) way.push(edge);
    return way.reverse();
  }

  /** One that leads to more that is new, if there is one. */
  #newEdge(state: number): number {
    let best = -1;
    for (const edge of this.#graph.stepsFrom(state)) {
      const labels = this.#labels.get(edge);
      if (labels === undefined || this.#broken[edge] === 1 || this.#done[edge]! >= labels.length) continue;
      if (best === -1 || this.#left[this.#graph.targetOf(edge)]! > this.#left[this.#graph.targetOf(best)]!) best = edge;
    }
    return best;
  }

  #isOpen(edge: number): boolean {
    return this.#broken[edge] === 0 && this.#labels.has(edge);
  }
}
