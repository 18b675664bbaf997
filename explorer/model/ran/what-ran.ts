import { stepOf } from '../../../src/replay/index.ts';
import { type Action, actions } from '../../../src/replica/index.ts';
import { clusterStateOf, configForCluster } from '../cluster.ts';
import type { Opened } from '../opened.ts';
import { type RanPart, recordParts } from './registry.ts';

const TABLE: Readonly<Record<string, Action>> = actions;

/** The parts of the implementation that take the step to the state `index`; none where it cannot be taken there. */
export function whatRan(opened: Opened, index: number): readonly RanPart[] {
  const action = index > 0 ? opened.action(index) : null;
  const step = action === null ? null : stepOf(action);
  const entry = step === null ? undefined : TABLE[step.action];
  if (opened.config === null || step === null || entry === undefined) return [];
  const config = configForCluster(opened.config);
  const state = clusterStateOf(config, opened.state(index - 1));
  const world = { config, state, result: { acknowledged: [], refused: [] } };
  if (step.args.length !== entry.takes.length || entry.whyNot(world, ...step.args) !== null) return [];
  const id = step.action === 'Write' ? [opened.written(index)] : [];
  return recordParts(() => entry.take(world, ...step.args, ...id));
}
