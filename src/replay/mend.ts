import { switchesOf } from '../systems/memory.ts';
import type { WorldStep } from '../systems/system.ts';
import { entriesOf, str } from '../tla/index.ts';
import type { State, Trace } from '../trace/index.ts';
import { catchUp, isCaughtUp } from './catchUp.ts';
import { configOf } from './config.ts';
import { judge } from './judge.ts';
import { isElectedLeader } from './observer.ts';
import { Recorder, Run, stepOf } from './run.ts';
import { viewOf } from './view.ts';

/**
 * The schedule of a counterexample under another profile: the same faults, writes and elections, in the same order. The
 * rule decides which messages there are, so round trips may have to be put in, and steps of the old rule's may be left out;
 * both are told. The run ends caught up, and what was acknowledged is read back.
 */
export type MendResult =
  | (Mended & { readonly kind: 'caughtUp'; readonly leader: string; readonly readBack: readonly number[] })
  /** The world could not do the same: with this rule, the step is impossible. */
  | (Mended & { readonly kind: 'refused'; readonly index: number; readonly step: WorldStep; readonly reason: string })
  /** The replicas never come to the same log. */
  | (Mended & { readonly kind: 'stuck'; readonly reason: string });

interface Mended {
  readonly profile: string;
  readonly trace: Trace;
  /** One for each step of the trace: where it comes from. */
  readonly origins: readonly Origin[];
  readonly leftOut: readonly LeftOut[];
  /** Ids of the records that a producer with acks=all was told are stored. */
  readonly acked: readonly number[];
  /** Ids of the records that a loss of power took from a log. No rule of truncation can promise those. */
  readonly takenByPower: readonly number[];
  /** What breaks the trace's property all the same, and in which state of the new trace; null: it is kept throughout. */
  readonly broken: { readonly index: number; readonly what: string } | null;
}

export type Origin = 'schedule' | 'putIn' | 'catchingUp';

export interface LeftOut {
  /** In the given trace. */
  readonly index: number;
  readonly step: WorldStep;
  readonly reason: string;
}

/** Steps of fetchers and leaders and of those who answer them: which of them there are is the rule's own business. */
const MESSAGE_STEPS = new Set([
  'SendFetch',
  'HandleFetch',
  'HandleFetchResponse',
  'SendOffsetsForLeaderEpoch',
  'HandleOffsetsForLeaderEpoch',
  'HandleOffsetsForLeaderEpochResponse',
  'LoseMessage',
  'AlterPartition',
  'HandleAlterPartitionResponse',
]);
/** They write to disk what is in memory; where there is nothing new to write, nothing is lost by leaving them out. */
const DISK_STEPS = new Set(['CheckpointHighWatermark', 'Flush', 'FlushEpochFile']);

/**
 * Where truncation is inside Fetch, no follower is ever past its truncation; what it is sent to append must agree instead.
 */
function propertyUnder(profile: string, property: string): string {
  return property === 'FollowerAgrees' && switchesOf(profile).truncation === 'insideFetch' ? 'AppendAgrees' : property;
}

/** All replicas follow it: where some had been upgraded, they are all. */
function constantsUnder(profile: string, { constants }: Trace): State {
  const kept = [...(constants ?? [])].filter(([name]) => name !== 'Upgraded' && name !== 'UpgradedProfile');
  return new Map(kept.map(([name, value]) => [name, name === 'Profile' ? str(profile) : value]));
}

/** The followers that have finished their truncation in this state of the trace. */
function fetchersIn(trace: Trace, index: number): string[] {
  const fetchState = trace.states[index]?.get('fetchState');
  return ((fetchState && entriesOf(fetchState)) ?? []).flatMap(([id, state]) =>
    id.kind === 'string' && state.kind === 'string' && state.value === 'fetching' ? [id.value] : [],
  );
}

/** More rounds than any epoch cache here has entries. */
const MAX_ROUNDS = 20;

/**
 * `trace`: with the arguments of its steps (see inferArguments).
 * @throws ReplayProblem if the trace is not of this protocol
 */
export function mend(trace: Trace, profile: string): MendResult {
  const run = new Run(configOf(trace, profile), trace.vars);
  const recorder = new Recorder(run.state());
  const origins: Origin[] = [];
  const leftOut: LeftOut[] = [];
  const property = propertyUnder(profile, String(trace.meta.property ?? ''));
  const takenByPower = new Set<number>();
  let broken: Mended['broken'] = null;

  /** Takes the step if it is possible; else says why not. */
  function take(step: WorldStep, origin: Origin): string | null {
    const log = viewOf(run).log[String(step.args[0])] ?? [];
    const outcome = run.step(step);
    if (outcome.kind === 'refused') return outcome.reason;
    if (step.action === 'PowerLoss') for (const { id } of log.slice(Number(step.args[1]))) takenByPower.add(id);
    recorder.add(step, run.state());
    origins.push(origin);
    const what = judge(property, run.observe(), run.ghosts);
    if (what !== null) broken ??= { index: origins.length, what };
    return null;
  }

  const result = <T>(rest: T) => ({
    profile,
    trace: recorder.trace(constantsUnder(profile, trace), {
      ...trace.meta,
      profile,
      property,
      mended: trace.meta.claim,
    }),
    origins,
    leftOut,
    takenByPower: [...takenByPower],
    broken,
    acked: run.ghosts.acked.filter(({ acks }) => acks === 'all').map(({ id }) => id),
    ...rest,
  });

  for (let index = 1; index < trace.states.length; index++) {
    const action = trace.actions[index];
    const step = action ? stepOf(action) : null;
    if (step === null) continue;
    if (step.action === 'SendFetch') finishTruncation(String(step.args[0]));
    const reason = take(step, 'schedule');
    const before = fetchersIn(trace, index - 1);
    for (const follower of fetchersIn(trace, index)) if (!before.includes(follower)) finishTruncation(follower);
    if (reason === null) continue;
    if (!MESSAGE_STEPS.has(step.action) && !DISK_STEPS.has(step.action)) {
      return result({ kind: 'refused' as const, index, step, reason });
    }
    leftOut.push({ index, step, reason });
  }

  const stuck = catchUp(run, (step) => take(step, 'catchingUp'));
  if (stuck !== null || !isCaughtUp(viewOf(run))) {
    return result({ kind: 'stuck' as const, reason: stuck ?? 'the replicas do not come to the same log' });
  }
  const view = viewOf(run);
  const leader = Object.keys(view.role).find((id) => isElectedLeader(view, id)) ?? '';
  return result({ kind: 'caughtUp' as const, leader, readBack: run.cluster.read(leader, 0) ?? [] });

  /** Where the old rule has cut the log by now, this one asks first: the round trips that the schedule does not have. */
  function finishTruncation(follower: string): void {
    const leader = viewOf(run).leader[follower] ?? '';
    for (let round = 0; round < MAX_ROUNDS && viewOf(run).fetchState[follower] === 'truncating'; round++) {
      const before = run.cluster.save();
      const taken = [
        take({ action: 'SendOffsetsForLeaderEpoch', args: [follower] }, 'putIn'),
        take({ action: 'HandleOffsetsForLeaderEpoch', args: [leader, follower] }, 'putIn'),
        take({ action: 'HandleOffsetsForLeaderEpochResponse', args: [follower] }, 'putIn'),
      ];
      // A refused question changes nothing, nor would the next one.
      if (taken.some((reason) => reason !== null) || run.cluster.isIn(before)) return;
    }
  }
}
