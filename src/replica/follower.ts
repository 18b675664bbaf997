/** A replica that follows: it hears of its leader, and cuts its log or makes ready to ask where to cut it. */
import { newsFor } from './controller.ts';
import { truncateTo } from './log.ts';
import { forgetUnderWay } from './network.ts';
import type { Profile } from './profiles.ts';
import { failPendingProduce } from './purgatory.ts';
import { type LeaderAndIsr, NO_ONE, NO_PROPOSAL, type ReplicaId, type ReplicaState } from './state.ts';
import { toHighWatermark } from './truncation.ts';
import { logEndOffset, profileOf, type Refusal, replicaOf, unknownOffsets, type World } from './world.ts';

export function whyNotBecomeFollower(world: World, id: ReplicaId, epoch: number): Refusal {
  const news = newsFor(world, id, epoch);
  if (typeof news === 'string') return news;
  if (news.leader === NO_ONE) return `epoch ${epoch} has no leader for ${id} to follow`;
  return news.leader === id ? `${id} is the leader of epoch ${epoch} itself` : null;
}

/**
 * A replica hears that another one leads. If that makes it a new follower, its fetcher starts anew, with truncation
 * first; else it goes on as it was.
 *
 * Source: Partition.makeFollower, ReplicaManager.makeFollowers.
 */
export function becomeFollower(world: World, id: ReplicaId, epoch: number): void {
  const { config } = world;
  const profile = profileOf(world, id);
  const replica = replicaOf(world, id);
  const { disk, memory } = replica;
  const news = newsFor(world, id, epoch) as LeaderAndIsr;
  const anew = startsAnew(profile, replica, news);

  failPendingProduce(world, id);
  memory.role = 'follower';
  memory.leaderEpoch = epoch;
  memory.leader = news.leader;
  memory.isr = [];
  memory.remoteLeo = unknownOffsets(config);
  memory.remoteHw = unknownOffsets(config);
  memory.isrProposal = NO_PROPOSAL;
  memory.epochStart = -1;
  if (!anew) return;

  forgetUnderWay(world, id);
  if (asks(profile, replica)) {
    memory.fetchState = 'truncating';
  } else {
    memory.fetchState = 'fetching';
    if (tellsByFetching(profile, replica)) return;
    const own = { epochCache: disk.epochCache, leo: logEndOffset(replica), hw: memory.hw };
    truncateTo(config, profile, replica, toHighWatermark(own));
  }
}

/** 2.0.0 compares leaders only, 2.0.1 asks for a gap in the epochs, 2.1.0 for any new epoch. */
function startsAnew({ truncateWhen }: Profile, { memory }: ReplicaState, news: LeaderAndIsr): boolean {
  if (memory.role !== 'follower' || memory.leader !== news.leader) return true;
  return truncateWhen === 'epochSkipped' ? news.epoch > memory.leaderEpoch + 1 : truncateWhen === 'epochChanged';
}

/** A follower asks its leader, unless its rule does without, or it has nothing to ask for. */
function asks({ truncation, asksWithoutEpoch }: Profile, { disk }: ReplicaState): boolean {
  if (truncation === 'highWatermark' || truncation === 'insideFetch') return false;
  return asksWithoutEpoch || disk.epochCache.length > 0;
}

/**
 * It will find out by fetching where to cut, if it has an epoch to tell the leader.
 *
 * Source: AbstractFetcherThread.partitionFetchState and truncateToHighWatermark, 2.8.0.
 */
function tellsByFetching({ truncation }: Profile, { disk }: ReplicaState): boolean {
  return truncation === 'insideFetch' && disk.epochCache.length > 0;
}
