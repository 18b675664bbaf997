import type { WorldStep } from '../systems/system.ts';
import { isElectedLeader } from './observer.ts';
import { type Run, showStep } from './run.ts';
import { type View, viewOf } from './view.ts';

/** Far more than any trace needs. */
const MAX_STEPS = 1000;

/**
 * Lets the world be kind: who is down comes back, there is a leader, messages arrive, until all replicas are in sync.
 * Returns why it ended before that, or null. Each replica has its turn, so a state that comes again once more than there are
 * replicas is a circle (KAFKA-10706 is one).
 */
export function catchUp(run: Run, take: (step: WorldStep) => string | null): string | null {
  const seen = new Map<string, number>();
  const turns = new Map<string, number>();
  for (let taken = 0; taken < MAX_STEPS; taken++) {
    const view = viewOf(run);
    if (isCaughtUp(view)) return null;
    const state = run.cluster.key();
    const times = (seen.get(state) ?? 0) + 1;
    if (times > Object.keys(view.role).length) return 'the replicas ask and answer the same for ever';
    seen.set(state, times);
    const step = nextKindStep(run, view, turns);
    if (step === null) return 'no step leads further';
    turns.set(showStep(step), taken + 1);
    const reason = take(step);
    if (reason !== null) return reason;
  }
  return `the replicas are not in sync after ${MAX_STEPS} more steps`;
}

export function isCaughtUp(view: View): boolean {
  const ids = Object.keys(view.role);
  const leader = ids.find((id) => isElectedLeader(view, id));
  if (leader === undefined) return false;
  const end = view.log[leader]?.length ?? 0;
  return ids.every(
    (id) =>
      view.leaderEpoch[id] === view.controller.epoch &&
      view.log[id]?.length === end &&
      view.hw[id] === end &&
      view.isr[leader]?.includes(id) === true &&
      (id === leader || view.fetchState[id] === 'fetching'),
  );
}

/** In this order: who may join does (while its fetch is handled), what is under way arrives, then news, restarts, questions. */
const KIND_STEPS = [
  'HandleAlterPartitionResponse',
  'AlterPartition',
  'ExpandIsr',
  'HandleOffsetsForLeaderEpochResponse',
  'HandleFetchResponse',
  'BecomeLeader',
  'BecomeFollower',
  'HandleOffsetsForLeaderEpoch',
  'HandleFetch',
  'Restart',
  'SendOffsetsForLeaderEpoch',
  'SendFetch',
];

function nextKindStep(run: Run, view: View, turns: ReadonlyMap<string, number>): WorldStep | null {
  const enabled = run.cluster.enabled();
  const lastTurn = (step: WorldStep): number => turns.get(showStep(step)) ?? 0;
  for (const action of KIND_STEPS) {
    const [step] = enabled
      .filter((one) => one.action === action && isNewest(one, view))
      .sort((a, b) => lastTurn(a) - lastTurn(b));
    if (step !== undefined) return step;
  }
  const leads = Object.keys(view.role).some((id) => isElectedLeader(view, id));
  return leads ? null : (enabled.find(({ action }) => action === 'Elect' || action === 'PartitionOffline') ?? null);
}

/** Nobody needs to hear of an election that is no longer the newest. */
function isNewest({ action, args }: WorldStep, view: View): boolean {
  return !action.startsWith('Become') || args[1] === view.controller.epoch;
}
