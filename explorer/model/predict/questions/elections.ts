import { missingFrom } from '../../../../src/report/index.ts';
import type { Opened } from '../../opened.ts';
import { type Asked, type Draft, yesNo } from '../stop.ts';
import { around, named, worldsOf } from './around.ts';

/** Has the new leader everything that was committed? */
export function isStillThere(asked: Asked): Draft | null {
  const { opened, step, index } = asked;
  if (step.action !== 'BecomeLeader') return null;
  const id = String(step.args[0]);
  const [before, after] = worldsOf(asked);
  const [, replica] = around(asked, id);
  if (replica === undefined || before.committed.length === 0) return null;
  const lost = missingFrom(after, replica, { evenDestroyed: true });
  const isClean = wasElectedCleanly(asked, id);
  const why = isClean ? 'it is alive and in the ISR' : 'it is alive, and was not in the ISR';
  return {
    kind: `there-${lost.length > 0}`,
    question: `${id} is elected${isClean ? '' : ' uncleanly'}: ${why}. Does it have ${named(lost.length > 0 ? lost : before.committed, 'which is', 'which are').replace(' which', ', which')} committed?`,
    options: yesNo(lost.length === 0),
    rule: isClean ? 'elect' : 'electUnclean',
    misconception: isClean && lost[0] !== undefined ? beliefAbout(opened, index, id, lost[0].id) : null,
  };
}

/** Nobody believes that a loss of power leaves everything; but what the rule cut, or let nobody fetch, is another thing. */
function beliefAbout(opened: Opened, index: number, id: string, record: number): string | null {
  const has = (at: number) =>
    opened.world(at).replicas.some(({ name, log }) => name === id && log.some((one) => one.id === record));
  let gone = index;
  while (gone > 0 && !has(gone - 1)) gone--;
  const took = gone === 0 ? null : (opened.action(gone)?.name ?? null);
  if (took === 'PowerLoss') return null;
  if (opened.profile === 'Kip101') return 'kip101-enough';
  return took === null ? null : 'unclean';
}

/** Whether the election that it hears of was a clean one. */
function wasElectedCleanly({ opened, index }: Asked, id: string): boolean {
  for (let at = index - 1; at > 0; at--) {
    const action = opened.action(at);
    const elects = action?.name === 'Elect' || action?.name === 'ElectUnclean';
    if (elects && opened.args(at)[0] === id) return action.name === 'Elect';
  }
  return true;
}

/** Has a follower that joins the ISR everything that was committed? */
export function hasWhatJoins(asked: Asked): Draft | null {
  const { step } = asked;
  const joins = step.action === 'ExpandIsr';
  const [leader, follower] = step.args.map(String) as [string, string];
  const [before] = around(asked, follower);
  const [atLeader] = around(asked, leader);
  if (!joins || before === undefined || atLeader === undefined || worldsOf(asked)[0].committed.length === 0)
    return null;
  const offset = atLeader.remoteLeo.get(follower) ?? 0;
  const lacks = missingFrom(worldsOf(asked)[0], before);
  return {
    kind: `joins-${lacks.length > 0}`,
    question: `${follower} has fetched up to offset ${offset}, and the high watermark of its leader ${leader} is ${atLeader.hw}: it joins the ISR. Does it have all that is committed?`,
    options: yesNo(lacks.length === 0),
    rule: 'whyNotExpandIsr',
    misconception: lacks.length > 0 && offset < atLeader.epochStart ? 'join-hw' : null,
  };
}

/** Does the high watermark wait for the controller to confirm another ISR? */
export function waitsForController(asked: Asked): Draft | null {
  const { step } = asked;
  if (step.action !== 'ShrinkIsr' && step.action !== 'AlterPartition') return null;
  const [leader] = step.args.map(String) as [string];
  const [before, after] = around(asked, leader);
  if (before === undefined || after === undefined || after.isrProposal.isr.length === 0) return null;
  if (step.action === 'AlterPartition') {
    const confirmed = after.isrProposal.answer === 'confirmed';
    const elected = worldsOf(asked)[0].controller.leader;
    return {
      kind: `confirmed-${confirmed}`,
      question: `${leader} has asked the controller for the ISR ${after.isrProposal.isr.join(', ')}. The controller has ${elected === leader ? `${leader} for the leader` : `elected ${elected} meanwhile`}. Does it confirm?`,
      options: yesNo(confirmed),
      rule: 'alterPartition',
      misconception: null,
    };
  }
  if (before.hw >= before.log.length) return null;
  const waits = after.hw === before.hw;
  return {
    kind: `waits-${waits}`,
    question: `${leader} asks the controller for an ISR without ${step.args[1]}. It has records that only ${step.args[1]} lacks. Does its high watermark wait for the answer?`,
    options: yesNo(waits, 'Yes, as long as both ISRs are possible', 'No, the smaller one counts at once'),
    rule: 'countedIsr',
    misconception: waits ? null : 'proposed-isr',
  };
}
