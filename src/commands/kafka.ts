import { isDeepStrictEqual } from 'node:util';
import { type Claim, loadClaims, pickClaims } from '../claims/index.ts';
import { type MendResult, mend, ReplayProblem, type ReplayResult, replay, showStep } from '../replay/index.ts';
import { differences, table } from '../report/index.ts';
import { openSystem } from '../systems/open.ts';
import type { Observation, System } from '../systems/system.ts';
import type { Trace } from '../trace/index.ts';
import {
  AS_CLAIMED,
  COULD_NOT_TELL,
  type Io,
  NOT_AS_CLAIMED,
  printJson,
  UsageError,
  wantsColour,
  worst,
} from './io.ts';
import { mark, plural, seconds } from './show.ts';
import { readTrace, recordedTraces, traceName } from './traces.ts';

/** Releases whose own classes are driven, and the profile of spec/Profiles.tla that should be theirs. */
export const KAFKA_PROFILES: Readonly<Record<string, string>> = {
  '1.1.1+0.10.2': 'Kafka_0_10_2',
  '0.11.0.3': 'Kafka_0_11_0',
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
const QUICK_RELEASES = Object.keys(KAFKA_PROFILES).filter(
  (release) => !['0.11.0.3', '1.1.0', '2.0.1+1.1'].includes(release),
);

/** Releases whose brokers are run, and the profile that should be theirs. */
export const BROKER_PROFILES: Readonly<Record<string, string>> = {
  '0.10.2.2': 'Kafka_0_10_2',
  '1.1.1+0.10.2': 'Kafka_0_10_2',
  '0.11.0.3': 'Kafka_0_11_0',
  '1.1.1': 'Kafka_1_1_1',
  '2.0.0': 'Kafka_2_0_0',
  '2.0.1+1.1': 'Kafka_2_0_1_as_1_1',
  '2.0.1': 'Kafka_2_0_1',
  '2.8.2': 'Kafka_2_8',
  '3.9.1': 'Kafka_3_9',
  '4.4.0': 'Kafka_4_4',
};

/** The cells on brokers that tell most: who has the bug, beside who has the mend. */
const QUICK_CELLS: Readonly<Record<string, readonly string[]>> = {
  '0.10.2.2': ['fast-restart-told', 'hard-failures-told'],
  '0.11.0.3': ['fast-restart-told', 'hard-failures-told'],
  '1.1.1': ['fast-leader-change-1-1-1'],
  '2.0.1': ['fast-leader-change-1-1-1'],
  '4.4.0': ['fast-leader-change-1-1-1', 'fast-leader-change', 'hard-failures-told'],
};

function isQuick(release: string, claim: string): boolean {
  return QUICK_CELLS[release]?.includes(claim) === true;
}

export interface KafkaCommand {
  readonly release?: readonly string[];
  readonly all?: boolean;
  readonly claim?: readonly string[];
  readonly brokers?: boolean;
  readonly times?: number;
  /** What is on disk in the end, and what clients were told. */
  readonly files?: boolean;
  readonly json?: boolean;
}

/** A counterexample's schedule on one release: what its profile predicts, and what its classes did. */
interface Cell {
  readonly claim: string;
  readonly release: string;
  readonly prediction: MendResult;
  /** Null where the schedule is impossible under the release's rules, or where the brokers failed. */
  readonly seen: ReplayResult | null;
  /** What went wrong with the brokers themselves; null: nothing. */
  readonly failure: string | null;
  /** It stopped at a step that such a system can never be brought to take: equal so far, and no evidence of what follows. */
  readonly endsEarly: boolean;
  /** What the system showed in the end. */
  readonly last: Observation | null;
  /** Of each run; they are compared with the first. */
  readonly ms: readonly number[];
  readonly different: number;
}

type NamedTrace = { readonly name: string; readonly trace: Trace };

/**
 * `leader-epoch kafka`: the schedule of each recorded counterexample, on Kafka's own code, release by release: on its
 * classes, or on whole brokers. The specification's run under that release's profile says what every step must show; a step
 * passes only if it does.
 */
export async function kafka(options: KafkaCommand, io: Io): Promise<number> {
  const { all = false, brokers = false } = options;
  const profiles = brokers ? BROKER_PROFILES : KAFKA_PROFILES;
  const quick = brokers ? Object.keys(QUICK_CELLS) : QUICK_RELEASES;
  const releases = options.release ?? (all ? Object.keys(profiles) : quick);
  const isWanted = (release: string, claim: string): boolean =>
    !brokers || all || options.release !== undefined || options.claim !== undefined || isQuick(release, claim);
  const unknown = releases.find((release) => !(release in profiles));
  if (unknown !== undefined) {
    const known = Object.keys(profiles).join(', ');
    throw new UsageError(`There is no profile for Kafka "${unknown}". There are ${known}.`);
  }
  const traces = await chosenTraces(options.claim);
  const quiet: Io = options.json === true ? { ...io, out: () => {} } : io;
  const cells: Cell[] = [];
  for (const release of releases) {
    const chosen = traces.filter(({ name }) => isWanted(release, name));
    const system = `${brokers ? 'kafka' : 'kafka-classes'}@${release}`;
    const profile = profiles[release] ?? '';
    if (!io.signal.aborted)
      cells.push(
        ...(await onRelease(
          { release, system, profile, times: options.times ?? 1, files: options.files === true },
          chosen,
          quiet,
        )),
      );
  }
  const exitCode = worst([...cells.map(exitCodeOf), ...(io.signal.aborted ? [COULD_NOT_TELL] : [])]);
  if (options.json === true) printJson(io, 'kafka', exitCode, { cells: cells.map(plainCell) });
  else for (const line of matrix(cells, releases, io)) io.out(line);
  return exitCode;
}

async function chosenTraces(names: readonly string[] | undefined): Promise<NamedTrace[]> {
  const wanted = names && pickClaims(loadClaims(), names, () => true).map(({ claim }: Claim) => claim);
  const traces: NamedTrace[] = [];
  for (const file of await recordedTraces()) {
    const name = traceName(file);
    if (wanted === undefined || wanted.includes(name)) traces.push({ name, trace: await readTrace(file) });
  }
  if (traces.length === 0) throw new UsageError(`No counterexample is recorded for ${names?.join(', ')}.`);
  return traces;
}

interface Target {
  readonly release: string;
  readonly system: string;
  readonly profile: string;
  readonly times: number;
  readonly files: boolean;
}

async function onRelease(target: Target, traces: readonly NamedTrace[], io: Io): Promise<Cell[]> {
  const cells: Cell[] = [];
  let system: System | null = null;
  try {
    for (const { name: claim, trace } of traces) {
      if (io.signal.aborted) break;
      if (system === null) {
        const started = performance.now();
        system = await openSystem(target.system, io.env);
        io.out(`${target.system}, ready in ${seconds(performance.now() - started)}`);
      }
      const cell = await run(claim, trace, target, system);
      if (io.signal.aborted) break;
      io.out(`  ${mark(moodOf(cell), io)} ${claim.padEnd(28)} ${cellText(cell)}`);
      for (const line of troubleLines(cell, io)) io.out(`      ${line}`);
      if (target.files) for (const line of fileLines(cell)) io.out(`      ${line}`);
      cells.push(cell);
      if (cell.failure !== null) {
        await system.close();
        system = null;
      }
    }
  } finally {
    await system?.close();
  }
  return cells;
}

async function run(claim: string, trace: Trace, { release, profile, times }: Target, system: System): Promise<Cell> {
  const prediction = mend(withoutEligibleLeaders(trace), profile);
  const cell = {
    claim,
    release,
    prediction,
    seen: null,
    failure: null,
    endsEarly: false,
    last: null,
    ms: [],
    different: 0,
  };
  if (prediction.kind === 'refused') return cell;
  const results: ReplayResult[] = [];
  const ms: number[] = [];
  try {
    while (results.length < times) {
      const started = performance.now();
      results.push(await replay(prediction.trace, system));
      ms.push(performance.now() - started);
    }
  } catch (error) {
    if (error instanceof Error && error.name === 'BrokerError') return { ...cell, ms, failure: error.message };
    if (!(error instanceof ReplayProblem)) throw error;
    throw new UsageError(`${claim}: ${error.message}`);
  }
  const [first] = results;
  const different = results.filter((result) => !isDeepStrictEqual(result, first)).length;
  const endsEarly = first?.kind === 'refused' && system.unsupported?.[first.at.action] !== undefined;
  return { ...cell, seen: first ?? null, endsEarly, last: await system.observe(), ms, different };
}

/** Here we play the controller, and keep none: what only it could elect is not possible there. */
function withoutEligibleLeaders(trace: Trace): Trace {
  const constants = [...(trace.constants ?? [])].filter(([name]) => name !== 'EligibleLeaders');
  return { ...trace, constants: new Map(constants) };
}

/** Predicted and seen are the same, step by step and in every run: whether the record is lost or kept. */
function agrees({ seen, failure, endsEarly, different }: Cell): boolean {
  return failure === null && different === 0 && (seen === null || endsEarly || seen.kind === 'conforms');
}

function moodOf(cell: Cell): 'good' | 'bad' | 'unknown' {
  if (!agrees(cell)) return 'bad';
  return cell.endsEarly ? 'unknown' : 'good';
}

function exitCodeOf(cell: Cell): number {
  if (agrees(cell)) return AS_CLAIMED;
  return cell.failure === null ? NOT_AS_CLAIMED : COULD_NOT_TELL;
}

function outcomeOf({ prediction, endsEarly }: Cell): string {
  if (endsEarly) return '?';
  if (prediction.kind === 'refused') return 'not possible';
  if (prediction.broken !== null) return 'broken';
  return prediction.kind === 'stuck' ? 'never ends' : 'kept';
}

function cellText(cell: Cell): string {
  const { prediction, seen } = cell;
  if (prediction.kind === 'refused')
    return `not possible there: ${showStep(prediction.step)}, for ${prediction.reason}`;
  const what =
    prediction.broken === null ? 'kept' : `broken at step ${prediction.broken.index}: ${prediction.broken.what}`;
  if (seen?.kind === 'conforms') return `${what}; ${plural(seen.steps, 'step')}, all equal, ${timesText(cell)}`;
  return `predicted: ${what}`;
}

function timesText({ ms, different }: Cell): string {
  if (ms.length === 1) return `${ms[0]?.toFixed(0)} ms`;
  const sorted = [...ms].sort((a, b) => a - b);
  const [least, median, most] = [sorted[0], sorted[Math.floor(sorted.length / 2)], sorted.at(-1)].map((n) =>
    n?.toFixed(0),
  );
  return `${plural(ms.length, 'run')}, ${different} different, ${least} to ${most} ms, median ${median}`;
}

interface Files {
  readonly log: Readonly<Record<string, readonly { readonly id: number; readonly epoch: number }[]>>;
  readonly epochCache: Readonly<Record<string, readonly { readonly epoch: number; readonly start: number }[]>>;
  readonly checkpoint: Readonly<Record<string, number>>;
  readonly role: Readonly<Record<string, string>>;
  readonly read?: Readonly<Record<string, readonly number[] | null>>;
}

/** What each replica has in its files in the end, what producers were told, and what a consumer reads from the leader. */
function fileLines({ last, prediction }: Cell): string[] {
  if (last === null) return [];
  const { log, epochCache, checkpoint, role, read = {} } = last as unknown as Files;
  const list = (items: readonly string[]): string => (items.length === 0 ? '–' : items.join(' '));
  const ids = (of: readonly number[]): string => list(of.map((id) => `m${id}`));
  return [
    ...Object.keys(log).map((id) => {
      const records = list((log[id] ?? []).map((record) => `m${record.id}·e${record.epoch}`));
      const epochs = list((epochCache[id] ?? []).map(({ epoch, start }) => `${epoch}→${start}`));
      return `${id} ${role[id]}: log ${records}; leader-epoch-checkpoint ${epochs}; replication-offset-checkpoint ${checkpoint[id]}`;
    }),
    `producers (acks=all) were told that these are stored: ${ids(prediction.acked)}`,
    ...Object.entries(read).flatMap(([id, found]) =>
      found === null ? [] : [`a consumer reads from ${id}: ${ids(found)}`],
    ),
  ];
}

/** `hw of B: 8; fetchState of A: 12–13`: at which steps it was not to be seen. */
function hiddenText(seen: ReplayResult): string {
  const steps = new Map<string, number[]>();
  for (const { variable, replica, index } of seen.hidden) {
    const name = `${variable} of ${replica}`;
    steps.set(name, [...(steps.get(name) ?? []), index]);
  }
  return [...steps].map(([name, indices]) => `${name}: ${ranges(indices)}`).join('; ');
}

function ranges(ascending: readonly number[]): string {
  const starts = ascending.filter((index) => !ascending.includes(index - 1));
  const ends = ascending.filter((index) => !ascending.includes(index + 1));
  return starts.map((start, at) => (start === ends[at] ? `${start}` : `${start}–${ends[at]}`)).join(', ');
}

function troubleLines({ seen, failure, different }: Cell, io: Io): string[] {
  if (failure !== null) return [`could not tell: ${failure}`];
  if (seen === null) return [];
  if (different > 0) return ['not every run was like the first'];
  if (seen.kind === 'conforms') return seen.hidden.length > 0 ? [`not to be seen at steps: ${hiddenText(seen)}`] : [];
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
  const agreeing = cells.filter((cell) => agrees(cell) && !cell.endsEarly).length;
  const early = cells.filter((cell) => cell.endsEarly).length;
  const hidden = [...new Set(cells.flatMap(({ seen }) => seen?.notObservable ?? []))];
  return [
    '',
    ...table(rows, { header: ['', ...releases], width: Math.max(io.columns, 100) }),
    '',
    `${agreeing} of ${plural(cells.length, 'cell')} as predicted.`,
    ...(early > 0 ? [`${early} more can be run only up to a step that brokers take by a timer of their own.`] : []),
    ...(hidden.length > 0 ? [`Not observable in some release, and so not compared: ${hidden.join(', ')}.`] : []),
  ];
}

function plainCell(cell: Cell) {
  const { claim, release, prediction, seen, failure, ms, different } = cell;
  return {
    claim,
    release,
    profile: prediction.profile,
    predicted: outcomeOf(cell),
    brokenAt: prediction.broken,
    endsEarly: cell.endsEarly,
    seen: seen?.kind ?? null,
    at: seen !== null && 'at' in seen ? seen.at : null,
    steps: seen?.steps ?? 0,
    notObservable: seen?.notObservable ?? [],
    hidden: seen?.hidden ?? [],
    failure,
    runs: ms.length,
    different,
    ms: ms.map(Math.round),
  };
}
