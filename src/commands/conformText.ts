import type { Conformance, Coverage, Deviation } from '../conform/index.ts';
import { showStep } from '../replay/index.ts';
import { differences, table } from '../report/index.ts';
import { print } from '../tla/index.ts';
import { type Io, wantsColour } from './io.ts';
import { plural } from './show.ts';

/** How many of the deviations are told in full; the others are counted. */
const TOLD = 2;

export function deviationLines({ deviations, missing, extra, system }: Conformance, io: Io): string[] {
  const lines = deviations.slice(0, TOLD).flatMap((deviation) => oneDeviation(deviation, system, io));
  const more = missing + extra - Math.min(TOLD, deviations.length);
  return more > 0 ? [...lines, `… and ${plural(more, 'step')} more`] : lines;
}

function oneDeviation({ kind, path, action, step, nearest }: Deviation, system: string, io: Io): string[] {
  const way = path.map((one) => (one.args === null ? `${one.action}(?)` : showStep({ ...one, args: one.args })));
  const place = path.length === 0 ? 'In the initial state' : `After ${plural(path.length, 'step')} (${way.join(', ')})`;
  const named = step === null ? action : showStep(step);
  const what = {
    initial: `${system} begins in another state than the specification`,
    missing: `${place} the specification has a step ${action} that ${system} does not take`,
    extra: `${place} ${system} takes ${named}, which the specification does not have`,
  }[kind];
  if (nearest === null) return [`${what}: no ${action} is possible there on the other side.`];
  const shown = nearest.step ?? step ?? { action, args: [] };
  const options = { colour: wantsColour(io), width: io.columns, step: path.length + 1, system, ...shown };
  return [`${what}. The nearest:`, ...differences(nearest.differences, options).map((line) => `  ${line}`)];
}

export function coverageLines({ actions, outcomes, pairs }: Coverage): string[] {
  const rows = [...actions].sort().map(([action, steps]) => {
    const follow = [...pairs].filter(([pair]) => pair.startsWith(`${action}, `)).length;
    return [action, steps.toLocaleString('en'), String(outcomes.get(action)?.size ?? 0), String(follow)];
  });
  return ['', ...table(rows, { header: ['action', 'steps', 'outcomes', 'can be followed by'], width: 100 }), ''];
}

export function plainDeviation({ kind, path, action, step, after, nearest }: Deviation) {
  return {
    kind,
    path,
    action,
    step,
    after: Object.fromEntries([...after].map(([name, value]) => [name, print(value)])),
    nearest: nearest && {
      step: nearest.step,
      differences: nearest.differences.map(({ path: at, kind: how, before, after: then }) => ({
        path: at,
        kind: how,
        specification: before ? print(before) : null,
        system: then ? print(then) : null,
      })),
    },
  };
}
