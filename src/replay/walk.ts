import type { SystemConfig, WorldStep } from '../systems/system.ts';
import { bool, int, set, str, type Value } from '../tla/index.ts';
import type { Trace } from '../trace/index.ts';
import { Recorder, Run } from './run.ts';
import { seeded } from './seeded.ts';

/** How often each may happen in a walk; what is not named here is free. */
export type Budget = Readonly<Record<string, number>>;

export interface Wandering {
  readonly profile: string;
  readonly seed: number;
  readonly replicas?: readonly string[];
  readonly options?: Partial<SystemConfig>;
  readonly budget?: Budget;
}

const USUAL: Budget = {
  Write: 4,
  Crash: 3,
  PowerLoss: 2,
  ElectUnclean: 2,
  PartitionOffline: 2,
  LoseMessage: 3,
  Elect: 8,
  ShrinkIsr: 4,
};

/** A random run of the implementation: the action first, then its arguments, so that rare actions are not drowned. */
export class Wanderer {
  readonly run: Run;
  readonly #random: () => number;
  readonly #left: Map<string, number>;

  constructor(options: Wandering) {
    const { config, budget } = settings(options);
    this.run = new Run(config);
    this.#random = seeded(options.seed);
    this.#left = new Map(Object.entries(budget));
  }

  /** The step that it took; null if there is none left. */
  step(): WorldStep | null {
    const enabled: WorldStep[] = this.run.cluster.enabled().filter(({ action }) => this.#left.get(action) !== 0);
    if (enabled.length === 0) return null;
    const action = this.#pick([...new Set(enabled.map((step) => step.action))]);
    const step = this.#pick(enabled.filter((one) => one.action === action));
    const left = this.#left.get(action);
    if (left !== undefined) this.#left.set(action, left - 1);
    const outcome = this.run.step(step);
    if (outcome.kind === 'refused') throw new Error(`${action} was offered, and refused: ${outcome.reason}`);
    return step;
  }

  #pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.#random() * from.length)] as T;
  }
}

/** So many steps, as a trace. */
export function walk(options: Wandering & { readonly steps: number }): Trace {
  const wanderer = new Wanderer(options);
  const recorder = new Recorder(wanderer.run.state());
  for (let taken = 0; taken < options.steps; taken++) {
    const step = wanderer.step();
    if (step === null) break;
    recorder.add(step, wanderer.run.state());
  }
  return recorder.trace(constantsOf(settings(options).config, options.profile), {});
}

export function settings({ profile, replicas = ['A', 'B'], options, budget }: Wandering) {
  const config: SystemConfig = {
    replicas,
    firstLeader: 'A',
    profileOf: Object.fromEntries(replicas.map((id) => [id, profile])),
    minIsr: 1,
    lazyCheckpoint: false,
    resumeSameEpoch: false,
    oldNews: false,
    ...options,
  };
  return { config, budget: { ...USUAL, ...budget } };
}

export function constantsOf(config: SystemConfig, profile: string): Map<string, Value> {
  return new Map<string, Value>([
    ['Replicas', set(config.replicas.map(str))],
    ['FirstLeader', str(config.firstLeader)],
    ['Profile', str(profile)],
    ['MinIsr', int(config.minIsr)],
    ['Acks', set([str('1'), str('all')])],
    ['LazyCheckpoint', bool(config.lazyCheckpoint)],
    ['ResumeSameEpoch', bool(config.resumeSameEpoch)],
    ['OldNews', bool(config.oldNews)],
  ]);
}
