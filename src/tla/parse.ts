import { Scanner } from './scanner.ts';
import { ElementBudget, SetBuilder } from './sets.ts';
import { StateReader } from './stateReader.ts';
import type { Value } from './value.ts';
import { MAX_UNLISTED_ELEMENTS, ValueParser } from './valueParser.ts';

/** Parses one value, in any layout, as TLC prints it. Throws a TlaSyntaxError. */
export function parse(text: string): Value {
  const parser = new ValueParser(new Scanner(text), new SetBuilder(new ElementBudget(MAX_UNLISTED_ELEMENTS)));
  return parser.whole();
}

/**
 * Parses a state as TLC prints it: `/\ x = 1` for each variable, or `x = 1` when there is only one. A blank text is no
 * variable at all: what `-difftrace` prints for a step that changes nothing.
 */
export function parseState(text: string): Map<string, Value> {
  return new StateReader().read(text);
}
