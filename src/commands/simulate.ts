import type { Found } from '../cluster/index.ts';
import { showStep } from '../replay/index.ts';
import { AS_CLAIMED, type Io, NOT_AS_CLAIMED, printJson } from './io.ts';
import { checkProfile } from './profile.ts';
import { startProgress } from './progress.ts';
import { mark, plural } from './show.ts';

export interface SimulateCommand {
  readonly profile: string;
  readonly runs: number;
  readonly seed: number;
  readonly steps: number;
  readonly json?: boolean;
}

/** Runs at a time, so that progress is seen and Ctrl-C is heard. */
const TOGETHER = 10;

/** `leader-epoch simulate`: many runs of the simulated cluster; the shortest that broke a promise is shown. */
export async function simulateRuns(options: SimulateCommand, io: Io): Promise<number> {
  const { profile, runs, seed, steps } = options;
  checkProfile(profile);
  const { seek } = await import('../cluster/index.ts');
  const progress = await startProgress(options.json === true ? { ...io, isTerminal: false, out: () => {} } : io, '');
  let found: Found = { runs: 0, steps: 0, faults: 0, acknowledged: 0, findings: [] };
  try {
    while (found.runs < runs && !io.signal.aborted) {
      const next = { firstSeed: seed + found.runs, runs: Math.min(TOGETHER, runs - found.runs) };
      found = together(found, seek({ profile, replicas: ['A', 'B', 'C'], steps, ...next }));
      progress.update(`${found.runs} of ${runs} runs under ${profile}, ${found.findings.length} with a broken promise`);
      await new Promise((resolve) => setImmediate(resolve));
    }
  } finally {
    progress.stop();
  }
  const exitCode = found.findings.length === 0 ? AS_CLAIMED : NOT_AS_CLAIMED;
  if (options.json === true) printJson(io, 'simulate', exitCode, { profile, ...found });
  else for (const line of linesOf(profile, found, exitCode, io)) io.out(line);
  return exitCode;
}

function together(one: Found, other: Found): Found {
  return {
    runs: one.runs + other.runs,
    steps: one.steps + other.steps,
    faults: one.faults + other.faults,
    acknowledged: one.acknowledged + other.acknowledged,
    findings: [...one.findings, ...other.findings].sort((a, b) => a.steps.length - b.steps.length),
  };
}

function linesOf(profile: string, found: Found, exitCode: number, io: Io): string[] {
  const { acknowledged, faults, findings, runs, steps } = found;
  const what = `${plural(runs, 'run')} under ${profile}: ${plural(steps, 'step')}, ${plural(faults, 'fault')}, ${acknowledged} records acknowledged`;
  const [shortest] = findings;
  if (shortest === undefined) return [`${mark('good', io)} ${what}; every promise is kept`];
  return [
    `${mark(exitCode === AS_CLAIMED ? 'good' : 'bad', io)} ${what}; ${findings.length} broke a promise`,
    `The shortest, seed ${shortest.seed}: ${shortest.property}: ${shortest.what}, after`,
    ...shortest.steps.map((step, index) => `  ${String(index + 1).padStart(3)}  ${showStep(step)}`),
  ];
}
