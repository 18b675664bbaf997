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
  const state = toState(visible(observation, (one) => hidden.push(one)));
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

/** Without the replicas that do not show a variable at this moment. */
export function visible(observation: Observation, onHidden: (hidden: Hidden) => void = () => {}): Observation {
  return Object.fromEntries(
    Object.entries(observation).map(([variable, value]) => {
      const isPerReplica = typeof value === 'object' && value !== null && !Array.isArray(value);
      if (!isPerReplica) return [variable, value];
      const parts = Object.entries(value);
      for (const [replica, part] of parts) if (part === null) onHidden({ variable, replica });
      return [variable, Object.fromEntries(parts.filter(([, part]) => part !== null))];
    }),
  );
}

function withoutFields(value: Value, names: readonly string[]): Value {
  return value.kind === 'record' ? record([...value.fields].filter(([name]) => !names.includes(name))) : value;
}
