import type { ReplicaId, Step, StepResult } from '../../replica/index.ts';
import type { DrivenNode } from './node.ts';
import { needs, Refused } from './refusal.ts';

/** The brokers of a driven cluster, by the names that steps call them. */
export class Nodes {
  readonly #nodes: ReadonlyMap<ReplicaId, DrivenNode>;

  constructor(nodes: readonly DrivenNode[]) {
    this.#nodes = new Map(nodes.map((node) => [node.id, node]));
  }

  get all(): readonly DrivenNode[] {
    return [...this.#nodes.values()];
  }

  of(id: unknown): DrivenNode {
    const node = this.#nodes.get(String(id));
    if (node === undefined) throw new Refused(`there is no replica ${id}`);
    return node;
  }

  up(id: unknown): DrivenNode {
    const node = this.of(id);
    needs(node.isUp, `${node.id} is down`);
    return node;
  }
}

/** Orders a step that a broker takes by itself. */
export async function takeAlone(node: DrivenNode, step: Step): Promise<StepResult> {
  const outcome = await node.order({ kind: 'take', step });
  if (outcome.kind === 'refused') throw new Refused(outcome.reason);
  return (await node.taken(step.action)).result;
}
