import { judge, Recorder, Run, stepOf } from '../replay/index.ts';
import type { SystemConfig, WorldStep } from '../systems/system.ts';
import type { Trace } from '../trace/index.ts';

/** A run that breaks a property, made as short as leaving steps out can make it. */
export interface Shrunk {
  readonly steps: readonly WorldStep[];
  readonly trace: Trace;
  /** What the last state breaks, in a sentence. */
  readonly broken: string;
  /** How many runs it took. */
  readonly runs: number;
}

/**
 * Leaves out steps as long as the rest still breaks the same property: halves first, then smaller pieces, at last each step by
 * itself (delta debugging). What is left is locally minimal: without any one of its steps it does not break it. A step that
 * cannot be taken once others are gone is left out with them, or has the number of another epoch. Null: the run does not break the property.
 */
export function shrink(
  steps: readonly WorldStep[],
  config: SystemConfig,
  property: string,
  origin: Pick<Trace, 'constants' | 'meta'>,
): Shrunk | null {
  let runs = 0;
  const attempt = (candidate: readonly WorldStep[]): WorldStep[] | null => {
    runs++;
    return brokenBy(candidate, config, property);
  };
  let best = attempt(steps);
  if (best === null) return null;
  for (let pieces = 2; best.length > 0; ) {
    const size = Math.ceil(best.length / pieces);
    const shorter = firstShorter(best, size, attempt);
    if (shorter !== null) {
      best = shorter;
      pieces = Math.max(2, pieces - 1);
    } else if (size === 1) break;
    else pieces = Math.min(best.length, pieces * 2);
  }
  return { ...recorded(best, config, property, origin), steps: best, runs };
}

/** The steps without one piece of this size. */
function firstShorter(
  steps: readonly WorldStep[],
  size: number,
  attempt: (candidate: readonly WorldStep[]) => WorldStep[] | null,
): WorldStep[] | null {
  for (let start = 0; start < steps.length; start += size) {
    const found = attempt([...steps.slice(0, start), ...steps.slice(start + size)]);
    if (found !== null) return found;
  }
  return null;
}

/** The steps that could be taken, up to the first state that breaks the property; null if none does. */
function brokenBy(steps: readonly WorldStep[], config: SystemConfig, property: string): WorldStep[] | null {
  const run = new Run(config);
  const taken: WorldStep[] = [];
  for (const step of steps) {
    const possible = run.step(step).kind === 'taken' ? step : takeRenumbered(run, step);
    if (possible === null) continue;
    taken.push(possible);
    if (judge(property, run.observe(), run.ghosts) !== null) return taken;
  }
  return null;
}

/** With an election gone, later ones have lower epochs: the same step of the same replica, where there is just one. */
function takeRenumbered(run: Run, { action, args }: WorldStep): WorldStep | null {
  if (typeof args.at(-1) !== 'number') return null;
  const [step, ...more] = run.cluster.enabled().filter((one) => one.action === action && one.args[0] === args[0]);
  if (step === undefined || more.length > 0) return null;
  run.step(step);
  return step;
}

function recorded(
  steps: readonly WorldStep[],
  config: SystemConfig,
  property: string,
  { constants, meta }: Pick<Trace, 'constants' | 'meta'>,
): { trace: Trace; broken: string } {
  const run = new Run(config);
  const recorder = new Recorder(run.state());
  for (const step of steps) {
    run.step(step);
    recorder.add(step, run.state());
  }
  const trace = recorder.trace(constants ?? new Map(), { ...meta, property, shrunk: true });
  return { trace, broken: judge(property, run.observe(), run.ghosts) ?? '' };
}

/** The steps of a trace whose arguments are known. */
export function stepsOfTrace({ actions }: Trace): WorldStep[] {
  return actions.flatMap((action) => (action === null ? [] : (stepOf(action) ?? [])));
}
