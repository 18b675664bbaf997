import type { StateGraph } from '../graph/index.ts';

/** The states of a graph in order of their distance from the initial ones, and a shortest way to each. */
export interface Paths {
  /** Numbers of the reachable states, nearest first. */
  readonly order: Int32Array;
  /** Steps from an initial state, by the number of the state; -1: not reachable. */
  readonly depth: Int32Array;
  /** The last step of a shortest way there, by the number of the state; -1 for an initial one. */
  readonly by: Int32Array;
}

export function shortestPaths(graph: StateGraph): Paths {
  const depth = new Int32Array(graph.stateCount).fill(-1);
  const by = new Int32Array(graph.stateCount).fill(-1);
  const order = new Int32Array(graph.stateCount);
  let found = 0;
  for (const state of graph.initial) {
    if (depth[state] === 0) continue;
    depth[state] = 0;
    order[found++] = state;
  }
  for (let next = 0; next < found; next++) {
    const state = order[next]!;
    for (const step of graph.stepsFrom(state)) {
      const target = graph.targetOf(step);
      if (depth[target] !== -1) continue;
      depth[target] = depth[state]! + 1;
      by[target] = step;
      order[found++] = target;
    }
  }
  return { order: order.subarray(0, found), depth, by };
}

/** Numbers of the steps of a shortest way to a state. */
export function pathTo(graph: StateGraph, paths: Paths, state: number): number[] {
  const steps: number[] = [];
  for (let at = state; paths.by[at] !== -1; at = graph.stepAt(paths.by[at]!).from) steps.push(paths.by[at]!);
  return steps.reverse();
}
