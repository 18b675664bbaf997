import { stat } from 'node:fs/promises';
import { outcomeText, plainReport, type RunTlcOptions, runTlc, type TlcOutcome, type TlcResult } from '../tlc/index.ts';
import { printText, type Trace } from '../trace/index.ts';
import { formatByEnding, needPlaceForTrace, writeTrace } from './convert.ts';
import { AS_CLAIMED, COULD_NOT_TELL, type Io, NOT_AS_CLAIMED, printJson, UsageError, worst } from './io.ts';
import { type JunitCase, writeJunit } from './junit.ts';
import { needPlaceFor } from './output.ts';
import { startProgress } from './progress.ts';
import { mark, plural, seconds } from './show.ts';

export interface TlcCommand {
  readonly config?: string;
  readonly workers?: number | 'auto';
  /** Megabytes. */
  readonly heap?: number;
  /** Seconds. */
  readonly timeout?: number;
  /** Random behaviours: how many. */
  readonly simulate?: number;
  readonly depth?: number;
  readonly seed?: number;
  /** False: a state without successors is no error. */
  readonly deadlock: boolean;
  readonly continue?: boolean;
  readonly coverage?: boolean;
  readonly library?: readonly string[];
  readonly jar?: string;
  readonly fresh?: boolean;
  readonly json?: boolean;
  /** A file for JUnit XML. */
  readonly junit?: string;
  /** A file for the trace of the first violation. */
  readonly trace?: string;
}

type Checked = { readonly spec: string; readonly result: TlcResult };

/** `leader-epoch tlc <spec…>`: TLC on any specification. */
export async function tlc(specs: readonly string[], options: TlcCommand, io: Io): Promise<number> {
  const to = options.trace === undefined ? null : formatByEnding(options.trace);
  await needPlaceFor(options.junit);
  if (options.trace !== undefined && to !== null) await needPlaceForTrace(options.trace, to);
  for (const folder of options.library ?? []) await needFolderOfModules(folder);
  const checked: Checked[] = [];
  for (const spec of specs) {
    if (io.signal.aborted) break;
    const result = await runOne(spec, options, io);
    checked.push({ spec, result });
    if (options.json !== true) for (const line of resultLines(spec, result, io)) io.out(line);
  }
  const missing = checked.length < specs.length ? [COULD_NOT_TELL] : [];
  const exitCode = worst([...checked.map(({ result }) => exitCodeOf(result.outcome)), ...missing]);
  if (options.junit !== undefined)
    await writeJunit(
      options.junit,
      'tlc',
      specs.map((spec) => junitCase(spec, checked)),
    );
  if (options.json === true) printJson(io, 'tlc', exitCode, { results: checked.map(plainResult) });
  const found = checked.find(({ result }) => traceOf(result.outcome) !== null);
  if (options.trace !== undefined && to !== null && found !== undefined) {
    await writeTrace(traceOf(found.result.outcome)!, to, options.trace, found.spec, {}, io);
  } else if (options.trace !== undefined) io.err(`There is no counterexample: ${options.trace} was not written.`);
  return exitCode;
}

/** TLC leaves out in silence what it cannot look into. */
async function needFolderOfModules(folder: string): Promise<void> {
  const there = await stat(folder).catch(() => null);
  if (!there?.isDirectory()) throw new UsageError(`There is no folder ${folder}: --library takes folders of modules.`);
}

async function runOne(spec: string, options: TlcCommand, io: Io): Promise<TlcResult> {
  const quiet: Io = options.json === true ? { ...io, isTerminal: false } : io;
  const progress = await startProgress(quiet, `checking ${spec}`);
  try {
    return await runTlc({
      ...settings(options),
      spec,
      env: io.env,
      signal: io.signal,
      keep: options.fresh === true ? 'renew' : 'reuse',
      onDownload: (artifact) => io.err(`Fetching ${artifact}, once.`),
      onProgress: ({ phase, statistics: { distinct } }) =>
        progress.update(
          `checking ${spec}: ${phase}${distinct === null ? '' : `, ${distinct.toLocaleString('en')} states`}`,
        ),
    });
  } finally {
    progress.stop();
  }
}

function settings(options: TlcCommand): Omit<RunTlcOptions, 'spec'> {
  const { config, workers, heap, timeout, simulate, depth, seed, library, jar } = options;
  return {
    checkDeadlock: options.deadlock,
    ...(options.continue === true && { continueAfterError: true }),
    ...(options.coverage === true && { coverageMinutes: 1 }),
    ...(config !== undefined && { config }),
    ...(workers !== undefined && { workers }),
    ...(heap !== undefined && { heapMb: heap }),
    ...(timeout !== undefined && { timeoutMs: timeout * 1000 }),
    ...(simulate !== undefined && { simulate: { traces: simulate } }),
    ...(depth !== undefined && { depth }),
    ...(seed !== undefined && { seed }),
    ...(library !== undefined && { library }),
    ...(jar !== undefined && { jar }),
  };
}

/** 1: the specification is known to be wrong. 2: TLC could not check it. */
function exitCodeOf(outcome: TlcOutcome): number {
  switch (outcome.kind) {
    case 'success':
      return AS_CLAIMED;
    case 'invariant':
    case 'actionProperty':
    case 'temporal':
    case 'deadlock':
    case 'assumption':
    case 'assertion':
    case 'evaluation':
    case 'incompleteNext':
      return NOT_AS_CLAIMED;
    default:
      return COULD_NOT_TELL;
  }
}

function resultLines(spec: string, result: TlcResult, io: Io): string[] {
  const { outcome, further, statistics, durationMs, kept, userOutput, warnings } = result;
  const moods = { [AS_CLAIMED]: 'good', [NOT_AS_CLAIMED]: 'bad', [COULD_NOT_TELL]: 'unknown' } as const;
  const mood = moods[exitCodeOf(outcome) as keyof typeof moods];
  const counted = statistics.distinct === null ? [] : [plural(statistics.distinct, 'distinct state')];
  const time = kept ? 'kept from an earlier run' : seconds(durationMs ?? 0);
  const errors = outcome.kind === 'parse' ? outcome.errors.slice(1) : [];
  return [
    `${mark(mood, io)} ${spec}: ${outcomeText(outcome)} (${[...counted, time].join(', ')})`,
    ...errors.map((error) => `  ${outcomeText({ kind: 'parse', errors: [error] })}`),
    ...hintLines(outcome),
    ...warnings.map(({ message }) => `  warning: ${message}`),
    ...userOutput.map((line) => `  | ${line}`),
    ...coverageLines(result),
    ...traceLines(outcome),
    ...further.flatMap((each) => [`${mark('bad', io)} ${spec}: ${outcomeText(each)}`, ...traceLines(each)]),
  ];
}

/** How often each action was taken, and to how many new states: one that never was is often a mistake. */
function coverageLines({ coverage }: TlcResult): string[] {
  return coverage
    .filter(({ kind }) => kind === 'init' || kind === 'next')
    .map(({ name, part, count, distinct }) => {
      const place = part === null ? '' : `, line ${part.line}, column ${part.column}`;
      const taken = count === 0 ? 'never taken' : `${plural(distinct ?? 0, 'new state')} of ${count ?? '?'}`;
      return `  coverage: ${name ?? '?'}${place}: ${taken}`;
    });
}

function hintLines(outcome: TlcOutcome): string[] {
  return 'hint' in outcome && outcome.hint !== null ? [`  ${outcome.hint}`] : [];
}

function traceLines(outcome: TlcOutcome): string[] {
  const trace = traceOf(outcome);
  return trace === null ? [] : ['', ...printText(trace).trimEnd().split('\n').map(indented), ''];
}

function indented(line: string): string {
  return line === '' ? '' : `  ${line}`;
}

function traceOf(outcome: TlcOutcome): Trace | null {
  return 'trace' in outcome ? outcome.trace : null;
}

function junitCase(spec: string, checked: readonly Checked[]): JunitCase {
  const result = checked.find((each) => each.spec === spec)?.result;
  if (result === undefined)
    return { name: spec, durationMs: 0, problem: { kind: 'error', message: 'not checked: the run was stopped' } };
  const durationMs = result.kept ? 0 : (result.durationMs ?? 0);
  const exitCode = exitCodeOf(result.outcome);
  if (exitCode === AS_CLAIMED) return { name: spec, durationMs, problem: null };
  const trace = traceOf(result.outcome);
  const problem = {
    kind: exitCode === NOT_AS_CLAIMED ? ('failure' as const) : ('error' as const),
    message: outcomeText(result.outcome),
    ...(trace === null ? {} : { text: printText(trace) }),
  };
  return { name: spec, durationMs, problem };
}

function plainResult({ spec, result }: Checked): Record<string, unknown> {
  const { jar, java, kept } = result;
  return {
    spec,
    ...plainReport(result),
    jar: jar && { path: jar.path, sha256: jar.sha256 },
    java: java && { path: java.path, version: java.version },
    kept,
  };
}
