/** What a run logs, as docs/conformance.md describes it: a line for the cluster, and one for each step, by who took it. */
import type { LeaderAndIsr, ReplicaId, ReplicaState, Step, StepResult } from '../replica/index.ts';
import type { SystemConfig } from '../systems/system.ts';

/** A step, by whom it was taken, and what that one saw afterwards of its own. */
export interface Logged {
  readonly by: ReplicaId | 'controller' | 'world';
  readonly step: Step;
  readonly result: StepResult | null;
  readonly replica: ReplicaState | null;
  readonly controller: LeaderAndIsr | null;
}

/** `hidden`: what may happen without being logged. */
export function headerLine(config: SystemConfig, hidden: readonly string[] = []): string {
  return JSON.stringify({ log: 'leader-epoch', version: 1, config, hidden });
}

/** Of a replica's log only where it ends: lines stay short, however long it grows. */
export function eventLine({ by, controller, replica, result, step }: Logged): string {
  const { action, args, id } = step;
  const told = result?.acknowledged.map((one) => one.id) ?? [];
  return JSON.stringify({
    ...{ by, action, args },
    ...(id === undefined ? {} : { id }),
    ...(told.length === 0 ? {} : { told }),
    ...(replica === null && controller === null ? {} : { state: seen(replica, controller) }),
  });
}

function seen(replica: ReplicaState | null, controller: LeaderAndIsr | null): Record<string, unknown> {
  if (replica === null) return { controller };
  const { disk, memory } = replica;
  const { hw, leaderEpoch, role } = memory;
  return { role, leaderEpoch, hw, logEndOffset: disk.log.length, epochCache: disk.epochCache };
}
