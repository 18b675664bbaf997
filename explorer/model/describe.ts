import { isAlive, isElected, NO_ONE, type Replica, recordText, type World } from '../../src/report/index.ts';

/** A state in words, for whoever does not see the drawing. */
export function describeWorld(world: World): string {
  const { epoch, leader, isr } = world.controller;
  const { elr } = world;
  const who = leader === NO_ONE ? 'no leader' : `leader ${leader}`;
  const network = world.network.length === 0 ? 'Nothing is under way.' : `${world.network.length} under way.`;
  return [
    `Controller: epoch ${epoch}, ${who}, in sync ${isr.join(', ')}${elr.length === 0 ? '' : `, eligible ${elr.join(', ')}`}.`,
    ...world.replicas.map((replica) => describeReplica(world, replica)),
    network,
  ].join(' ');
}

function describeReplica(world: World, replica: Replica): string {
  const { name, role, log, hw, checkpoint } = replica;
  const title = role === 'leader' && !isElected(world, replica) ? 'replaced leader' : role;
  const records = log.length === 0 ? 'empty log' : `log ${log.map(recordText).join(' ')}`;
  const mark = isAlive(replica) ? `high watermark ${hw}` : `high watermark on disk ${checkpoint}`;
  const { isr, answer } = replica.isrProposal;
  const asked =
    isr.length === 0 ? '' : `, has asked for ISR ${isr.join(', ')} (${answer === 'none' ? 'no answer yet' : answer})`;
  return `${name}: ${title}, ${records}, ${mark}${asked}.`;
}
