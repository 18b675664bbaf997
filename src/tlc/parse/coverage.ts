import { parseCount } from './counts.ts';
import { findRange, type SourceRange } from './location.ts';
import type { Message } from './messages.ts';

/** One line of the last coverage report (`-coverage`). */
export interface CoverageItem {
  readonly kind: 'init' | 'next' | 'property' | 'constraint' | 'variable' | 'expression';
  /** The name of the action or property; null for an expression. */
  readonly name: string | null;
  readonly location: SourceRange | null;
  /** Of an action without a name, a disjunct of the one at `location`: where it stands itself. */
  readonly part: SourceRange | null;
  /** How deep an expression stands inside the one above it; 0 otherwise. */
  readonly nesting: number;
  /** New distinct states that it led to (of an action); null when TLC counts none. */
  readonly distinct: number | null;
  /** Times evaluated, or states generated (of an action). */
  readonly count: number | null;
  /** Cost of evaluation in TLC's own unit (2775); null otherwise. */
  readonly cost: number | null;
}

/** Codes: tlaplus `EC.TLC_COVERAGE_*`. */
const KINDS: Readonly<Record<number, CoverageItem['kind']>> = {
  2773: 'init',
  2772: 'next',
  2774: 'property',
  2778: 'constraint',
  2779: 'variable',
  2221: 'expression',
  2775: 'expression',
};

/** `<Next line 5, col 1 to line 5, col 4 of module Loc (5 10 5 36)>: 49:2500`, or `  |line 5, col 10 to …: 2500`. */
export function parseCoverage(message: Message): CoverageItem | null {
  const kind = KINDS[message.code];
  const text = message.lines.join('\n').trimEnd();
  if (kind === undefined) return null;
  const numbers = /: ([^\s:]+)(?::([^\s:]+))?$/.exec(text);
  const first = numbers === null ? null : parseCount(numbers[1]!);
  const second = numbers?.[2] === undefined ? null : parseCount(numbers[2]);
  const expression = kind === 'expression';
  const location = findRange(text);
  return {
    kind,
    name: /^<(.+?) line \d/.exec(text)?.[1] ?? null,
    location,
    part: partOf(text, location),
    nesting: /^\s*(\|*)/.exec(text)![1]!.length,
    distinct: !expression && second !== null ? first : null,
    count: expression ? first : (second ?? first),
    cost: expression ? second : null,
  };
}

/** `(5 10 5 36)` after the place of the action. */
function partOf(text: string, within: SourceRange | null): SourceRange | null {
  const [line, column, endLine, endColumn] = (/ \((\d+) (\d+) (\d+) (\d+)\)>/.exec(text)?.slice(1) ?? []).map(Number);
  if (line === undefined || column === undefined || endLine === undefined || endColumn === undefined) return null;
  return { module: within?.module ?? null, line, column, endLine, endColumn };
}
