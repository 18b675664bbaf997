import { type Claim, loadClaims, pickClaims } from '../claims/index.ts';
import { type MendResult, mend, ReplayProblem, type ReplayResult, replay, showStep } from '../replay/index.ts';
import { differences, table } from '../report/index.ts';
import { openSystem } from '../systems/open.ts';
import type { System } from '../systems/system.ts';
import type { Trace } from '../trace/index.ts';
import { AS_CLAIMED, type Io, NOT_AS_CLAIMED, printJson, UsageError, wantsColour, worst } from './io.ts';
import { mark, plural, seconds } from './show.ts';
import { readTrace, recordedTraces, traceName } from './traces.ts';

/** Releases whose own classes are driven, and the profile of spec/Profiles.tla that should be theirs. */
export const KAFKA_PROFILES: Readonly<Record<string, string>> = {
  '1.1.1+0.10.2': 'Kafka_0_10_2',
  '1.1.0': 'Kafka_1_1_0',
  '1.1.1': 'Kafka_1_1_1',
  '2.0.0': 'Kafka_2_0_0',
  '2.0.1+1.1': 'Kafka_2_0_1_as_1_1',
  '2.0.1': 'Kafka_2_0_1',
  '2.8.0': 'Kafka_2_8_0',
  '2.8.2': 'Kafka_2_8',
  '3.4.0': 'Kafka_2_8',
  '3.9.1': 'Kafka_3_9',
  '4.4.0': 'Kafka_4_4',
};

/** What a run without options takes: one release for each rule that its code has, so that it is over in about a minute. */
const QUICK = Object.keys(KAFKA_PROFILES).filter((release) => !['1.1.0', '2.0.1+1.1'].includes(release));

export interface KafkaCommand {
  readonly release?: readonly string[];
  readonly all?: boolean;
  readonly claim?: readonly string[];
  readonly json?: boolean;
}

/** A counterexample's schedule on one release: what its profile predicts, and what its classes did. */
interface Cell {
  readonly claim: string;
  readonly release: string;
  readonly prediction: MendResult;
  /** Null where the schedule is impossible under the release's rules. */
  readonly seen: ReplayResult | null;
  readonly ms: number;
}

/**
 * `leader-epoch kafka`: the schedule of each recorded counterexample, on Kafka's own classes, release by release. The
 * specification's run under that release's profile says what every step must show; a step passes only if it does.
 */
export async function kafka(options: KafkaCommand, io: Io): Promise<number> {
  const releases = options.release ?? (options.all === true ? Object.keys(KAFKA_PROFILES) : QUICK);
  const unknown = releases.find((release) => !(release in KAFKA_PROFILES));
  if (unknown !== undefined) {
    const known = Object.keys(KAFKA_PROFILES).join(', ');
    throw new UsageError(`There is no profile for Kafka "${unknown}". There are ${known}.`);
  }
  const traces = await chosenTraces(options.claim);
  const quiet: Io = options.json === true ? { ...io, out: () => {} } : io;
  const cells: Cell[] = [];
  for (const release of releases) cells.push(...(await onRelease(release, traces, quiet)));
  const exitCode = worst(cells.map((cell) => (agrees(cell) ? AS_CLAIMED : NOT_AS_CLAIMED)));
  if (options.json === true) printJson(io, 'kafka', exitCode, { cells: cells.map(plainCell) });
  else for (const line of matrix(cells, releases, io)) io.out(line);
  return exitCode;
}

async function chosenTraces(names: readonly string[] | undefined): Promise<{ name: string; trace: Trace }[]> {
  const wanted = names && pickClaims(loadClaims(), names, () => true).map(({ claim }: Claim) => claim);
  const traces: { name: string; trace: Trace }[] = [];
  for (const file of await recordedTraces()) {
    const name = traceName(file);
    if (wanted === undefined || wanted.includes(name)) traces.push({ name, trace: await readTrace(file) });
  }
  if (traces.length === 0) throw new UsageError(`No counterexample is recorded for ${names?.join(', ')}.`);
  return traces;
}

async function onRelease(release: string, traces: readonly { name: string; trace: Trace }[], io: Io): Promise<Cell[]> {
  const name = `kafka-classes@${release}`;
  const started = performance.now();
  const system = await openSystem(name, io.env);
  const cells: Cell[] = [];
  try {
    io.out(`${name}, ready in ${seconds(performance.now() - started)}`);
    for (const { name: claim, trace } of traces) {
      if (io.signal.aborted) break;
      const cell = await run(claim, trace, release, system);
      io.out(`  ${mark(agrees(cell) ? 'good' : 'bad', io)} ${claim.padEnd(28)} ${cellText(cell)}`);
      for (const line of troubleLines(cell, io)) io.out(`      ${line}`);
      cells.push(cell);
    }
  } finally {
    await system.close();
  }
  return cells;
}

async function run(claim: string, trace: Trace, release: string, system: System): Promise<Cell> {
  const started = performance.now();
  const prediction = mend(trace, KAFKA_PROFILES[release] ?? '');
  let seen: ReplayResult | null = null;
  try {
    if (prediction.kind !== 'refused') seen = await replay(prediction.trace, system);
  } catch (error) {
    if (!(error instanceof ReplayProblem)) throw error;
    throw new UsageError(`${claim}: ${error.message}`);
  }
  return { claim, release, prediction, seen, ms: performance.now() - started };
}

/** Predicted and seen are the same, step by step: whether the record is lost or kept. */
function agrees({ seen }: Cell): boolean {
  return seen === null || seen.kind === 'conforms';
}

function outcomeOf({ prediction }: Cell): string {
  if (prediction.kind === 'refused') return 'not possible';
  if (prediction.broken !== null) return 'broken';
  return prediction.kind === 'stuck' ? 'never ends' : 'kept';
}

function cellText(cell: Cell): string {
  const { prediction, seen, ms } = cell;
  if (prediction.kind === 'refused')
    return `not possible there: ${showStep(prediction.step)}, for ${prediction.reason}`;
  const what =
    prediction.broken === null ? 'kept' : `broken at step ${prediction.broken.index}: ${prediction.broken.what}`;
  if (seen?.kind === 'conforms') return `${what}; ${plural(seen.steps, 'step')}, all equal, ${ms.toFixed(0)} ms`;
  return `predicted: ${what}`;
}

function troubleLines({ seen }: Cell, io: Io): string[] {
  if (seen === null || seen.kind === 'conforms') return [];
  const step = seen.at.step ?? { action: seen.at.action, args: [] };
  if (seen.kind === 'refused') return [`stops at step ${seen.at.index}, ${showStep(step)}: ${seen.reason}`];
  if (seen.kind === 'ambiguous') return [`step ${seen.at.index}, ${seen.at.action}, can be several`];
  const options = { colour: wantsColour(io), width: io.columns, step: seen.at.index, ...step, system: seen.system };
  return differences(seen.differences, options);
}

/** Claims by releases: broken or kept, as predicted and seen; `≠` where they differ. */
function matrix(cells: readonly Cell[], releases: readonly string[], io: Io): string[] {
  const claims = [...new Set(cells.map(({ claim }) => claim))];
  const rows = claims.map((claim) => [
    claim,
    ...releases.map((release) => {
      const cell = cells.find((one) => one.claim === claim && one.release === release);
      if (cell === undefined) return '';
      return agrees(cell) ? outcomeOf(cell) : `≠ ${outcomeOf(cell)}`;
    }),
  ]);
  const agreeing = cells.filter(agrees).length;
  const hidden = [...new Set(cells.flatMap(({ seen }) => seen?.notObservable ?? []))];
  return [
    '',
    ...table(rows, { header: ['', ...releases], width: Math.max(io.columns, 100) }),
    '',
    `${agreeing} of ${plural(cells.length, 'cell')} as predicted.`,
    ...(hidden.length > 0 ? [`Not observable in some release, and so not compared: ${hidden.join(', ')}.`] : []),
  ];
}

function plainCell(cell: Cell) {
  const { claim, release, prediction, seen, ms } = cell;
  return {
    claim,
    release,
    profile: prediction.profile,
    predicted: outcomeOf(cell),
    brokenAt: prediction.broken,
    seen: seen?.kind ?? null,
    at: seen !== null && 'at' in seen ? seen.at : null,
    steps: seen?.steps ?? 0,
    notObservable: seen?.notObservable ?? [],
    ms: Math.round(ms),
  };
}
