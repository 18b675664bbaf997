import type { StateGraph } from '../graph/index.ts';
import { BRANCHES, branchesOf } from './branches.ts';

/** What of the protocol a graph exercises: each action, each branch of its rule, each outcome, each pair of actions in a row. */
export interface Coverage {
  /** Steps by action. */
  readonly actions: ReadonlyMap<string, number>;
  /** By action whose rule has several: how often each branch was taken, 0 for one that never was. */
  readonly branches: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** By action: which variables a step of it changed, and how often just these. */
  readonly outcomes: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** `Crash, Restart`: how many steps of the second can follow one of the first. */
  readonly pairs: ReadonlyMap<string, number>;
}

export function coverageOf(graph: StateGraph): Coverage {
  const { actions, variables } = graph;
  const counts = new Float64Array(actions.length);
  const pairs = new Float64Array(actions.length * actions.length);
  const outcomes = actions.map(() => new Map<string, number>());
  const branchOf = branchesOf(graph);
  const branches = new Map(actions.flatMap((name) => (name in BRANCHES ? [[name, noneOf(name)] as const] : [])));
  for (let state = 0; state < graph.stateCount; state++) {
    for (const step of graph.stepsFrom(state)) {
      const action = graph.actionOf(step);
      const target = graph.targetOf(step);
      counts[action]!++;
      const changed = variables.filter((_, column) => graph.lineOf(state, column) !== graph.lineOf(target, column));
      const outcome = changed.join(' ');
      outcomes[action]!.set(outcome, (outcomes[action]!.get(outcome) ?? 0) + 1);
      const branch = branchOf(actions[action]!, state, target);
      const taken = branches.get(actions[action]!);
      if (branch !== null) taken?.set(branch, (taken.get(branch) ?? 0) + 1);
      for (const next of graph.stepsFrom(target)) pairs[action * actions.length + graph.actionOf(next)]!++;
    }
  }
  const named = (index: number): string =>
    `${actions[Math.floor(index / actions.length)]}, ${actions[index % actions.length]}`;
  return {
    actions: new Map(actions.map((name, index) => [name, counts[index]!])),
    branches,
    outcomes: new Map(actions.map((name, index) => [name, outcomes[index]!])),
    pairs: new Map([...pairs].flatMap((count, index) => (count > 0 ? [[named(index), count] as const] : []))),
  };
}

/** Of several graphs together. */
export function mergeCoverage(all: readonly Coverage[]): Coverage {
  return {
    actions: sum(all.map(({ actions }) => actions)),
    branches: sumByAction(all.map(({ branches }) => branches)),
    outcomes: sumByAction(all.map(({ outcomes }) => outcomes)),
    pairs: sum(all.map(({ pairs }) => pairs)),
  };
}

function noneOf(action: string): Map<string, number> {
  return new Map(BRANCHES[action]!.map((branch) => [branch, 0]));
}

function sumByAction(all: readonly ReadonlyMap<string, ReadonlyMap<string, number>>[]) {
  const total = new Map<string, Map<string, number>>();
  for (const byAction of all) {
    for (const [action, counts] of byAction) total.set(action, sum([total.get(action) ?? new Map(), counts]));
  }
  return total;
}

function sum(all: readonly ReadonlyMap<string, number>[]): Map<string, number> {
  const total = new Map<string, number>();
  for (const counts of all) for (const [name, count] of counts) total.set(name, (total.get(name) ?? 0) + count);
  return total;
}
