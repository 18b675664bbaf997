import type { PageClaim } from '../../src/page/data.ts';
import { configOf, inferArguments, judge, type ReplayProblem, toObservation } from '../../src/replay/index.ts';
import { type Conclusion, conclude, readWorld, type ToldStep, tell, type World } from '../../src/report/index.ts';
import type { SystemConfig } from '../../src/systems/system.ts';
import { equal, print, type Value } from '../../src/tla/index.ts';
import type { ActionTaken, State, Trace } from '../../src/trace/index.ts';
import { profileTitle } from './names.ts';

export interface OpenedOptions {
  readonly claim?: PageClaim | null;
  readonly title?: string;
  readonly config?: SystemConfig;
}

export interface Shape {
  /** The longest log. */
  readonly records: number;
  /** Whether it matters what was flushed. */
  readonly power: boolean;
  readonly lazy: boolean;
  /** What each replica runs, if not all run the same: in the middle of an upgrade. */
  readonly rules?: Readonly<Record<string, string>>;
}

/**
 * A trace that somebody looks at. States are read and steps told when they are asked for, and kept: a trace may be long.
 */
export class Opened {
  readonly name: string;
  readonly title: string;
  readonly trace: Trace;
  readonly claim: PageClaim | null;
  /** Null: of another specification; then there is nothing to draw but variables. */
  readonly config: SystemConfig | null;
  /** Why it is no trace of this protocol. */
  readonly problem: string | null;
  readonly #worlds: World[] = [];
  readonly #steps: ToldStep[] = [];
  #conclusion: Conclusion | null = null;
  #shape: Shape | null = null;

  /** `config`: for a trace that is known to be of this protocol, with the arguments of its steps. */
  constructor(name: string, trace: Trace, { claim = null, title, config }: OpenedOptions = {}) {
    this.name = name;
    this.claim = claim;
    this.title = title ?? claim?.title ?? name;
    const read = config === undefined ? readConfig(trace) : { config, problem: null };
    this.config = read.config;
    this.problem = read.problem;
    this.trace = read.config === null || config !== undefined ? trace : inferArguments(trace, read.config).trace;
  }

  /** The index of the last state; 0 is the initial one. */
  get last(): number {
    return this.trace.states.length - 1;
  }

  get profile(): string {
    const profile = this.trace.constants?.get('Profile');
    return profile?.kind === 'string' ? profile.value : '';
  }

  get property(): string | null {
    const { property } = this.trace.meta;
    return typeof property === 'string' && property !== '' ? property : null;
  }

  state(index: number): State {
    return this.trace.states[index]!;
  }

  action(index: number): ActionTaken | null {
    return this.trace.actions[index] ?? null;
  }

  /** `HandleFetch(A, B)`; for state 0 and where nothing changed, words. */
  call(index: number): string {
    const action = this.action(index);
    if (index === 0) return 'Init';
    if (action === null) return this.isStuttering(index) ? 'nothing' : 'a step without a name';
    return `${action.name}(${(action.args ?? []).map(plain).join(', ')})`;
  }

  /** The arguments of a step, in words. */
  args(index: number): string[] {
    return (this.action(index)?.args ?? []).map(plain);
  }

  world(index: number): World {
    this.#worlds[index] ??= readWorld(this.state(index));
    return this.#worlds[index]!;
  }

  /** The step that led to the state `index`, from 1 on. */
  step(index: number): ToldStep {
    this.#steps[index] ??= this.#tell(index);
    return this.#steps[index]!;
  }

  #tell(index: number): ToldStep {
    const action = this.action(index);
    const step = {
      before: this.world(index - 1),
      after: this.world(index),
      name: action?.name ?? '',
      args: this.args(index),
    };
    const call = this.call(index);
    if (this.isStuttering(index)) return { ...step, call, sentence: 'Nothing changes: the trace stands still here.' };
    if (action === null) return { ...step, call, sentence: 'The trace does not say what happened in this step.' };
    if (action.args === undefined) return { ...step, call, sentence: `${action.name}. Its arguments are not known.` };
    return { ...step, call, sentence: told(step, call) };
  }

  /** How many records clients have written by then. */
  written(index: number): number {
    const written = this.state(index).get('written');
    return written?.kind === 'int' ? Number(written.value) : 0;
  }

  /** What all drawings of the trace have in common. */
  shape(): Shape {
    this.#shape ??= this.#findShape();
    return this.#shape;
  }

  #findShape(): Shape {
    const worlds = Array.from({ length: this.last + 1 }, (_, index) => this.world(index));
    return {
      records: Math.max(1, ...worlds.flatMap(({ replicas }) => replicas.map(({ log }) => log.length))),
      power: this.trace.actions.some((action) => action?.name === 'PowerLoss' || action?.name === 'Flush'),
      lazy: this.config?.lazyCheckpoint === true,
      ...mixedRules(this.config),
    };
  }

  sentence(index: number): string {
    if (index > 0 && this.config !== null) return this.step(index).sentence;
    if (index > 0) return this.isStuttering(index) ? 'Nothing changes.' : this.call(index);
    if (this.config === null) return 'The first state.';
    const { controller, replicas } = this.world(0);
    const others = replicas.map(({ name }) => name).filter((name) => name !== controller.leader);
    const follow = others.length === 1 ? 'follows' : 'follow';
    const empty = replicas.every(({ log }) => log.length === 0) ? ' Both logs are empty.' : '';
    return `${controller.leader} leads in epoch e${controller.epoch}, ${others.join(' and ')} ${follow}.${empty}`.replace(
      'Both logs',
      replicas.length === 2 ? 'Both logs' : 'All logs',
    );
  }

  isStuttering(index: number): boolean {
    if (index === 0) return false;
    const [before, after] = [this.state(index - 1), this.state(index)];
    return this.trace.vars.every((name) => isSame(before.get(name), after.get(name)));
  }

  /** Whether a state belongs to what repeats for ever. */
  inLoop(index: number): boolean {
    return this.trace.loop !== undefined && index >= this.trace.loop;
  }

  /** What the last state shows of the trace's property, or of all of them. */
  conclusion(): Conclusion {
    this.#conclusion ??= this.#conclude();
    return this.#conclusion;
  }

  #conclude(): Conclusion {
    const steps = Array.from({ length: this.last }, (_, index) => this.step(index + 1));
    const loops = this.trace.loop !== undefined;
    const told = { first: this.world(0), last: this.world(this.last), steps, loops };
    return this.property === null ? conclude(told) : conclude(told, this.property);
  }

  /** How the state `index` breaks the trace's property, in a sentence; null if it does not. */
  broken(index: number): string | null {
    if (this.config === null || this.property === null) return null;
    const shown = toObservation(this.state(index)) as unknown as Parameters<typeof judge>[1];
    return judge(this.property, shown, shown as never);
  }
}

function isSame(before: Value | undefined, after: Value | undefined): boolean {
  return before === undefined || after === undefined ? before === after : equal(before, after);
}

function mixedRules(config: SystemConfig | null): Pick<Shape, 'rules'> {
  const rules = Object.entries(config?.profileOf ?? {}).map(([id, name]) => [id, profileTitle(name)] as const);
  const isMixed = new Set(rules.map(([, rule]) => rule)).size > 1;
  return isMixed ? { rules: Object.fromEntries(rules) } : {};
}

/** A step that the sentences cannot tell is told by its name: a trace may come from anywhere. */
function told(step: Parameters<typeof tell>[0], call: string): string {
  try {
    return tell(step);
  } catch (error) {
    if (error instanceof TypeError) return `${call}.`;
    throw error;
  }
}

function readConfig(trace: Trace): { config: SystemConfig | null; problem: string | null } {
  try {
    const config = configOf(trace);
    for (const state of [trace.states[0]!, trace.states.at(-1)!]) readWorld(state);
    trace.states.forEach(toObservation);
    return { config, problem: null };
  } catch (error) {
    const { message } = error as ReplayProblem | TypeError;
    return { config: null, problem: message };
  }
}

export function plain(value: Value): string {
  return value.kind === 'string' ? value.value : print(value);
}
