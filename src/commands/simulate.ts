import type { Finding, Found } from '../cluster/index.ts';
import { showStep } from '../replay/index.ts';
import type { WorldStep } from '../systems/system.ts';
import { AS_CLAIMED, COULD_NOT_TELL, type Io, NOT_AS_CLAIMED, printJson } from './io.ts';
import { save } from './output.ts';
import { checkProfileOfBrokers } from './profile.ts';
import { startProgress } from './progress.ts';
import { mark, plural } from './show.ts';

export interface SimulateCommand {
  readonly profile: string;
  readonly runs: number;
  readonly seed: number;
  readonly steps: number;
  /** A file for what the first run logs. */
  readonly log?: string;
  readonly json?: boolean;
}

const REPLICAS = ['A', 'B', 'C'];

/** A finding, and the steps of it that are enough to break the same property; null where it cannot be shortened. */
type Shown = Finding & { readonly shrunk: { readonly steps: readonly WorldStep[]; readonly broken: string } | null };

/** Runs at a time, so that progress is seen. */
const TOGETHER = 10;

/** `leader-epoch simulate`: many runs of the simulated cluster; of each promise that broke the shortest run is shown, made shorter. */
export async function simulateRuns(options: SimulateCommand, io: Io): Promise<number> {
  const { profile, runs, seed, steps } = options;
  await checkProfileOfBrokers(profile);
  if (options.log !== undefined) await writeLog(options.log, options);
  const { seeking } = await import('../cluster/index.ts');
  const progress = await startProgress(options.json === true ? { ...io, isTerminal: false, out: () => {} } : io, '');
  let found: Found = { runs: 0, steps: 0, faults: 0, acknowledged: 0, read: 0, findings: [] };
  try {
    while (found.runs < runs) {
      const next = { firstSeed: seed + found.runs, runs: Math.min(TOGETHER, runs - found.runs) };
      const piece = await unlessStopped(seeking({ profile, replicas: REPLICAS, steps, ...next }), io.signal);
      if (piece === null) break;
      found = together(found, piece);
      progress.update(`${found.runs} of ${runs} runs under ${profile}, ${found.findings.length} with a broken promise`);
    }
  } finally {
    progress.stop();
  }
  const shortest = [...new Map([...found.findings].reverse().map((one) => [one.property, one])).values()];
  const shown = await shortened(shortest);
  const isWhole = found.runs >= runs;
  const exitCode = found.findings.length > 0 ? NOT_AS_CLAIMED : isWhole ? AS_CLAIMED : COULD_NOT_TELL;
  if (options.json === true) printJson(io, 'simulate', exitCode, { profile, ...found, shortest: shown });
  else for (const line of linesOf(profile, found, shown, isWhole, io)) io.out(line);
  if (!isWhole) io.err(`Stopped after ${found.runs} of ${plural(runs, 'run')}: of the others nothing is known.`);
  return exitCode;
}

/** Ctrl-C is heard between the pieces: null. */
async function unlessStopped<T>(pieces: Generator<void, T>, signal: AbortSignal): Promise<T | null> {
  for (;;) {
    const { done, value } = pieces.next();
    if (done === true) return value;
    await new Promise((resolve) => setImmediate(resolve));
    if (signal.aborted) return null;
  }
}

/** As its brokers and its controller log it, for `leader-epoch validate`. */
async function writeLog(file: string, { profile, seed, steps }: SimulateCommand): Promise<void> {
  const { eventLine, headerLine, simulate } = await import('../cluster/index.ts');
  const lines: string[] = [];
  const { config } = simulate({
    ...{ seed, profile, steps, replicas: REPLICAS, minIsr: 1, powerLoss: seed % 2 === 0, properties: [] },
    onLogged: (logged) => lines.push(eventLine(logged)),
  });
  await save(file, `${[headerLine(config), ...lines].join('\n')}\n`);
}

function together(one: Found, other: Found): Found {
  return {
    runs: one.runs + other.runs,
    steps: one.steps + other.steps,
    faults: one.faults + other.faults,
    acknowledged: one.acknowledged + other.acknowledged,
    read: one.read + other.read,
    findings: [...one.findings, ...other.findings].sort((a, b) => a.steps.length - b.steps.length),
  };
}

async function shortened(findings: readonly Finding[]): Promise<Shown[]> {
  if (findings.length === 0) return [];
  const { shrink } = await import('../conform/index.ts');
  return findings.map((finding) => {
    const shrunk = shrink(finding.steps, finding.config, finding.property, { meta: {} });
    return { ...finding, shrunk: shrunk && { steps: shrunk.steps, broken: shrunk.broken } };
  });
}

function linesOf(profile: string, found: Found, shown: readonly Shown[], isWhole: boolean, io: Io): string[] {
  const { acknowledged, faults, findings, read, runs, steps } = found;
  const what = `${plural(runs, 'run')} under ${profile}: ${plural(steps, 'step')}, ${plural(faults, 'fault')}, ${acknowledged} records acknowledged, ${read} reads`;
  if (findings.length === 0) return [`${mark(isWhole ? 'good' : 'unknown', io)} ${what}; every promise is kept`];
  return [
    `${mark('bad', io)} ${what}; ${findings.length} broke a promise`,
    ...shown.flatMap(({ property, seed, shrunk, steps: whole, what: how }) => [
      `${property}, seed ${seed}: ${how}, after ${plural(whole.length, 'step')}`,
      ...(shrunk === null ? [] : [`  ${shrunk.steps.length} of them are enough: ${shrunk.broken}`]),
      ...(shrunk?.steps ?? whole).map((step, index) => `  ${String(index + 1).padStart(3)}  ${showStep(step)}`),
    ]),
  ];
}
