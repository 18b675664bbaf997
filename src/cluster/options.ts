/** What a broker is made of, and the few questions that every request asks. */
import type { Config, ReplicaId } from '../replica/index.ts';
import { type AnyRequest, errors } from '../wire/index.ts';
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
  return name === topic && index === 0;
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
  const { replicaId } = request.body;
  const nodeId = replicaId >= 0 ? replicaId : replicaIdOf(request.clientId);
  return config.replicas.find((id) => id !== member.id && nodeIdOf(id) === nodeId) ?? null;
}

/** How the protocol addresses a follower's question; which life of the follower asks is not on the wire. */
export function addresses({ member }: BrokerOptions, follower: ReplicaId, leaderEpoch: number) {
  return { follower, leader: member.id, incarnation: 0, leaderEpoch };
}
