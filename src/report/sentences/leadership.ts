import { around, isAlive, replicaOf, type Step } from '../facts.ts';
import { agree, enumerate, records, sentence } from '../words.ts';
import { NO_ONE, UNDEFINED } from '../world.ts';
import { leaderHwPhrase } from './high-watermark.ts';
import { lackPhrase } from './loss.ts';
import { droppedPhrase, oldNewsPhrase, zombiePhrase } from './news.ts';
import type { Tellers } from './tell.ts';

/** What leaders and the controller do. */
export const leadership: Tellers = {
  Write(step, leader, acks) {
    const [before, after] = around(step, leader);
    const written = after.log.at(-1)!;
    const offset = before.log.length;
    const others = after.isr.filter((replica) => replica !== leader);
    const waits = after.pending.includes(offset)
      ? `The producer (acks=all) has to wait until ${enumerate(others)} ${agree(others, 'has', 'have')} it too.`
      : acks === '1'
        ? `The producer (acks=1) is told at once that m${written.id} is stored; no follower has it yet.`
        : '';
    return sentence(
      `A client writes m${written.id} to ${leader}, which appends it at offset ${offset} in epoch e${written.epoch}.`,
      waits,
      leaderHwPhrase(step, leader),
      zombiePhrase(step, leader),
    );
  },

  BecomeLeader(step, leader, epoch) {
    const [before, after] = around(step, leader);
    const heard =
      before.role === 'leader'
        ? `${leader}, which has not stopped leading since e${before.leaderEpoch}, hears that it leads in epoch e${epoch}. In sync now: ${enumerate(after.isr)}.`
        : `${leader} hears that it leads in epoch e${epoch}, and takes its log as it is, up to offset ${after.log.length}.`;
    return sentence(
      heard,
      oldNewsPhrase(step, Number(epoch)),
      usedTwicePhrase(step, leader, Number(epoch)),
      droppedPhrase(step, [leader], 'no longer waited for'),
      cachePhrase(step, leader, epoch),
      leaderHwPhrase(step, leader) || waitingPhrase(step, leader),
      lackPhrase(step.after, leader),
    );
  },

  ShrinkIsr(step, leader, follower) {
    const [, after] = around(step, leader);
    const gone = isAlive(replicaOf(step.after, follower)) ? 'lags behind' : 'is down';
    if (after.isrProposal.isr.length > 0) {
      return sentence(
        `${follower} ${gone}, and ${leader} asks the controller to take it out of the ISR.`,
        leaderHwPhrase(step, leader),
      );
    }
    return sentence(
      `${follower} ${gone}, and ${leader} takes it out of the ISR. In sync now: ${enumerate(after.isr)}.`,
      leaderHwPhrase(step, leader),
    );
  },

  ExpandIsr(step, leader, follower) {
    const [, after] = around(step, leader);
    const offset = after.remoteLeo.get(follower)!;
    const early =
      offset < after.epochStart
        ? `Nobody asks whether it has all that was there when ${leader}'s epoch began at ${after.epochStart} (KAFKA-7128).`
        : '';
    const caughtUp = `${follower} has fetched up to ${offset} and ${leader}'s high watermark is ${after.hw}`;
    return after.isrProposal.isr.length > 0
      ? sentence(`${caughtUp}: ${leader} asks the controller to let it join the ISR.`, early)
      : sentence(`${caughtUp}: ${follower} joins the ISR. In sync now: ${enumerate(after.isr)}.`, early);
  },

  AlterPartition(step, leader) {
    const { answer, isr, joining } = replicaOf(step.after, leader).isrProposal;
    if (answer === 'refused') {
      const elected = step.after.controller.leader;
      const why =
        elected !== leader
          ? `${elected === NO_ONE ? 'nobody' : elected} leads now`
          : `${joining} is not the one it was`;
      return `The controller refuses the ISR that ${leader} asks for, for ${why}.`;
    }
    const left = step.after.elr.length > 0 ? `Eligible to lead all the same: ${enumerate(step.after.elr)}.` : '';
    return sentence(
      `The controller confirms the ISR that ${leader} asks for: ${enumerate(isr)}. ${leader} has yet to hear of it.`,
      left,
    );
  },

  HandleAlterPartitionResponse(step, leader) {
    const [before, after] = around(step, leader);
    const heard =
      before.isrProposal.answer === 'confirmed'
        ? `${leader} hears that the ISR is another now: ${enumerate(after.isr)}.`
        : `${leader} hears that the ISR stays as it was: ${enumerate(after.isr)}.`;
    const waits =
      after.pending.length > 0 && after.hw === before.hw
        ? `Its high watermark stays ${after.hw}, and a producer waits.`
        : '';
    return sentence(heard, leaderHwPhrase(step, leader) || waits);
  },

  Elect(step, leader) {
    const { before, after } = step;
    const { epoch, isr } = after.controller;
    const left = before.controller.isr.filter((replica) => !isr.includes(replica));
    const old = before.controller.leader;
    const again = old === leader ? ' again' : '';
    const inSync = `In sync now: ${enumerate(isr)}.`;
    if (before.elr.includes(leader)) {
      return `No in-sync replica is up. ${leader} is not in sync, but eligible: nothing was committed without it. The controller elects it for epoch e${epoch}.`;
    }
    const lack = lackPhrase(after, leader);
    const alive = old !== leader && old !== NO_ONE && isAlive(replicaOf(after, old));
    return sentence(
      `The controller elects ${leader}${again} for epoch e${epoch}: it is alive and in sync.`,
      left.length > 0
        ? `${enumerate(left)}, which ${agree(left, 'is', 'are')} down, ${agree(left, 'leaves', 'leave')} the ISR. ${inSync}`
        : '',
      alive && `${old}, which led before, is alive and has not heard of it.`,
      lack === '' ? '' : `${lack} An election does not look at logs.`,
    );
  },

  ElectUnclean(step, leader) {
    const { before, after } = step;
    const gone = after.destroyed.filter((id) => !before.destroyed.includes(id)).map((id) => ({ id }));
    const isr = before.controller.isr;
    return sentence(
      `No in-sync replica (${enumerate(isr)}) is up, so the controller elects ${leader} all the same, uncleanly, for epoch e${after.controller.epoch}.`,
      gone.length > 0 && `What was committed and ${leader} does not have is given up: ${records(gone)}.`,
    );
  },

  PartitionOffline(step) {
    const { epoch } = step.after.controller;
    const { isr } = step.before.controller;
    const none = `All in-sync replicas (${enumerate(isr)}) are down: in epoch e${epoch} the partition has no leader`;
    const { elr } = step.after;
    return elr.length === 0
      ? `${none}, until one of them returns.`
      : `${none}, and nobody is in sync. Eligible to lead: ${enumerate(elr)}.`;
  },
};

/** What a new leader notes about its epoch, and what it drops for that. */
function cachePhrase(step: Step, name: string, epoch: string): string {
  const [before, after] = around(step, name);
  const noted = after.epochCache.some((entry) => entry.epoch === Number(epoch));
  const dropped = before.epochCache.filter((entry) => !after.epochCache.some((kept) => kept.epoch === entry.epoch));
  if (noted) {
    const drops = dropped.length === 0 ? '' : `, in place of ${enumerate(dropped.map((entry) => `e${entry.epoch}`))}`;
    return `It notes that e${epoch} begins at ${after.log.length}${drops}.`;
  }
  const cachesInUse = step.after.replicas.some((replica) => replica.epochCache.length > 0);
  return cachesInUse ? `It will note e${epoch} only with its first record.` : '';
}

/** A leader that writes in an epoch in which others have records already makes two records of one offset and epoch. */
function usedTwicePhrase(step: Step, name: string, epoch: number): string {
  const others = step.before.replicas.filter((replica) => replica.name !== name);
  const before = others.filter(({ log }) => log.some((record) => record.epoch === epoch));
  if (before.length === 0) return '';
  return `That epoch was used before: ${enumerate(before.map((replica) => replica.name))} ${agree(before, 'has', 'have')} records of it.`;
}

function waitingPhrase(step: Step, name: string): string {
  const [, { isr, remoteLeo, hw, log }] = around(step, name);
  const unknown = isr.filter((replica) => replica !== name && (remoteLeo.get(replica) ?? UNDEFINED) === UNDEFINED);
  if (unknown.length === 0 || hw >= log.length) return '';
  return `Its high watermark stays ${hw} until ${enumerate(unknown)} ${agree(unknown, 'has', 'have')} fetched from it.`;
}
