import type { Cluster } from '../replica/index.ts';
import { NO_ONE, type StepResult } from '../replica/index.ts';
import type { WorldStep } from '../systems/system.ts';
import type { ClientEvent } from './history.ts';

/** Notes what the clients of a simulated cluster see, step by step. */
export class Clients {
  readonly events: ClientEvent[] = [];

  /** Call it after each step, with what the step brought. */
  saw(step: WorldStep, result: StepResult): void {
    if (step.action === 'Write' && step.id !== undefined) {
      this.events.push({ kind: 'sent', id: step.id, acks: step.args[1] === '1' ? '1' : 'all' });
    }
    for (const { id, offset } of result.acknowledged) this.events.push({ kind: 'acked', id, offset });
    for (const { id } of result.refused) this.events.push({ kind: 'unknown', id });
  }

  /** A consumer reads all that it can from whoever the controller says leads. */
  read(cluster: Cluster, kind: 'read' | 'lastRead' = 'read'): void {
    const { leader } = cluster.observe().controller;
    if (leader === NO_ONE) return;
    const found = cluster.read(leader, 0);
    if (found.error === 'none') this.events.push({ kind, offset: 0, ids: found.records.map(({ id }) => id) });
  }
}
