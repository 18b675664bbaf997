import type { Observation, System } from '../systems/system.ts';
import { ShapeError } from './codec.ts';
import { visible } from './compare.ts';
import { toState } from './mapping.ts';
import { ReplayProblem } from './problem.ts';

/**
 * A system of anybody's, whose variables have the shapes of the specification's whenever they are looked at.
 * @throws ReplayProblem where they have not
 */
export function inShape(system: System): System {
  return {
    ...system,
    observe: async () => {
      const shown = await system.observe();
      check(system.name, shown);
      return shown;
    },
  };
}

function check(name: string, shown: Observation): void {
  try {
    toState(visible(shown));
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    throw new ReplayProblem(`${name} shows what is no variable's value: ${error.message} (docs/process-protocol.md).`);
  }
}
