/**
 * The properties of spec/Liveness.tla, judged on a lasso: a behaviour that goes round for ever. It breaks one if something
 * begins that never ends, and if that is fair: no step that a running Kafka takes sooner or later is possible all the way
 * round, and never taken.
 */
import { MemoryCluster } from '../systems/memory.ts';
import type { SystemConfig, WorldStep } from '../systems/system.ts';
import type { Trace } from '../trace/index.ts';
import { toObservation } from './mapping.ts';
import { isElectedLeader } from './observer.ts';
import { showStep, stepOf } from './run.ts';
import type { View } from './view.ts';

/** What must not last: by property, for whom it is so in a state. */
const NOT_FOR_EVER: Readonly<Record<string, { lasts(view: View): string[]; readonly says: string }>> = {
  TruncationEndsProp: {
    lasts: (view) => following(view).filter((id) => view.fetchState[id] === 'truncating'),
    says: 'asks for ever where to cut its log',
  },
  CatchesUpProp: {
    lasts: (view) => following(view).filter((id) => ids(view, id).join() !== ids(view, view.leader[id] ?? '').join()),
    says: 'never comes to have the log of its leader',
  },
  JoinsIsrProp: {
    lasts: (view) => following(view).filter((id) => !view.isr[view.leader[id] ?? '']?.includes(id)),
    says: 'never joins the ISR',
  },
  ProducersAreAnsweredProp: {
    lasts: (view) => leading(view).flatMap((id) => (view.pending[id] ?? []).map((offset) => `${id}, offset ${offset}`)),
    says: 'is never answered to its producer',
  },
};

export const LIVENESS: ReadonlySet<string> = new Set(Object.keys(NOT_FOR_EVER));

/** A sentence that says what never ends, or null if the lasso is none of that, or not fair. */
export function judgeLasso(property: string, trace: Trace, config: SystemConfig): string | null {
  const rule = NOT_FOR_EVER[property];
  if (rule === undefined || trace.loop === undefined) return null;
  const around = trace.states.slice(trace.loop).map((state) => toObservation(state));
  const [first = [], ...others] = around.map((observation) => rule.lasts(observation as unknown as View));
  const who = first.find((one) => others.every((here) => here.includes(one)));
  return who === undefined || unfairStep(trace, config) !== null ? null : `${who} ${rule.says}`;
}

/** A step that must be taken sooner or later, and is not: possible in every state of the loop. Null: there is none. */
export function unfairStep(trace: Trace, config: SystemConfig): string | null {
  const { loop = 0, states } = trace;
  const cluster = new MemoryCluster(config);
  const possible: string[][] = [];
  for (let index = 1; index < states.length; index++) {
    if (index > loop) possible.push(fairSteps(cluster));
    const action = trace.actions[index];
    const step = action ? stepOf(action) : null;
    if (step !== null) cluster.step(withId(step, index, trace));
  }
  possible.push(fairSteps(cluster));
  const closing = trace.loopAction && loop < states.length - 1 ? [trace.loopAction] : [];
  const taken = [...trace.actions.slice(loop + 1), ...closing].flatMap((action) =>
    action ? (stepOf(action) ?? []) : [],
  );
  const never = (possible[0] ?? []).filter((step) => possible.every((steps) => steps.includes(step)));
  return never.find((step) => !taken.some((one) => showStep(one) === step)) ?? null;
}

/** The fairness of LivelySpec: what runs in loops, news of elections, and who looks for the dead. */
const FAIR = new Set([
  'SendFetch',
  'SendOffsetsForLeaderEpoch',
  'HandleFetch',
  'HandleOffsetsForLeaderEpoch',
  'HandleFetchResponse',
  'HandleOffsetsForLeaderEpochResponse',
  'BecomeLeader',
  'BecomeFollower',
  'AlterPartition',
  'HandleAlterPartitionResponse',
]);

function fairSteps(cluster: MemoryCluster): string[] {
  const { role } = cluster.observe() as unknown as View;
  const isFair = ({ action, args }: WorldStep): boolean =>
    FAIR.has(action) || (action === 'ShrinkIsr' && ['down', 'halted'].includes(role[String(args[1])] ?? ''));
  return cluster.enabled().filter(isFair).map(showStep);
}

function withId(step: WorldStep, index: number, trace: Trace): WorldStep {
  const written = trace.states[index]?.get('written');
  return step.action === 'Write' && written?.kind === 'int' ? { ...step, id: Number(written.value) } : step;
}

/** Those whose leader is the elected one, as both know. */
function following(view: View): string[] {
  return Object.keys(view.role).filter((id) => {
    const isNewest = view.role[id] === 'follower' && view.leaderEpoch[id] === view.controller.epoch;
    return isNewest && leading(view).includes(view.leader[id] ?? '');
  });
}

function leading(view: View): string[] {
  return Object.keys(view.role).filter((id) => isElectedLeader(view, id));
}

function ids(view: View, id: string): number[] {
  return (view.log[id] ?? []).map((record) => record.id);
}
