/**
 * The one table of what can happen: action name -> why it cannot now, what it does, and which arguments are worth a try.
 * The names and the order of arguments are the specification's.
 */
import type { Config } from './config.ts';
import {
  elect,
  electUnclean,
  partitionOffline,
  whyNotElect,
  whyNotElectUnclean,
  whyNotPartitionOffline,
} from './controller.ts';
import {
  handleFetchResponse,
  handleOffsetsForLeaderEpochResponse,
  sendFetch,
  sendOffsetsForLeaderEpoch,
  whyNotHandleFetchResponse,
  whyNotHandleOffsetsForLeaderEpochResponse,
  whyNotSendFetch,
  whyNotSendOffsetsForLeaderEpoch,
} from './fetcher.ts';
import { becomeFollower, whyNotBecomeFollower } from './follower.ts';
import {
  alterPartition,
  expandIsr,
  handleAlterPartitionResponse,
  shrinkIsr,
  whyNotAlterPartition,
  whyNotExpandIsr,
  whyNotHandleAlterPartitionResponse,
  whyNotShrinkIsr,
} from './isr.ts';
import { becomeLeader, whyNotBecomeLeader, whyNotWrite, write } from './leader.ts';
import {
  checkpointHighWatermark,
  crash,
  flush,
  flushEpochFile,
  powerLoss,
  restart,
  whyNotCheckpointHighWatermark,
  whyNotCrash,
  whyNotFlush,
  whyNotFlushEpochFile,
  whyNotPowerLoss,
  whyNotRestart,
} from './machine.ts';
import { loseMessage, whyNotLoseMessage } from './network.ts';
import {
  handleFetch,
  handleOffsetsForLeaderEpoch,
  whyNotHandleFetch,
  whyNotHandleOffsetsForLeaderEpoch,
} from './requests.ts';
import { NO_ONE, type ReplicaId } from './state.ts';
import { logEndOffset, type Refusal, replicaOf, type World } from './world.ts';

export type Arguments = readonly (string | number)[];

export interface Action {
  /** What each argument is. */
  readonly takes: readonly ('replica' | 'acks' | 'number')[];
  /** Why it cannot be taken now, or null. */
  whyNot(world: World, ...args: Arguments): Refusal;
  /** Takes it; only after `whyNot` has said null. A Write's record id follows its arguments. */
  take(world: World, ...args: Arguments): void;
  /** At least all arguments with which it may be possible now. */
  offers(world: World): readonly Arguments[];
}

const eachReplica = listed((replicas) => replicas.map((id) => [id]));
const eachPair = listed((replicas) => replicas.flatMap((id) => replicas.map((other) => [id, other])));
const eachReplicaAndAcks = listed((replicas) => replicas.flatMap((id) => ['1', 'all'].map((acks) => [id, acks])));

const ofReplica = { takes: ['replica'], offers: eachReplica } as const;
const ofPair = { takes: ['replica', 'replica'], offers: eachPair } as const;
const ofRequest = { takes: ['replica', 'replica'], offers: eachMessage } as const;
const ofNews = { takes: ['replica', 'number'], offers: eachReplicaAndNews } as const;

export const actions = {
  Write: { takes: ['replica', 'acks'], offers: eachReplicaAndAcks, whyNot: whyNotWrite, take: write },
  BecomeLeader: { ...ofNews, whyNot: whyNotBecomeLeader, take: becomeLeader },
  BecomeFollower: { ...ofNews, whyNot: whyNotBecomeFollower, take: becomeFollower },
  SendFetch: { ...ofReplica, whyNot: whyNotSendFetch, take: sendFetch },
  HandleFetch: { ...ofRequest, whyNot: whyNotHandleFetch, take: handleFetch },
  HandleFetchResponse: { ...ofReplica, whyNot: whyNotHandleFetchResponse, take: handleFetchResponse },
  SendOffsetsForLeaderEpoch: {
    ...ofReplica,
    whyNot: whyNotSendOffsetsForLeaderEpoch,
    take: sendOffsetsForLeaderEpoch,
  },
  HandleOffsetsForLeaderEpoch: {
    ...ofRequest,
    whyNot: whyNotHandleOffsetsForLeaderEpoch,
    take: handleOffsetsForLeaderEpoch,
  },
  HandleOffsetsForLeaderEpochResponse: {
    ...ofReplica,
    whyNot: whyNotHandleOffsetsForLeaderEpochResponse,
    take: handleOffsetsForLeaderEpochResponse,
  },
  ShrinkIsr: { ...ofPair, whyNot: whyNotShrinkIsr, take: shrinkIsr },
  ExpandIsr: { ...ofPair, whyNot: whyNotExpandIsr, take: expandIsr },
  AlterPartition: { ...ofReplica, whyNot: whyNotAlterPartition, take: alterPartition },
  HandleAlterPartitionResponse: {
    ...ofReplica,
    whyNot: whyNotHandleAlterPartitionResponse,
    take: handleAlterPartitionResponse,
  },
  Elect: { ...ofReplica, whyNot: whyNotElect, take: elect },
  ElectUnclean: { ...ofReplica, whyNot: whyNotElectUnclean, take: electUnclean },
  PartitionOffline: { takes: [], offers: once, whyNot: whyNotPartitionOffline, take: partitionOffline },
  CheckpointHighWatermark: { ...ofReplica, whyNot: whyNotCheckpointHighWatermark, take: checkpointHighWatermark },
  FlushEpochFile: { ...ofReplica, whyNot: whyNotFlushEpochFile, take: flushEpochFile },
  Flush: { ...ofReplica, whyNot: whyNotFlush, take: flush },
  Crash: { ...ofReplica, whyNot: whyNotCrash, take: crash },
  PowerLoss: { takes: ['replica', 'number'], offers: eachUnflushed, whyNot: whyNotPowerLoss, take: powerLoss },
  Restart: { ...ofReplica, whyNot: whyNotRestart, take: restart },
  LoseMessage: { ...ofReplica, whyNot: whyNotLoseMessage, take: loseMessage },
} as const satisfies Record<string, Action>;

export type ActionName = keyof typeof actions;

function once(): readonly Arguments[] {
  return [[]];
}

function eachMessage({ state }: World): readonly Arguments[] {
  return state.network.map(({ leader, follower }) => [leader, follower]);
}

function eachReplicaAndNews({ config, state }: World): readonly Arguments[] {
  const news = [...state.oldNews, state.controller].filter(({ leader }) => leader !== NO_ONE);
  return config.replicas.flatMap((id) => news.map(({ epoch }) => [id, epoch]));
}

function eachUnflushed(world: World): readonly Arguments[] {
  return world.config.replicas.flatMap((id) => {
    const replica = replicaOf(world, id);
    const { flushed } = replica.disk;
    return Array.from({ length: logEndOffset(replica) - flushed + 1 }, (_, i) => [id, flushed + i]);
  });
}

/** What depends on the configuration alone is listed once. */
function listed(make: (replicas: readonly ReplicaId[]) => readonly Arguments[]): Action['offers'] {
  const known = new WeakMap<Config, readonly Arguments[]>();
  return ({ config }) => {
    let list = known.get(config);
    if (list === undefined) {
      list = make(config.replicas);
      known.set(config, list);
    }
    return list;
  };
}
