/** What a broker is made of, and the few questions that every request asks. */
import type { Config, ReplicaId } from '../replica/index.ts';
import { type AnyRequest, errors, type RequestOf, topicId } from '../wire/index.ts';
import { replicaIdOf } from './fetching.ts';
import type { Host, Timing } from './host.ts';
import type { Member } from './member.ts';
import { codeOf } from './translate.ts';

export interface BrokerOptions {
  readonly config: Config;
  readonly member: Member;
  readonly host: Host;
  readonly timing: Timing;
  readonly topic: string;
  /** It does nothing of its own accord: another decides when it asks, lets in, takes out, flushes. For replay. */
  readonly isDriven: boolean;
  /** The number of each replica's broker on the wire. */
  nodeIdOf(id: ReplicaId): number;
  /** What the records of a batch are called in the protocol's log. */
  identify(batch: Uint8Array): readonly number[];
}

export function isOurs({ topic }: BrokerOptions, name: string, index: number): boolean {
  return index === 0 && (name === topic || name === topicId(topic));
}

/** Why a client that believes in this leader epoch is not served; NONE if it is. */
export function errorFor(options: BrokerOptions, name: string, index: number, epoch: number): number {
  if (!isOurs(options, name, index)) return errors.UNKNOWN_TOPIC_OR_PARTITION;
  const { leaderEpoch, role } = options.member.replica.memory;
  if (epoch !== -1 && epoch < leaderEpoch) return errors.FENCED_LEADER_EPOCH;
  if (epoch > leaderEpoch) return errors.UNKNOWN_LEADER_EPOCH;
  return role === 'leader' ? errors.NONE : codeOf('NOT_LEADER');
}

/** Which of the other replicas asks this; null for a client. */
export function followerOf({ config, member, nodeIdOf }: BrokerOptions, request: AnyRequest): ReplicaId | null {
  if (request.api !== 'Fetch' && request.api !== 'OffsetForLeaderEpoch') return null;
  const { replicaId } = request.api === 'Fetch' ? askerOf(request.body) : request.body;
  const isSaid = request.api === 'Fetch' || request.version >= 3;
  const nodeId = isSaid ? replicaId : replicaIdOf(request.clientId);
  return config.replicas.find((id) => id !== member.id && nodeIdOf(id) === nodeId) ?? null;
}

/** Which replica fetches, or -1; and in which of its lives, which is on the wire since Fetch 15. */
export function askerOf({ replicaId, replicaState }: RequestOf<'Fetch'>): { replicaId: number; incarnation: number } {
  if (replicaState === null) return { replicaId, incarnation: 0 };
  return { replicaId: replicaState.replicaId, incarnation: Number(replicaState.replicaEpoch) };
}

/** How the protocol addresses a follower's question. */
export function addresses({ member }: BrokerOptions, follower: ReplicaId, leaderEpoch: number, incarnation: number) {
  return { follower, leader: member.id, incarnation, leaderEpoch };
}
