import { type Claim, loadClaims, pickClaims } from '../claims/index.ts';
import { openSystem } from '../open/index.ts';
import type { System } from '../systems/system.ts';
import type { Trace } from '../trace/index.ts';
import { COULD_NOT_TELL, type Io, printJson, UsageError, worst } from './io.ts';
import { type Cell, type Column, exitCodeOf, moodOf, plainCell, runCell } from './kafkaCell.ts';
import { BROKER_PROFILES, isQuickCell, KAFKA_PROFILES, QUICK_CELLS, QUICK_RELEASES } from './kafkaReleases.ts';
import { cellText, fileLines, matrix, troubleLines } from './kafkaText.ts';
import { mark, seconds } from './show.ts';
import { readTrace, recordedTraces, traceName } from './traces.ts';

export interface KafkaCommand {
  readonly release?: readonly string[];
  readonly all?: boolean;
  readonly claim?: readonly string[];
  readonly brokers?: boolean;
  /** In place of the releases' own. */
  readonly profile?: string;
  readonly times?: number;
  /** What is on disk in the end, and what clients were told. */
  readonly files?: boolean;
  readonly json?: boolean;
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
    !brokers || all || options.release !== undefined || options.claim !== undefined || isQuickCell(release, claim);
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
    const profile = options.profile ?? profiles[release] ?? '';
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
  if (traces.length === 0) {
    const which = '`leader-epoch claims` says which claims are violated.';
    throw new UsageError(`No counterexample is recorded for ${names?.join(', ')}. ${which}`);
  }
  return traces;
}

interface Target extends Column {
  readonly system: string;
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
      const cell = await runCell(claim, trace, target, system);
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
