import { parse, type Value } from '../../tla/index.ts';
import type { ActionTaken } from '../../trace/index.ts';

/** An argument may hold any text, also `>` and "line 1, col 2": so the place is read from the right end. */
const LOCATION = / (line \d+, col \d+ to line \d+, col \d+ of module \w+|Unknown location)>$/;

/**
 * Parses a label such as `<Append line 7, col 17 to line 7, col 62 of module Par>`; newer releases add arguments:
 * `<Ready(a) line …>` (tlaplus `tlc2.tool.Action.getLocation`). Arguments that are no values (operators) are left out.
 * An action without a name is called `Action`, as TLC does. Null for `<Initial predicate>`: no action was taken.
 */
export function parseActionLabel(label: string): ActionTaken | null {
  const text = label.trim();
  if (text === '' || text === '<Initial predicate>') return null;
  const match = LOCATION.exec(text);
  const inner = match !== null ? text.slice(1, match.index) : text.replace(/^<|>$/g, '');
  const place = match?.[1];
  const location = place === undefined || place === 'Unknown location' ? {} : { location: place };
  if (inner.trim() === '') return null;
  const open = inner.indexOf('(');
  if (open <= 0 || !inner.endsWith(')')) return { name: inner, ...location };
  const args = parseArguments(inner.slice(open + 1, -1));
  return { name: inner.slice(0, open), ...(args === null ? {} : { args }), ...location };
}

/** "1,[a |-> 2]" are the elements of the tuple `<<1,[a |-> 2]>>`. */
function parseArguments(text: string): readonly Value[] | null {
  try {
    const tuple = parse(`<<${text}>>`);
    return tuple.kind === 'tuple' ? tuple.elements : null;
  } catch {
    return null;
  }
}
