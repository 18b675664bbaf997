import type { Value } from '../tla/index.ts';

/** The value of each variable, by its name. */
export type State = ReadonlyMap<string, Value>;

/** The step of the specification that led to a state, as far as the source of the trace tells it. */
export type ActionTaken = {
  readonly name: string;
  /** In the order of the action's parameters. Absent: unknown; empty: it takes none. */
  readonly args?: readonly Value[];
  /** Choices known by name only, as Quint records them. */
  readonly picks?: ReadonlyMap<string, Value>;
  /** Where the action stands, as TLC words it: `line 7, col 17 to line 7, col 62 of module Par`. */
  readonly location?: string;
};

/** A behaviour of a specification: finite, or a lasso when `loop` is set. */
export type Trace = {
  /** The variables in the order in which they are shown; each state has exactly these. */
  readonly vars: readonly string[];
  /** State 0 is the initial one; there is always one. */
  readonly states: readonly State[];
  /** One for each state: what led to it. Null for state 0, and where it is unknown. */
  readonly actions: readonly (ActionTaken | null)[];
  /** The index (from 0) of the state to which the last one goes back. The last index itself: it stutters for ever. */
  readonly loop?: number;
  /** What closes the loop; absent when unknown, or when there is none. */
  readonly loopAction?: ActionTaken;
  /** The constants of the specification that the source of the trace gave. */
  readonly constants?: State;
  /** Plain JSON data about the trace: claim, model, profile, property, jar version, hash of the specification. */
  readonly meta: Readonly<Record<string, unknown>>;
};

/** What stands beside the variables in ITF. */
export const BESIDE_VARIABLES = /^#meta$|^mbt::/;

/** Throws on what only a mistake in our own code can have built. */
export function assertTrace(trace: Trace): void {
  const { vars, states, actions, loop, loopAction } = trace;
  check(states.length > 0, 'a trace has at least one state');
  check(
    actions.length === states.length,
    `a trace has one action for each of ${states.length} states, not ${actions.length}`,
  );
  check(actions[0] === null, 'no action leads to state 0');
  check(
    loop === undefined || (Number.isInteger(loop) && loop >= 0 && loop < states.length),
    `no state has index ${loop}`,
  );
  check(loopAction === undefined || loop !== undefined, 'an action that closes the loop needs a loop');
  check(
    actions.every((action) => action === null || action.name !== ''),
    'an action has a name, or is null',
  );
  check(!vars.some((name) => BESIDE_VARIABLES.test(name)), `#meta and mbt:: are no variables: ${vars}`);
  check(new Set(vars).size === vars.length, 'a trace names each variable once');
  states.forEach((state, index) => {
    const same = state.size === vars.length && vars.every((name) => state.has(name));
    check(same, `state ${index} has the variables ${[...state.keys()]}, not ${vars}`);
  });
}

function check(condition: boolean, rule: string): void {
  if (!condition) throw new TypeError(rule);
}
