import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import {
  type Claim,
  isOfTheProtocol,
  loadClaims,
  modelConfig,
  parseConfig,
  pickClaims,
  specFolder,
} from '../claims/index.ts';
import {
  checkGraph,
  coverageOf,
  type Dump,
  dumpGraph,
  dumpModule,
  explore,
  GraphStates,
  loadModel,
  mergeCoverage,
  plainOf,
  SystemSubject,
} from '../conform/index.ts';
import { readGraphFile, type StateGraph } from '../graph/index.ts';
import { isForeign, openSystem } from '../open/index.ts';
import { inShape } from '../replay/index.ts';
import type { System, SystemConfig } from '../systems/system.ts';
import { BRIEF_STATES, findJava } from '../tlc/index.ts';
import { needJar } from './check.ts';
import { holdAgainst, type Outcome } from './conformGraph.ts';
import { Results } from './conformResume.ts';
import { coverageLines, exitCodeOf, lastLine, outcomeLines, plainOutcome } from './conformText.ts';
import { COULD_NOT_TELL, type Io, printJson, UsageError, worst } from './io.ts';
import { inPool } from './pool.ts';
import { type Progress, startProgress } from './progress.ts';

export interface ConformCommand {
  readonly deep?: boolean;
  readonly json?: boolean;
  readonly coverage?: boolean;
  readonly profile?: string;
  /** A dump that is there already, instead of one that TLC makes now. */
  readonly graph?: string;
  /** What is held against the graph: `memory`, or as `openSystem` has it. */
  readonly system: string;
  /** A module of another specification, with its configuration beside it, instead of claims. */
  readonly spec?: string;
  readonly maxSteps?: number;
  /** Models with more states are left out. */
  readonly maxStates?: number;
  /** Keeps results, and takes those that are there. */
  readonly resume?: string;
  readonly jobs: number;
}

/** One graph and what it is the graph of. */
interface Task {
  readonly name: string;
  readonly model: string;
  run(system: System | null, surroundings: Surroundings): Promise<Outcome>;
}

interface Surroundings {
  readonly say: (text: string) => void;
  readonly inTurn: InTurn;
  readonly signal: AbortSignal;
}

/** Waits for all that was given before. */
type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** `leader-epoch conform [claim…]`: the whole reachable graph of each model, both ways. */
export async function conform(names: readonly string[], options: ConformCommand, io: Io): Promise<number> {
  const tasks = options.spec === undefined ? claimTasks(names, options, io) : [specTask(names, options, io)];
  if (options.graph !== undefined && tasks.length !== 1) {
    throw new UsageError('With --graph name the one claim or model whose graph it is.');
  }
  if (options.graph === undefined) {
    const java = await findJava({ env: io.env });
    if (!java.ok) throw new UsageError(`${java.message} (TLC makes the graph; or give one with --graph.)`);
    await needJar(io);
  }
  const quiet: Io = options.json === true ? { ...io, isTerminal: false, out: () => {} } : io;
  const started = performance.now();
  const progress = await startProgress(quiet, 'starting');
  const outcomes = await runTasks(tasks, options, io, quiet, progress).finally(() => progress.stop());
  const exitCode = worst([...outcomes.map(exitCodeOf), ...(outcomes.length < tasks.length ? [COULD_NOT_TELL] : [])]);
  if (options.json === true) {
    const results = outcomes.map((outcome, index) => ({
      claim: tasks[index]!.name,
      model: tasks[index]!.model,
      ...plainOutcome(outcome),
    }));
    printJson(io, 'conform', exitCode, { system: options.system, results });
    return exitCode;
  }
  if (options.coverage === true) {
    const all = outcomes.flatMap((outcome) => ('coverage' in outcome ? [outcome.coverage] : []));
    for (const line of coverageLines(mergeCoverage(all))) io.out(line);
  }
  io.out(lastLine(outcomes, tasks.length, performance.now() - started));
  return exitCode;
}

async function runTasks(tasks: readonly Task[], options: ConformCommand, io: Io, quiet: Io, progress: Progress) {
  const kept = options.resume === undefined ? null : await Results.in(options.resume);
  const opened = options.system === 'memory' ? null : await openSystem(options.system, io.env);
  // With another specification nobody knows what shapes its variables have.
  const system = opened !== null && isForeign(options.system) && options.spec === undefined ? inShape(opened) : opened;
  const inTurn = oneAtATime();
  const judge = (task: Task, signal: AbortSignal): Promise<Outcome> => {
    const say = (text: string): void => progress.update(`${task.name}: ${text}`);
    return task.run(system, { say, inTurn, signal }).catch((error: unknown) => {
      if (!signal.aborted) throw error;
      return { kind: 'couldNotTell', reason: 'It was stopped before its end.' };
    });
  };
  try {
    return await inPool(tasks, options.jobs, io.signal, async (task, signal) => {
      const known = kept?.outcomeOf(task.model, options.profile, options.system, options.maxStates) ?? null;
      const outcome = known ?? (await judge(task, signal));
      if (known === null) kept?.add(task.model, options.profile, options.system, outcome);
      for (const line of outcomeLines(task.name, outcome, quiet)) progress.done(line);
      return outcome;
    });
  } finally {
    await system?.close();
  }
}

/** A system is one process, and takes graph after graph; meanwhile TLC makes the next. */
function oneAtATime(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  };
}

function claimTasks(names: readonly string[], options: ConformCommand, io: Io): Task[] {
  // Two logs alone (TwoLogs.tla) are no system that could take a step.
  const all = loadClaims().filter(({ model }) => isOfTheProtocol(modelConfig(model)));
  const claims = pickClaims(all, names, ({ set }) => options.deep === true || set !== 'deep');
  const models = [...new Map(claims.map((claim) => [claim.model, claim])).values()];
  return models.map(({ claim, counts, model: name }: Claim) => ({
    name: claim,
    model: name,
    run: async (system, { inTurn, say, signal }) => {
      const model = loadModel(name, options);
      const { maxStates, profile } = options;
      // Of a claim that holds they are recorded.
      let states = profile === undefined ? counts.states : undefined;
      if (maxStates !== undefined) {
        say('counting its states');
        states ??= (await explore(model, { maxStates, signal })).distinct;
        if (states > maxStates) return { kind: 'leftOut', maxStates };
      }
      const brief = states !== undefined && states <= BRIEF_STATES;
      const common = { env: io.env, signal, brief, ...(profile === undefined ? {} : { profile }) };
      const dump = await graphFor(options, say, (onProgress) => dumpGraph(name, { ...common, onProgress }));
      if (dump.kind === 'couldNotTell') return dump;
      const hold = () =>
        holdAgainst(new GraphStates(dump.graph), model, system, {
          tlcMs: dump.tlcMs,
          signal,
          onProgress: (done, of) => say(`${done.toLocaleString('en')} of ${of.toLocaleString('en')}`),
          ...(options.maxSteps === undefined ? {} : { maxSteps: options.maxSteps }),
        });
      return inTurn(hold);
    },
  }));
}

/** Any specification that TLC can check, and a system that can be put into its states. */
function specTask(names: readonly string[], options: ConformCommand, io: Io): Task {
  const file = resolve(options.spec ?? '');
  const config = file.replace(/\.tla$/, '.cfg');
  if (names.length > 0) throw new UsageError('With --spec name no claims: the specification has none of ours.');
  for (const needed of [file, config]) if (!existsSync(needed)) throw new UsageError(`There is no file ${needed}.`);
  const model = basename(file, '.tla');
  return {
    name: model,
    model,
    run: async (system, { say, signal }) => {
      if (system?.restore === undefined || system.enabled === undefined) {
        const wanted = 'say "can": ["restore", "enabled"] in its hello (docs/process-protocol.md)';
        throw new UsageError(
          `For a specification of one's own the system has to ${wanted}; ${options.system} does not.`,
        );
      }
      const dump = await graphFor(options, say, (onProgress) =>
        dumpModule(dirname(file), model, [specFolder], { env: io.env, signal, onProgress }),
      );
      if (dump.kind === 'couldNotTell') return dump;
      const started = performance.now();
      const states = new GraphStates(dump.graph, 'any');
      const constants = parseConfig(readFileSync(config, 'utf8'), config).constants;
      const plain = Object.fromEntries([...constants].map(([name, value]) => [name, plainOf(value)]));
      const subject = new SystemSubject(system, states, null, plain as unknown as SystemConfig);
      const result = await checkGraph(states, subject, { signal });
      const times = { tlc: dump.tlcMs, check: performance.now() - started };
      return { kind: 'checked', result, coverage: coverageOf(dump.graph), times };
    },
  };
}

type Made =
  | { readonly kind: 'graph'; readonly graph: StateGraph; readonly tlcMs: number | null }
  | Extract<Dump, { kind: 'couldNotTell' }>;

async function graphFor(
  { graph }: ConformCommand,
  say: (text: string) => void,
  make: (onProgress: (found: number) => void) => Promise<Dump>,
): Promise<Made> {
  if (graph !== undefined) return { kind: 'graph', graph: await readGraphFile(graph), tlcMs: null };
  return make((found) => say(`TLC has found ${found.toLocaleString('en')} states`));
}
