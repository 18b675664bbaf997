import type { Profile } from './profiles.ts';
import { NO_ONE, type ReplicaId } from './state.ts';

export interface Config {
  /** The replicas of the partition. */
  readonly replicas: readonly ReplicaId[];
  /** The one that leads at first. */
  readonly firstLeader: ReplicaId;
  readonly profileOf: Readonly<Record<ReplicaId, Profile>>;
  /** min.insync.replicas: below it a write with acks=all is refused. */
  readonly minIsr: number;
  /** The high watermark reaches the disk in a step of its own; else with every change. */
  readonly lazyCheckpoint: boolean;
  /** The controller may miss that a leader died and came back (KAFKA-1120). */
  readonly resumeSameEpoch: boolean;
  /** A replica may still hear of an election after a newer one was held; else only of the newest. */
  readonly oldNews: boolean;
  /** The controller keeps eligible leader replicas (KIP-966); if not said, it does not. */
  readonly eligibleLeaders?: boolean;
}

/** The same profile for every replica. */
export function profileOfAll(profile: Profile, replicas: readonly ReplicaId[]): Record<ReplicaId, Profile> {
  return Object.fromEntries(replicas.map((id) => [id, profile]));
}

/** The configuration with its replicas in ascending order; a RangeError if it makes no sense. */
export function checkConfig(config: Config): Config {
  const replicas = [...new Set(config.replicas)].sort();
  if (replicas.includes(NO_ONE)) throw new RangeError(`No replica can be called "${NO_ONE}"`);
  if (!replicas.includes(config.firstLeader)) throw new RangeError(`${config.firstLeader} is no replica`);
  const unruled = replicas.find((id) => !config.profileOf[id]);
  if (unruled !== undefined) throw new RangeError(`${unruled} has no profile`);
  return { ...config, replicas };
}
