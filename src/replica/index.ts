/**
 * The replication protocol of one Kafka partition, as far as leader epochs reach: a cluster of replicas whose every step
 * is a call. State is plain data that can be copied, compared and set.
 */
export { type Action, type ActionName, type Arguments, actions } from './actions.ts';
export { Cluster, type Step, StepRefused } from './cluster.ts';
export { type Config, profileOfAll } from './config.ts';
export { copy } from './copy.ts';
export {
  type EpochCache,
  type EpochEndOffset,
  type EpochEntry,
  endOffsetFor,
  recoverEpochs,
} from './epoch-cache.ts';
export { equalStates } from './equal.ts';
export { hash } from './hash.ts';
export { key } from './key.ts';
export type { ReadResult } from './log.ts';
export type {
  FetchError,
  FetchRequest,
  FetchResponse,
  Message,
  OffsetsForLeaderEpochRequest,
  OffsetsForLeaderEpochResponse,
} from './messages.ts';
export { type Profile, type ProfileName, profiles } from './profiles.ts';
export {
  type ClusterState,
  type Disk,
  type IsrProposal,
  type LeaderAndIsr,
  type LogRecord,
  type Memory,
  NO_ONE,
  NO_PROPOSAL,
  type ReplicaId,
  type ReplicaState,
  type Role,
} from './state.ts';
export type { Acknowledgement, Acks, RefusedProduce, StepResult } from './world.ts';
