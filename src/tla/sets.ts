import { key } from './order.ts';
import { print } from './print.ts';
import { fn, int, model, record, set, tuple, type Value } from './value.ts';

/**
 * Sets that TLC may leave unevaluated: `1..9`, `SUBSET S`, `[S -> T]`, `[f: S]`, `S \X T` and so on. Small ones become the
 * set that they stand for, as with TLC itself, so that the same set is equal however it was printed. Of the others only
 * the text is known: a model value with that text, written in one way, so that it can be read back and compared.
 */

/** TLC evaluates a set of subsets of fewer elements than this (`SubsetValue.toString`), any other below `TLCGlobals.enumBound`. */
const SUBSET_BOUND = 7;
const ENUM_BOUND = 2_000;
/** An interval of more elements stays a text. */
export const MAX_INTERVAL = 100_000;

export class ElementBudget {
  #left: number;
  constructor(elements: number) {
    this.#left = elements;
  }
  /** False when so many more are too many. */
  take(elements: number): boolean {
    this.#left -= elements;
    return this.#left >= 0;
  }
}

/** Builds sets within a budget; a method returns null when that is used up. */
export class SetBuilder {
  readonly #budget: ElementBudget;
  readonly #intervals = new Map<string, Value>();

  constructor(budget: ElementBudget) {
    this.#budget = budget;
  }

  interval(from: bigint, to: bigint): Value | null {
    const text = `${from}..${to}`;
    const size = to < from ? 0n : to - from + 1n;
    if (size > BigInt(MAX_INTERVAL)) return model(text);
    const known = this.#intervals.get(text);
    if (known !== undefined) return known;
    if (!this.#budget.take(Number(size))) return null;
    const elements = Array.from({ length: Number(size) }, (_, index) => int(from + BigInt(index)));
    const built: Value = { kind: 'set', elements };
    this.#intervals.set(text, built);
    return built;
  }

  subset(of: Value): Value | null {
    const elements = elementsOf(of);
    if (elements === null || elements.length >= SUBSET_BOUND) return model(`SUBSET ${operand(of)}`);
    if (!this.#budget.take(2 ** elements.length * elements.length)) return null;
    const subsets = Array.from({ length: 2 ** elements.length }, (_, bits) =>
      set(elements.filter((_element, index) => (bits >> index) & 1)),
    );
    return set(subsets);
  }

  union(of: Value): Value | null {
    const inner = elementsOf(of)?.map(elementsOf);
    if (inner === undefined || inner.includes(null)) return model(`UNION ${operand(of)}`);
    const all = inner.flatMap((elements) => elements ?? []);
    return this.#budget.take(all.length) ? set(all) : null;
  }

  functions(domain: Value, range: Value): Value | null {
    const from = elementsOf(domain);
    const text = (): Value => model(`[${setText(domain)} -> ${setText(range)}]`);
    if (from === null) return text();
    const choices = this.#choices(from.map(() => range));
    if (choices === 'unknown') return text();
    return choices && set(choices.map((results) => fn(from.map((argument, index) => [argument, results[index]!]))));
  }

  records(fields: readonly (readonly [name: string, values: Value])[]): Value | null {
    const choices = this.#choices(fields.map(([, values]) => values));
    if (choices === 'unknown') {
      const sorted = [...fields].sort(([a], [b]) => (a < b ? -1 : 1));
      return model(`[${sorted.map(([name, values]) => `${name}: ${setText(values)}`).join(', ')}]`);
    }
    return (
      choices && set(choices.map((values) => record(fields.map(([name], index) => [name, values[index]!] as const))))
    );
  }

  product(factors: readonly Value[]): Value | null {
    const choices = this.#choices(factors);
    if (choices === 'unknown') return model(`(${factors.map(operand).join(' \\X ')})`);
    return choices && set(choices.map(tuple));
  }

  binary(operator: '\\cup' | '\\cap' | '\\', left: Value, right: Value): Value | null {
    if (left.kind !== 'set' || right.kind !== 'set') return model(`(${operand(left)} ${operator} ${operand(right)})`);
    if (!this.#budget.take(left.elements.length + right.elements.length)) return null;
    if (operator === '\\cup') return set([...left.elements, ...right.elements]);
    const others = new Set(right.elements.map(key));
    return set(left.elements.filter((element) => others.has(key(element)) === (operator === '\\cap')));
  }

  /** One element of each set, in every way: 'unknown' when a set is not known or the ways are too many, null over budget. */
  #choices(sets: readonly Value[]): Value[][] | 'unknown' | null {
    let size = 1;
    for (const each of sets) size *= elementsOf(each)?.length ?? Number.POSITIVE_INFINITY;
    // Not a number: an empty set beside one that is not known.
    if (!(size < ENUM_BOUND)) return 'unknown';
    if (!this.#budget.take(size * sets.length)) return null;
    return sets.reduce<Value[][]>(
      (ways, each) => ways.flatMap((way) => elementsOf(each)!.map((element) => [...way, element])),
      [[]],
    );
  }
}

function elementsOf(value: Value): readonly Value[] | null {
  return value.kind === 'set' ? value.elements : null;
}

/** A set as part of a larger expression: integers in a row as an interval. */
export function setText(value: Value): string {
  const elements = elementsOf(value) ?? [];
  const [first, last] = [elements[0], elements.at(-1)];
  const isInterval =
    elements.length > 1 &&
    first?.kind === 'int' &&
    last?.kind === 'int' &&
    last.value - first.value === BigInt(elements.length - 1);
  return isInterval ? `${first.value}..${last.value}` : print(value);
}

/** The same beside an operator, which binds tighter than the dots of an interval. */
function operand(value: Value): string {
  const text = setText(value);
  return /^-?\d/.test(text) ? `(${text})` : text;
}
