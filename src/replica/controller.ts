/**
 * The controller: it elects a leader, numbers its reign, and keeps the ISR.
 *
 * Source: PartitionStateMachine.electLeaderForPartition, ReplicaStateMachine (OfflineReplica).
 */
import { type LeaderAndIsr, NO_ONE, type ReplicaId } from './state.ts';
import { isAlive, type Refusal, replicaOf, type World } from './world.ts';

export function whyNotElect(world: World, id: ReplicaId): Refusal {
  const { controller } = world.state;
  if (!isAlive(replicaOf(world, id))) return `${id} is ${replicaOf(world, id).memory.role}`;
  if (isEligible(world, id)) return null;
  if (!controller.isr.includes(id)) return `${id} is not in the ISR {${controller.isr.join(', ')}}`;
  if (id === controller.leader && liveIsr(world).length === controller.isr.length) {
    return `${id} leads already, and no member of the ISR is dead`;
  }
  return null;
}

/**
 * A live member of the ISR is elected, the dead ones drop out. The old leader may well be alive: leadership moves to a
 * preferred replica, or away from a broker that is to stop. It is elected again when a dead follower leaves the ISR. If no
 * member lives, an eligible leader replica will do as well (KIP-966).
 */
export function elect(world: World, id: ReplicaId): void {
  decide(world, id, isEligible(world, id) ? [id] : liveIsr(world));
}

/** Whether it can be elected although it is not in sync: no live replica is. */
function isEligible(world: World, id: ReplicaId): boolean {
  return world.state.elr.includes(id) && liveIsr(world).length === 0;
}

export function whyNotElectUnclean(world: World, id: ReplicaId): Refusal {
  if (!isAlive(replicaOf(world, id))) return `${id} is ${replicaOf(world, id).memory.role}`;
  if (world.state.elr.includes(id)) return `${id} can be elected cleanly: it is an eligible leader replica`;
  return whyNotOffline(world);
}

/** With no member of the ISR alive any replica will do (unclean.leader.election.enable). */
export function electUnclean(world: World, id: ReplicaId): void {
  decide(world, id, [id]);
}

export function whyNotPartitionOffline(world: World): Refusal {
  return world.state.controller.leader === NO_ONE ? 'the partition is offline already' : whyNotOffline(world);
}

/**
 * The partition has no leader, in an epoch of its own, until a member of the ISR returns; or an eligible leader replica, of
 * which the last member is one now.
 */
export function partitionOffline(world: World): void {
  decide(world, NO_ONE, world.config.eligibleLeaders === true ? [] : world.state.controller.isr);
}

/** Why the ISR of a leader in this epoch is not taken over: the controller's copy is compared and set. */
export function whyNotAlterIsr(world: World, leader: ReplicaId, leaderEpoch: number): Refusal {
  const { epoch } = world.state.controller;
  return leaderEpoch === epoch ? null : `${leader} leads in epoch ${leaderEpoch}, but the controller is at ${epoch}`;
}

export function alterIsr(world: World, isr: readonly ReplicaId[]): void {
  const { state } = world;
  state.elr = elrAfter(world, isr);
  state.controller = { epoch: state.controller.epoch, leader: state.controller.leader, isr };
}

/**
 * Who leaves an ISR that is too small then stays eligible to lead.
 *
 * Source: PartitionChangeBuilder.maybePopulateTargetElr, 4.0.
 */
function elrAfter({ config, state }: World, isr: readonly ReplicaId[]): readonly ReplicaId[] {
  if (config.eligibleLeaders !== true || isr.length >= config.minIsr) return [];
  return [...new Set([...state.elr, ...state.controller.isr])].filter((id) => !isr.includes(id)).sort();
}

/**
 * What a replica can hear of the election of `epoch`, or why it hears nothing. It may hear late, and of an election that
 * is no longer the newest; one that has just started is told the newest.
 */
export function newsFor(world: World, id: ReplicaId, epoch: number): LeaderAndIsr | string {
  const { controller, oldNews } = world.state;
  const replica = replicaOf(world, id);
  if (!isAlive(replica)) return `${id} is ${replica.memory.role}`;
  const news = controller.epoch === epoch ? controller : oldNews.find((old) => old.epoch === epoch);
  if (!news) return `there is no news of epoch ${epoch} for ${id} to hear`;
  if (epoch <= replica.memory.leaderEpoch) return `${id} has heard of epoch ${replica.memory.leaderEpoch} already`;
  if (replica.memory.role === 'starting' && news !== controller) return `${id} has just started and is told the newest`;
  return news;
}

function liveIsr(world: World): readonly ReplicaId[] {
  return world.state.controller.isr.filter((id) => isAlive(replicaOf(world, id)));
}

function whyNotOffline(world: World): Refusal {
  const live = liveIsr(world);
  return live.length === 0 ? null : `${live.join(' and ')} of the ISR can be elected`;
}

function decide(world: World, leader: ReplicaId, isr: readonly ReplicaId[]): void {
  const { config, state } = world;
  state.elr = elrAfter(world, isr);
  state.oldNews = config.oldNews ? [...state.oldNews, state.controller] : [];
  state.controller = { epoch: state.controller.epoch + 1, leader, isr };
}
