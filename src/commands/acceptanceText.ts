import type { Acceptance } from '../claims/index.ts';

/** Why TLC does not take a run for a behaviour of the specification, or cannot tell; null if it does. */
export function problemOf(acceptance: Acceptance): string | null {
  switch (acceptance.kind) {
    case 'accepted':
      return null;
    case 'couldNotTell':
      return acceptance.reason;
    case 'violates':
      return `it breaks ${acceptance.invariant} in state ${acceptance.index}`;
    case 'rejected':
      return `step ${acceptance.matched + 1}, ${acceptance.next}, is no step of it`;
  }
}
