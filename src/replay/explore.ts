import { type ClusterState, key } from '../replica/index.ts';
import type { SystemConfig } from '../systems/system.ts';
import { type Bounds, isWithin } from './bounds.ts';
import type { Ghosts } from './observer.ts';
import { Run } from './run.ts';

/** How TLC counts: distinct states, states computed (with repetitions, initial ones included), levels of the search. */
export interface Explored {
  readonly distinct: number;
  readonly generated: number;
  readonly depth: number;
}

interface Node {
  readonly state: ClusterState;
  readonly ghosts: Ghosts;
}

/**
 * All that the implementation can do within the bounds of a model, breadth first, by itself. It should find exactly as
 * many states as TLC does.
 */
export function explore(config: SystemConfig, bounds: Bounds): Explored {
  const run = new Run(config);
  const first = { state: run.cluster.save(), ghosts: run.ghosts };
  const seen = new Set([keyOf(first)]);
  let level: Node[] = [first];
  let generated = 1;
  let depth = 0;
  for (; level.length > 0; depth++) {
    const next: Node[] = [];
    for (const node of level) {
      const goTo = (): void => {
        run.cluster.restore(node.state);
        run.ghosts = node.ghosts;
      };
      goTo();
      for (const step of run.cluster.enabled()) {
        if (!isWithin(bounds, step, node.ghosts, node.state.controller.epoch)) continue;
        run.step(step);
        generated++;
        const reached = { state: run.cluster.save(), ghosts: run.ghosts };
        const found = keyOf(reached);
        if (!seen.has(found)) {
          seen.add(found);
          next.push(reached);
        }
        goTo();
      }
    }
    level = next;
  }
  return { distinct: seen.size, generated, depth };
}

function keyOf({ state, ghosts }: Node): string {
  const ordered = {
    ...ghosts,
    acked: ghosts.acked.map(({ id, acks }) => `${id} ${acks}`).sort(),
    committed: ghosts.committed.map(({ offset, id }) => `${offset} ${id}`).sort(),
    destroyed: [...new Set(ghosts.destroyed)].sort(),
    ...(ghosts.readable && { readable: ghosts.readable.map(({ offset, id }) => `${offset} ${id}`).sort() }),
  };
  return `${key(state)} ${JSON.stringify(ordered)}`;
}
