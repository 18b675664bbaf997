import { join } from 'node:path';
import { type Acceptance, accept } from '../claims/index.ts';
import { openSystem } from '../open/index.ts';
import { type Budget, type ReplayResult, replay, showStep, walk } from '../replay/index.ts';
import type { System, SystemConfig } from '../systems/system.ts';
import { findJava } from '../tlc/index.ts';
import { printItf, type Trace } from '../trace/index.ts';
import { problemOf } from './acceptanceText.ts';
import { AS_CLAIMED, COULD_NOT_TELL, type Io, NOT_AS_CLAIMED, printJson, UsageError, worst } from './io.ts';
import { BROKER_PROFILES, KAFKA_PROFILES } from './kafkaReleases.ts';
import { needWritableFolder, save } from './output.ts';
import { checkProfile } from './profile.ts';
import { startProgress } from './progress.ts';
import { mark, plural, seconds } from './show.ts';

export interface FuzzCommand {
  readonly profile?: string;
  /** Of each system, in all. */
  readonly steps: number;
  /** Of a schedule. */
  readonly length: number;
  readonly replicas: number;
  readonly seed: number;
  /** Let TLC follow each schedule, too. */
  readonly tlc?: boolean;
  /** Where schedules go that were taken otherwise. */
  readonly out?: string;
  readonly json?: boolean;
}

/** Enough of everything for hundreds of steps; what is not named is free. TLC follows no more than 40 of a kind. */
const BUDGET: Budget = {
  Write: 40,
  Elect: 25,
  ShrinkIsr: 20,
  Crash: 15,
  LoseMessage: 15,
  PowerLoss: 5,
  ElectUnclean: 5,
  PartitionOffline: 5,
};

interface Schedule {
  readonly seed: number;
  readonly trace: Trace;
  readonly result: ReplayResult;
  /** Null: TLC was not asked. */
  readonly acceptance: Acceptance | null;
}

interface Fuzzed {
  readonly system: string;
  readonly profile: string;
  readonly schedules: readonly Schedule[];
  readonly ms: number;
}

/**
 * `leader-epoch fuzz`: random schedules, far beyond the bounds of a model, three ways: the implementation in memory takes them, TLC
 * is asked whether they are the specification's, and another system must show the same after every step.
 */
export async function fuzz(systems: readonly string[], options: FuzzCommand, io: Io): Promise<number> {
  if (options.profile !== undefined) checkProfile(options.profile);
  if (options.tlc === true && !(await findJava({ env: io.env })).ok)
    throw new UsageError(
      'TLC needs Java 11 or later (PATH or JAVA_HOME). Without --tlc only the systems are compared.',
    );
  if (options.out !== undefined) await needWritableFolder(options.out);
  const quiet: Io = options.json === true ? { ...io, isTerminal: false, out: () => {} } : io;
  const fuzzed: Fuzzed[] = [];
  for (const name of systems) {
    if (io.signal.aborted) break;
    const one = await fuzzSystem(name, options, quiet);
    fuzzed.push(one);
    for (const line of lines(one, options, quiet)) quiet.out(line);
    if (options.out !== undefined) await keep(one, options.out);
  }
  const exitCode = worst([...fuzzed.map(exitCodeOf), ...(io.signal.aborted ? [COULD_NOT_TELL] : [])]);
  if (options.json === true) printJson(io, 'fuzz', exitCode, { results: fuzzed.map(plain) });
  return exitCode;
}

/** A release of Kafka has its own. */
function profileOf(system: string): string {
  const [kind, release = ''] = system.split('@');
  const profile = (kind === 'kafka' ? BROKER_PROFILES : KAFKA_PROFILES)[release];
  if (profile === undefined) throw new UsageError(`Say with --profile what ${system} should be like.`);
  return profile;
}

async function fuzzSystem(name: string, options: FuzzCommand, io: Io): Promise<Fuzzed> {
  // Opened first: of a system that there is not, nobody needs to say what it should be like.
  const system = await openSystem(name, io.env);
  const progress = await startProgress(io, `${name}: starting`);
  const started = performance.now();
  const schedules: Schedule[] = [];
  try {
    const profile = options.profile ?? profileOf(name);
    for (let [steps, seed] = [0, options.seed]; steps < options.steps && !io.signal.aborted; seed++) {
      const schedule = await runSchedule(system, profile, seed, options, io);
      schedules.push(schedule);
      steps += Math.max(schedule.result.steps, 1);
      progress.update(`${name}: ${steps.toLocaleString('en')} of ${options.steps.toLocaleString('en')} steps`);
    }
    return { system: name, profile, schedules, ms: performance.now() - started };
  } finally {
    progress.stop();
    await system.close();
  }
}

async function runSchedule(
  system: System,
  profile: string,
  seed: number,
  { length, replicas, tlc }: FuzzCommand,
  io: Io,
): Promise<Schedule> {
  const names = Array.from({ length: replicas }, (_, index) => String.fromCharCode(65 + index));
  const trace = walk({ profile, seed, replicas: names, steps: length, budget: BUDGET, options: worldOf(seed) });
  const result = await replay(trace, system);
  const acceptance = tlc === true ? await accept(trace, { env: io.env, signal: io.signal }) : null;
  return { seed, trace, result, acceptance };
}

/** The settings of the world take turns. */
function worldOf(seed: number): Partial<SystemConfig> {
  return { minIsr: 1 + (seed % 2), oldNews: seed % 3 === 0, lazyCheckpoint: seed % 5 === 0 };
}

/** Up to where it was taken: a step to which the system can never be brought is no difference, and ends a schedule. */
function isEqual(schedule: Schedule): boolean {
  return schedule.result.kind === 'conforms' || endsEarly(schedule);
}

function endsEarly({ result }: Schedule): boolean {
  return result.kind === 'refused' && result.never === true;
}

function isAccepted({ acceptance }: Schedule): boolean {
  return acceptance === null || acceptance.kind === 'accepted';
}

function exitCodeOf({ schedules }: Fuzzed): number {
  return worst(schedules.map(exitCodeOfOne));
}

function exitCodeOfOne(schedule: Schedule): number {
  if (!isEqual(schedule)) return NOT_AS_CLAIMED;
  if (isAccepted(schedule)) return AS_CLAIMED;
  return schedule.acceptance?.kind === 'couldNotTell' ? COULD_NOT_TELL : NOT_AS_CLAIMED;
}

function lines(fuzzed: Fuzzed, { tlc }: FuzzCommand, io: Io): string[] {
  const { system, profile, schedules, ms } = fuzzed;
  const steps = schedules.reduce((sum, { result }) => sum + result.steps, 0).toLocaleString('en');
  const unequal = schedules.filter((one) => !isEqual(one));
  const refused = schedules.filter((one) => !isAccepted(one));
  const early = schedules.filter(endsEarly);
  const exitCode = exitCodeOf(fuzzed);
  const mood = exitCode === AS_CLAIMED ? 'good' : exitCode === COULD_NOT_TELL ? 'unknown' : 'bad';
  const verdict = unequal.length === 0 ? 'all equal' : `${unequal.length} taken otherwise`;
  const followed = tlc !== true ? '' : `; TLC follows ${refused.length === 0 ? 'all' : `all but ${refused.length}`}`;
  return [
    `  ${mark(mood, io)} ${system} as ${profile}: ${steps} steps in ${plural(schedules.length, 'schedule')}, ${verdict}${followed}, ${seconds(ms)}`,
    ...[...unequal, ...early].map(({ seed, result }) => `      seed ${seed}: ${whatOf(result)}`),
    ...refused.map(({ seed, acceptance }) => `      seed ${seed}: TLC does not follow it: ${problemOf(acceptance!)}`),
  ];
}

function whatOf(result: ReplayResult): string {
  if (result.kind === 'conforms') return 'equal';
  const { index, action, step } = result.at;
  const where = `step ${index}, ${step === null ? action : showStep(step)}`;
  if (result.kind === 'refused')
    return `${where}, ${result.never === true ? 'ends it' : 'is refused'}: ${result.reason}`;
  if (result.kind === 'ambiguous') return `${where}, can be several`;
  return `${where}, differs in ${result.differences.map(({ path }) => path).join(', ')}`;
}

async function keep({ system, schedules }: Fuzzed, folder: string): Promise<void> {
  for (const schedule of schedules.filter((one) => !isEqual(one))) {
    const { seed, trace } = schedule;
    const name = `${system.replaceAll(/[^\w.-]/g, '-')}-${seed}.itf.json`;
    await save(join(folder, name), printItf(trace));
  }
}

function plain({ system, profile, schedules, ms }: Fuzzed) {
  return {
    system,
    profile,
    durationMs: Math.round(ms),
    schedules: schedules.map(({ seed, result, acceptance }) => ({
      seed,
      steps: result.steps,
      seen: result.kind,
      at: 'at' in result ? result.at : null,
      tlc: acceptance?.kind ?? null,
    })),
  };
}
