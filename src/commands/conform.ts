import { type Claim, loadClaims, pickClaims } from '../claims/index.ts';
import {
  type Conformance,
  type Coverage,
  checkGraph,
  coverageOf,
  type Dump,
  dumpGraph,
  GraphStates,
  loadModel,
  MemorySubject,
  mergeCoverage,
} from '../conform/index.ts';
import { readGraphFile } from '../graph/index.ts';
import { findJava } from '../tlc/index.ts';
import { needJar } from './check.ts';
import { coverageLines, deviationLines, plainDeviation } from './conformText.ts';
import { AS_CLAIMED, COULD_NOT_TELL, type Io, NOT_AS_CLAIMED, printJson, UsageError, worst } from './io.ts';
import { inPool } from './pool.ts';
import { startProgress } from './progress.ts';
import { mark, plural, seconds } from './show.ts';

export interface ConformCommand {
  readonly deep?: boolean;
  readonly json?: boolean;
  readonly coverage?: boolean;
  readonly profile?: string;
  /** A dump that is there already, instead of one that TLC makes now. */
  readonly graph?: string;
  readonly jobs: number;
}

type Outcome =
  | { readonly kind: 'checked'; readonly result: Conformance; readonly coverage: Coverage; readonly times: Times }
  | { readonly kind: 'couldNotTell'; readonly reason: string };

/** In milliseconds; `tlc` is null for a graph that was there already. */
interface Times {
  readonly tlc: number | null;
  readonly check: number;
}

/** `leader-epoch conform [claim…]`: the whole reachable graph of each model, both ways. */
export async function conform(names: readonly string[], options: ConformCommand, io: Io): Promise<number> {
  const claims = pickClaims(loadClaims(), names, ({ set }) => options.deep === true || set !== 'deep');
  const models = [...new Map(claims.map((claim) => [claim.model, claim])).values()];
  if (options.graph !== undefined && models.length !== 1) {
    throw new UsageError('With --graph name the one claim or model whose graph it is.');
  }
  if (options.graph === undefined) {
    const java = await findJava({ env: io.env });
    if (!java.ok) throw new UsageError(`${java.message} (TLC makes the graph; or give one with --graph.)`);
    await needJar(io);
  }
  const quiet: Io = options.json === true ? { ...io, isTerminal: false, out: () => {} } : io;
  const started = performance.now();
  const progress = await startProgress(quiet, 'starting TLC');
  const outcomes = await inPool(models, options.jobs, io.signal, async (claim) => {
    const outcome = await checkModel(claim, options, io, (text) => progress.update(text));
    for (const line of outcomeLines(claim, outcome, quiet)) progress.done(line);
    return outcome;
  }).finally(() => progress.stop());
  const exitCode = worst([...outcomes.map(exitCodeOf), ...(outcomes.length < models.length ? [COULD_NOT_TELL] : [])]);
  if (options.json === true) {
    const results = outcomes.map((outcome, index) => plainOutcome(models[index]!, outcome));
    printJson(io, 'conform', exitCode, { results });
    return exitCode;
  }
  if (options.coverage === true) {
    const all = mergeCoverage(outcomes.flatMap((outcome) => (outcome.kind === 'checked' ? [outcome.coverage] : [])));
    for (const line of coverageLines(all)) io.out(line);
  }
  io.out(lastLine(outcomes, models.length, performance.now() - started));
  return exitCode;
}

async function checkModel(
  { claim, model: name }: Claim,
  options: ConformCommand,
  io: Io,
  say: (text: string) => void,
): Promise<Outcome> {
  const model = loadModel(name, options);
  const dump = await graphOf(name, options, io, (found) =>
    say(`${claim}: TLC has found ${found.toLocaleString('en')} states`),
  );
  if (dump.kind === 'couldNotTell') return dump;
  const started = performance.now();
  const states = new GraphStates(dump.graph);
  if (states.unknown.length > 0) {
    const reason = `the graph has variables that no system is asked for: ${states.unknown.join(', ')}`;
    return { kind: 'couldNotTell', reason };
  }
  const result = await checkGraph(states, new MemorySubject(model, states), {
    signal: io.signal,
    onProgress: (checked, of) => say(`${claim}: ${checked.toLocaleString('en')} of ${of.toLocaleString('en')} states`),
  });
  const times = { tlc: options.graph === undefined ? dump.tlcMs : null, check: performance.now() - started };
  return { kind: 'checked', result, coverage: coverageOf(dump.graph), times };
}

async function graphOf(
  name: string,
  { graph, profile }: ConformCommand,
  io: Io,
  onProgress: (found: number) => void,
): Promise<Dump> {
  if (graph !== undefined) return { kind: 'graph', graph: await readGraphFile(graph), tlcMs: 0 };
  return dumpGraph(name, { env: io.env, signal: io.signal, onProgress, ...(profile === undefined ? {} : { profile }) });
}

function exitCodeOf(outcome: Outcome): number {
  if (outcome.kind === 'couldNotTell') return COULD_NOT_TELL;
  return isEqual(outcome.result) ? AS_CLAIMED : NOT_AS_CLAIMED;
}

function isEqual({ missing, extra }: Conformance): boolean {
  return missing === 0 && extra === 0;
}

function outcomeLines({ claim }: Claim, outcome: Outcome, io: Io): string[] {
  const name = claim.padEnd(28);
  if (outcome.kind === 'couldNotTell') return [`  ${mark('unknown', io)} ${name} could not tell: ${outcome.reason}`];
  const { result, times } = outcome;
  const size = `${result.states.toLocaleString('en')} states, ${result.steps.toLocaleString('en')} steps`;
  const took = `${times.tlc === null ? '' : `TLC ${seconds(times.tlc)}, `}checked in ${seconds(times.check)}`;
  if (isEqual(result)) return [`  ${mark('good', io)} ${name} ${`${size}, all equal`.padEnd(44)} ${took}`];
  const what = [
    result.missing > 0 ? `${plural(result.missing, 'step')} missing` : '',
    result.extra > 0 ? `${plural(result.extra, 'step')} too many` : '',
  ].filter((part) => part !== '');
  return [
    `  ${mark('bad', io)} ${name} ${size}: ${what.join(', ')}`,
    ...deviationLines(result, io).map((line) => `      ${line}`),
  ];
}

function lastLine(outcomes: readonly Outcome[], expected: number, ms: number): string {
  const checked = outcomes.flatMap((outcome) => (outcome.kind === 'checked' ? [outcome.result] : []));
  const equal = checked.filter(isEqual).length;
  const sum = (of: (one: Conformance) => number): string =>
    checked.reduce((total, one) => total + of(one), 0).toLocaleString('en');
  const rest = expected - checked.length;
  return (
    `${equal} of ${plural(expected, 'model')} conform${rest > 0 ? `, ${rest} undecided` : ''}: ` +
    `${sum(({ states }) => states)} states and ${sum(({ steps }) => steps)} steps looked at, in ${seconds(ms)}.`
  );
}

function plainOutcome({ claim, model }: Claim, outcome: Outcome) {
  if (outcome.kind === 'couldNotTell') return { claim, model, verdict: 'couldNotTell', reason: outcome.reason };
  const { result, coverage, times } = outcome;
  return {
    claim,
    model,
    verdict: isEqual(result) ? 'conforms' : 'differs',
    ...result,
    deviations: result.deviations.map(plainDeviation),
    coverage,
    tlcMs: times.tlc === null ? null : Math.round(times.tlc),
    checkMs: Math.round(times.check),
  };
}
