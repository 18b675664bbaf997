import { type Ghosts, noGhostsFor, observeStep } from '../replay/index.ts';
import type { ClusterState } from '../replica/index.ts';
import { MemoryCluster } from '../systems/memory.ts';
import type { WorldStep } from '../systems/system.ts';
import { allows, type Model } from './model.ts';

/** A state that a step led to, with the observer's ghosts: together they show every variable of the specification. */
export interface Reached {
  readonly step: WorldStep;
  readonly state: ClusterState;
  readonly ghosts: Ghosts;
}

/** The implementation in memory, within the bounds of a model: what it does in any state that it is put into. */
export class Stepper {
  readonly model: Model;
  readonly #cluster: MemoryCluster;

  constructor(model: Model) {
    this.model = model;
    this.#cluster = new MemoryCluster(model.config);
  }

  initial(): Reached {
    const state = new MemoryCluster(this.model.config).save();
    return { step: { action: 'Init', args: [] }, state, ghosts: noGhostsFor(this.model.remembered) };
  }

  /** `depth`: steps from the initial state, by which a told schedule goes. */
  from(state: ClusterState, ghosts: Ghosts, depth: number): Reached[] {
    const cluster = this.#cluster;
    const before = lookedAt(state);
    const { epoch } = state.controller;
    const reached: Reached[] = [];
    cluster.restore(state);
    let isThere = true;
    for (const step of cluster.enabled()) {
      if (!allows(this.model, step, ghosts, epoch, depth)) continue;
      if (!isThere) cluster.restore(state);
      isThere = false;
      const outcome = cluster.step(step.action === 'Write' ? { ...step, id: ghosts.written + 1 } : step);
      if (outcome.kind === 'refused') throw new TypeError(`${step.action} was offered, and refused: ${outcome.reason}`);
      const after = cluster.save();
      const told = observeStep(ghosts, step, outcome.effects, before, lookedAt(after)) ?? ghosts;
      reached.push({ step, state: after, ghosts: told });
    }
    return reached;
  }
}

/** What the observer looks at, as any system would show it. Of every state that is reached: so all at once. */
function lookedAt({ controller, elr, replicas }: ClusterState) {
  const log: Record<string, unknown> = {};
  const hw: Record<string, number> = {};
  const role: Record<string, string> = {};
  const leaderEpoch: Record<string, number> = {};
  for (const id in replicas) {
    const { disk, memory } = replicas[id]!;
    log[id] = disk.log;
    hw[id] = memory.hw;
    role[id] = memory.role;
    leaderEpoch[id] = memory.leaderEpoch;
  }
  return { log, hw, role, leaderEpoch, controller, elr };
}
