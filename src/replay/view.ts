import type { ClusterState } from '../replica/index.ts';
import type { Run } from './run.ts';

type PerReplica<T> = Readonly<Record<string, T>>;

/** What steers a run: a few fields of what the cluster in memory shows. */
export interface View {
  readonly log: PerReplica<readonly { readonly id: number; readonly epoch: number }[]>;
  readonly hw: PerReplica<number>;
  readonly role: PerReplica<string>;
  readonly leader: PerReplica<string>;
  readonly leaderEpoch: PerReplica<number>;
  readonly fetchState: PerReplica<string>;
  readonly isr: PerReplica<readonly string[]>;
  readonly pending: PerReplica<readonly number[]>;
  readonly controller: ClusterState['controller'];
  readonly network: ClusterState['network'];
}

export function viewOf(run: Run): View {
  return run.observe() as unknown as View;
}
