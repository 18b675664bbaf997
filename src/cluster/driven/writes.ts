import type { StepResult } from '../../replica/index.ts';
import { effectsOf } from '../../systems/memory.ts';
import type { Effect } from '../../systems/system.ts';
import { produce } from '../producer.ts';
import { DrivenError, type DrivenNode } from './node.ts';
import { needs, Refused } from './refusal.ts';

/** Producers over connections of their own: what steps tell them must reach them. */
export class Writes {
  /** Of records that were written: the answer that their producers wait for. */
  readonly #answers = new Map<number, Promise<number | null>>();

  async write(leader: DrivenNode, acks: '1' | 'all', id: number): Promise<StepResult> {
    const { role } = (await leader.live()).memory;
    needs(role === 'leader', `${leader.id} is ${role}, not a leader`);
    const answer = produce(leader.address, leader.address.topic, id, acks);
    this.#answers.set(id, answer);
    // A refusal comes without a step.
    const code = await Promise.race([answer, leader.hasTaken().then(() => 0)]);
    if (code !== 0) throw new Refused(`${leader.id} refuses the record with code ${code}`);
    return (await leader.taken('Write')).result;
  }

  async told(result: StepResult): Promise<Effect[]> {
    for (const { id } of result.acknowledged) {
      const code = await this.#answers.get(id);
      if (code !== 0) throw new DrivenError(`the producer of m${id} is told ${code}, and the record is stored`);
    }
    return effectsOf(result);
  }
}
