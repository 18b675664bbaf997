import type { Trace } from '../trace/index.ts';
import type { TlcOutcome } from './outcome.ts';
import type { SpecError } from './parse/sany.ts';

/** How the error begins that there is no specification at all. */
export const NO_FILE = 'There is no file ';

/** One sentence for people. */
export function outcomeText(outcome: TlcOutcome): string {
  switch (outcome.kind) {
    case 'success':
      return outcome.exhaustive ? 'No error was found.' : 'No error was found, in a search that is not exhaustive.';
    case 'invariant':
      return `The invariant ${outcome.name} is violated${inStates(outcome)}.`;
    case 'actionProperty':
      return `The property ${outcome.name} is violated${inStates(outcome)}.`;
    case 'temporal': {
      const { names } = outcome;
      if (names === null) return 'A temporal property is violated: TLC does not say which.';
      return `The temporal ${names.length === 1 ? 'property' : 'properties'} ${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} violated.`;
    }
    case 'deadlock':
      return `A deadlock is reached, after ${states(outcome.trace.states.length)}.`;
    case 'assertion':
      return `An assertion is false: ${outcome.message}`;
    case 'parse':
      if (outcome.errors[0]?.message.startsWith(NO_FILE)) return outcome.errors[0].message;
      return `The specification has errors${placeOf(outcome.errors[0])}: ${outcome.errors[0]?.message.trim().split('\n')[0]}`;
    case 'timeout':
      return `TLC was stopped after ${Math.round(outcome.timeoutMs / 1000)} s.`;
    case 'cancelled':
      return 'The model check was cancelled.';
    case 'assumption':
    case 'evaluation':
    case 'incompleteNext':
    case 'config':
    case 'usage':
    case 'outOfMemory':
    case 'toolFailure':
    case 'missingJava':
    case 'badJar':
      return outcome.message;
    default:
      return unreachable(outcome);
  }
}

function inStates({ initial, trace }: { initial: boolean; trace: Trace }): string {
  return initial ? ' by the initial state' : `, after ${states(trace.states.length)}`;
}

function states(count: number): string {
  return `${count} state${count === 1 ? '' : 's'}`;
}

function placeOf(error: SpecError | undefined): string {
  if (error?.line === undefined) return '';
  return ` (${error.module ?? 'module'}.tla, line ${error.line}, column ${error.column})`;
}

function unreachable(outcome: never): never {
  throw new TypeError(`no such outcome: ${JSON.stringify(outcome)}`);
}
