import { type Config, NO_PROPOSAL, type Step, type StepResult } from '../../replica/index.ts';
import type { Controller } from '../controller.ts';
import type { Messages } from './messages.ts';
import type { DrivenNode } from './node.ts';
import { takeAlone } from './nodes.ts';
import { needs, Refused } from './refusal.ts';

/** Up to 2.6 a leader compares and sets; since KIP-497 it asks, and the controller decides in a step of its own. */
export async function changeIsr(
  config: Config,
  messages: Messages,
  [leader, follower]: readonly [DrivenNode, DrivenNode],
  action: 'ExpandIsr' | 'ShrinkIsr',
): Promise<StepResult> {
  const step: Step = { action, args: [leader.id, follower.id] };
  if (action === 'ExpandIsr') {
    const message = messages.of(follower.id);
    const isHandled = message?.type === 'FetchResponse' && message.leader === leader.id;
    needs(isHandled, `${leader.id} is not handling a fetch of ${follower.id}`);
  }
  if (config.profileOf[leader.id]?.asksForIsr) return takeAlone(leader, step);
  const outcome = await leader.order({ kind: 'changeIsr', action, follower: follower.id });
  if (outcome.kind === 'refused') throw new Refused(outcome.reason);
  return (await leader.taken(action)).result;
}

export async function alterPartition(controller: Controller, leader: DrivenNode): Promise<void> {
  const { isrProposal, leaderEpoch: epoch } = (await leader.live()).memory;
  needs(isrProposal !== NO_PROPOSAL && isrProposal.isr.length > 0, `${leader.id} has not asked for another ISR`);
  needs(isrProposal.answer === 'none', `the controller has answered ${leader.id} already`);
  const isConfirmed = controller.alterIsr({ ...isrProposal, leader: leader.id, epoch });
  await leader.order({ kind: 'answerIsr', answer: isConfirmed ? 'confirmed' : 'refused' });
}
