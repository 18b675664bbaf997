import type { Observation } from '../systems/system.ts';
import { type Difference, diffStates, record, type Value } from '../tla/index.ts';
import type { State } from '../trace/index.ts';
import { toState } from './mapping.ts';

/** A variable of a replica that cannot be seen at this moment: a broker that has just started does not tell its offsets. */
export interface Hidden {
  readonly variable: string;
  readonly replica: string;
}

export interface Comparison {
  readonly differences: readonly Difference[];
  readonly hidden: readonly Hidden[];
}

/** What the trace has and the system shows, where they differ; and what was not compared, because it was null. */
export function compare(wanted: State, observation: Observation): Comparison {
  const hidden: Hidden[] = [];
  const shown = Object.entries(observation).map(([variable, value]) => {
    const isPerReplica = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (!isPerReplica || !wanted.has(variable)) return [variable, value];
    const seen = Object.entries(value).filter(
      ([replica, part]) => part !== null || !hidden.push({ variable, replica }),
    );
    return [variable, Object.fromEntries(seen)];
  });
  const state = toState(Object.fromEntries(shown));
  const compared = [...wanted]
    .filter(([name]) => state.has(name))
    .map(([name, value]) => {
      const without = hidden.filter(({ variable }) => variable === name).map(({ replica }) => replica);
      return [name, without.length === 0 ? value : withoutFields(value, without)] as const;
    });
  // What else it shows is no variable, and hides nothing.
  return {
    differences: diffStates(new Map(compared), state),
    hidden: hidden.filter(({ variable }) => wanted.has(variable)),
  };
}

function withoutFields(value: Value, names: readonly string[]): Value {
  return value.kind === 'record' ? record([...value.fields].filter(([name]) => !names.includes(name))) : value;
}
