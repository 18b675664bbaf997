import { print, type Value } from '../tla/index.ts';
import type { State, Trace } from '../trace/index.ts';
import type { Step } from './facts.ts';
import { tell } from './sentences/tell.ts';
import { readWorld, StoryError, type World } from './world.ts';

/** A trace of spec/LeaderEpoch.tla, read and told. */
export interface Told {
  readonly first: World;
  readonly last: World;
  readonly steps: readonly ToldStep[];
  /** It goes round for ever. */
  readonly loops: boolean;
}

export interface ToldStep extends Step {
  /** As on the command line of a debugger: `HandleFetch(A, B)`. */
  readonly call: string;
  readonly sentence: string;
}

export function tellSteps(trace: Trace): Told {
  const worlds = trace.states.map(worldOf);
  const steps = trace.actions.slice(1).map((action, index): ToldStep => {
    const name = action?.name ?? 'an unknown step';
    const args = (action?.args ?? []).map(plain);
    const step = { before: worlds[index]!, after: worlds[index + 1]!, name, args };
    return { ...step, call: `${name}(${args.join(', ')})`, sentence: tell(step) };
  });
  return { first: worlds[0]!, last: worlds.at(-1)!, steps, loops: trace.loop !== undefined };
}

function worldOf(state: State, index: number): World {
  try {
    return readWorld(state);
  } catch (error) {
    throw error instanceof StoryError ? new StoryError(`state ${index} is ${error.message}`) : error;
  }
}

function plain(value: Value): string {
  return value.kind === 'string' ? value.value : print(value);
}
