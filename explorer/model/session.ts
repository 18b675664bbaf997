import {
  actionOf,
  configOf,
  type Ghosts,
  ghosts as ghostTable,
  judge,
  judges,
  mapping,
  noGhosts,
  Run,
  stepOf,
} from '../../src/replay/index.ts';
import { type Action, actions, type ClusterState } from '../../src/replica/index.ts';
import { switchesOf } from '../../src/systems/memory.ts';
import type { SystemConfig, WorldStep } from '../../src/systems/system.ts';
import { bool, int, set, str } from '../../src/tla/index.ts';
import type { ActionTaken, State, Trace } from '../../src/trace/index.ts';
import { configForCluster } from './cluster.ts';
import { Opened } from './opened.ts';

const TABLE: Readonly<Record<string, Action>> = actions;

/** What somebody tries: a cluster, and the steps that it was made to take. Each step gives a new session. */
export class Session {
  readonly constants: State;
  readonly config: SystemConfig;
  readonly steps: readonly WorldStep[];
  readonly opened: Opened;
  readonly #states: readonly State[];
  readonly #actions: readonly (ActionTaken | null)[];
  readonly #before: Session | null;
  readonly #saved: { readonly state: ClusterState; readonly ghosts: Ghosts };

  private constructor(
    constants: State,
    config: SystemConfig,
    steps: readonly WorldStep[],
    run: Run,
    before: Session | null,
  ) {
    this.constants = constants;
    this.config = config;
    this.steps = steps;
    this.#before = before;
    this.#saved = { state: run.cluster.save(), ghosts: run.ghosts };
    this.#states = [...(before?.states ?? []), run.state()];
    this.#actions = before === null ? [null] : [...before.actions, actionOf(steps.at(-1)!)];
    this.opened = new Opened('tried', this.#trace(), { title: 'What you tried', config });
  }

  /** A fresh cluster. @throws ReplayProblem if the constants make no sense */
  static begin(constants: State): Session {
    const vars = [...Object.keys(mapping), ...Object.keys(ghostTable)];
    const config = configOf({ vars, constants });
    return new Session(constants, config, [], new Run(config), null);
  }

  /** The first `upTo` steps of a trace. It ends early where the implementation does not take one. */
  static along(trace: Trace, upTo: number): Session {
    let session = Session.begin(trace.constants ?? new Map());
    for (const action of trace.actions.slice(1, upTo + 1)) {
      const step = action === null ? null : stepOf(action);
      const next = step === null ? null : session.take(step);
      if (next === null) break;
      session = next;
    }
    return session;
  }

  get states(): readonly State[] {
    return this.#states;
  }

  get actions(): readonly (ActionTaken | null)[] {
    return this.#actions;
  }

  /** Null: the protocol does not allow it now. */
  take(step: WorldStep): Session | null {
    const run = this.#run();
    return run.step(step).kind === 'refused'
      ? null
      : new Session(this.constants, this.config, [...this.steps, step], run, this);
  }

  /** The same without the last step. */
  undo(): Session {
    return this.#before ?? this;
  }

  /** The same without any step. */
  anew(): Session {
    return Session.begin(this.constants);
  }

  /** What would be told of the step. */
  preview(step: WorldStep): string {
    return this.take(step)?.opened.sentence(this.steps.length + 1) ?? '';
  }

  /** Every action, with the arguments it can take now, or why it cannot happen. */
  choices(): Choice[] {
    const world = {
      config: configForCluster(this.config),
      state: this.#saved.state,
      result: { acknowledged: [], refused: [] },
    };
    return Object.entries(TABLE).map(([action, entry]) => {
      const offers = entry
        .offers(world)
        .map((args) => ({ step: { action, args }, reason: entry.whyNot(world, ...args) }));
      return {
        action,
        possible: offers.filter(({ reason }) => reason === null).map(({ step }) => step),
        reasons: [...new Set(offers.flatMap(({ reason }) => reason ?? []))],
      };
    });
  }

  /** The properties that the state breaks, and how. */
  broken(): { property: string; what: string }[] {
    const run = this.#run();
    return Object.keys(judges).flatMap((property) => {
      if (!this.#isAsked(property)) return [];
      const what = judge(property, run.observe(), run.ghosts);
      return what === null ? [] : [{ property, what }];
    });
  }

  /**
   * The guarded form says enough; where truncation is inside Fetch, no follower is ever past its truncation; and a rule
   * that knows no epochs has no cache that could be wrong.
   */
  #isAsked(property: string): boolean {
    const rules = Object.values(this.config.profileOf).map(switchesOf);
    switch (property) {
      case 'CommittedSurvivesAnything':
        return false;
      case 'FollowerAgrees':
        return rules.every(({ truncation }) => truncation !== 'insideFetch');
      case 'CacheMatchesLog':
        return rules.every(({ epochCache }) => epochCache);
      default:
        return true;
    }
  }

  /** As any other trace, with the property that it breaks, if it does. */
  trace(): Trace {
    const [broken] = this.broken();
    const meta = broken === undefined ? {} : { property: broken.property };
    return { ...this.#trace(), meta };
  }

  #trace(): Trace {
    const vars = [...Object.keys(mapping), ...Object.keys(ghostTable)];
    return { vars, states: this.#states, actions: this.#actions, constants: this.constants, meta: {} };
  }

  #run(): Run {
    const run = new Run(this.config);
    run.cluster.restore(this.#saved.state);
    run.ghosts = this.#saved.ghosts ?? noGhosts;
    return run;
  }
}

export interface Choice {
  readonly action: string;
  readonly possible: readonly WorldStep[];
  /** Why it cannot happen, where it cannot. */
  readonly reasons: readonly string[];
}

/** The constants of a model with some of them given another value. */
export function withConstants(constants: State, given: Given): State {
  const changed = new Map(constants);
  if (given.rule !== undefined) {
    changed.set('Profile', str(given.rule));
    changed.set('Upgraded', set([]));
    // The controller keeps eligible leader replicas in a cluster of 4.x.
    changed.set('EligibleLeaders', bool(given.rule.startsWith('Kafka_4')));
  }
  if (given.minIsr !== undefined) changed.set('MinIsr', int(given.minIsr));
  if (given.replicas !== undefined) {
    changed.set('Replicas', set(given.replicas.map(str)));
    changed.set('FirstLeader', str(given.replicas[0] ?? ''));
  }
  return changed;
}

export interface Given {
  readonly rule?: string | undefined;
  readonly minIsr?: number | undefined;
  /** The first of them leads at first. */
  readonly replicas?: readonly string[] | undefined;
}
