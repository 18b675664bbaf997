import { openSystem } from '../open/index.ts';
import { ReplayProblem, type ReplayResult } from '../replay/index.ts';
import type { System } from '../systems/system.ts';
import { type Difference, print } from '../tla/index.ts';
import { findJava } from '../tlc/index.ts';
import { AS_CLAIMED, COULD_NOT_TELL, type Io, printJson, UsageError, wantsColour, worst } from './io.ts';
import { type MendedRun, mendAndAccept, mendedLine, mendedSteps } from './mended.ts';
import { checkProfile } from './profile.ts';
import { type Replay, replayLines, replayOn } from './replays.ts';
import { readTrace, traceName } from './traces.ts';

export interface ReplayCommand {
  /** What is replayed on; default: the implementation in memory. */
  readonly system?: string;
  readonly profile?: string;
  readonly story?: boolean;
  readonly json?: boolean;
}

interface Outcome {
  readonly file: string;
  readonly replay?: Replay;
  readonly mended?: MendedRun;
  readonly problem?: string;
  readonly exitCode: number;
}

/**
 * `leader-epoch replay <trace…>`: on the implementation, every state compared. With another profile than the trace's: the
 * same schedule under that rule, caught up, and read back.
 */
export async function replayTraces(files: readonly string[], options: ReplayCommand, io: Io): Promise<number> {
  if (options.profile !== undefined) checkProfile(options.profile);
  const hasJava = options.profile !== undefined && (await findJava({ env: io.env })).ok;
  const outcomes: Outcome[] = [];
  const system = await openSystem(options.system ?? 'memory', io.env);
  try {
    for (const file of files) {
      if (io.signal.aborted) break;
      const outcome = await replayFile(file, system, options, hasJava, io);
      outcomes.push(outcome);
      if (options.json !== true) await show(outcome, options, hasJava, io);
    }
  } finally {
    await system.close();
  }
  const missing = outcomes.length < files.length ? [COULD_NOT_TELL] : [];
  const exitCode = worst([...outcomes.map((outcome) => outcome.exitCode), ...missing]);
  if (options.json === true) printJson(io, 'replay', exitCode, { results: outcomes.map(plain) });
  return exitCode;
}

async function replayFile(
  file: string,
  system: System,
  { profile }: ReplayCommand,
  hasJava: boolean,
  io: Io,
): Promise<Outcome> {
  try {
    const replay = await replayOn(system, traceName(file), await readTrace(file));
    if (profile === undefined || replay.exitCode !== AS_CLAIMED) return { file, replay, exitCode: replay.exitCode };
    const mended = await mendAndAccept(replay.result.trace, profile, hasJava, io);
    return { file, replay, mended, exitCode: mended.exitCode };
  } catch (error) {
    if (error instanceof UsageError) return { file, problem: error.message, exitCode: COULD_NOT_TELL };
    if (error instanceof ReplayProblem) return { file, problem: `${file}: ${error.message}`, exitCode: COULD_NOT_TELL };
    throw error;
  }
}

async function show(
  { file, replay, mended, problem }: Outcome,
  options: ReplayCommand,
  hasJava: boolean,
  io: Io,
): Promise<void> {
  if (problem !== undefined) io.err(problem);
  if (replay === undefined) return;
  for (const line of replayLines(replay, io)) io.out(line);
  if (mended !== undefined) {
    io.out(
      `  ${mendedLine(mended, io)}${hasJava || mended.tlc !== 'notAsked' ? '' : '; TLC was not asked, for there is no Java'}`,
    );
    for (const line of mendedSteps(mended)) io.out(line);
  }
  if (options.story === true) {
    const { StoryError, tellStory } = await import('../report/index.ts');
    const trace = mended?.result.trace ?? replay.result.trace;
    try {
      for (const line of tellStory(trace, { colour: wantsColour(io), width: io.columns })) io.out(line);
    } catch (error) {
      if (!(error instanceof StoryError)) throw error;
      io.err(`${file}: its story cannot be told: ${error.message}.`);
    }
  }
}

function plain({ file, replay, mended, problem, exitCode }: Outcome) {
  return {
    file,
    exitCode,
    ...(problem === undefined ? {} : { problem }),
    ...(replay === undefined ? {} : { replay: plainReplay(replay.result) }),
    ...(mended === undefined ? {} : { mended: plainMended(mended) }),
  };
}

function plainReplay(result: ReplayResult) {
  const { kind, system, steps, lastIndex, stuttering, notObservable, broken } = result;
  const failed = 'at' in result ? { at: result.at } : {};
  const reason = result.kind === 'refused' ? { reason: result.reason } : {};
  const differences = result.kind === 'diverged' ? { differences: result.differences.map(plainDifference) } : {};
  return { kind, system, steps, lastIndex, stuttering, notObservable, broken, ...failed, ...reason, ...differences };
}

/** Values as TLA+ writes them. */
function plainDifference({ path, kind, before, after }: Difference) {
  return { path, kind, trace: before ? print(before) : null, system: after ? print(after) : null };
}

function plainMended({ result, tlc }: MendedRun) {
  const { kind, profile, acked, origins, leftOut, broken } = result;
  const readBack = result.kind === 'caughtUp' ? { leader: result.leader, readBack: result.readBack } : {};
  const reason = 'reason' in result ? { reason: result.reason } : {};
  return { kind, profile, acked, ...readBack, ...reason, broken, leftOut, steps: origins.length, tlc };
}
