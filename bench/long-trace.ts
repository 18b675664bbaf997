import { actionOf, configOf, Run } from '../src/replay/index.ts';
import type { WorldStep } from '../src/systems/system.ts';
import type { State, Trace } from '../src/trace/index.ts';

/** Writes, fetches, restarts and elections in turn, as they come. */
export function longTrace(like: Trace, steps: number): Trace {
  const constants = new Map(like.constants);
  const run = new Run(configOf({ vars: like.vars, constants }));
  const states: State[] = [run.state()];
  const actions: Trace['actions'][number][] = [null];
  for (let n = 0; actions.length <= steps; n++) {
    const enabled = run.cluster
      .enabled()
      .filter(({ action }) => !['PowerLoss', 'ElectUnclean', 'LoseMessage'].includes(action));
    const step = chosen(enabled, n);
    run.step(step);
    states.push(run.state());
    actions.push(actionOf(step));
  }
  return { ...like, states, actions, constants, meta: {} };
}

/** Mostly messages; now and then a record, seldom a fault. */
function chosen(enabled: readonly WorldStep[], n: number): WorldStep {
  const often = enabled.filter(({ action }) => /Fetch|Offsets|Become|Restart|ExpandIsr/.test(action));
  const pool =
    n % 60 === 59 || often.length === 0
      ? enabled
      : n % 40 === 39
        ? enabled.filter(({ action }) => action === 'Write')
        : often;
  const from = pool.length > 0 ? pool : enabled;
  return from[(n * 31) % from.length]!;
}
