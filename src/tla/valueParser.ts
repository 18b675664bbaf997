import { entriesOf } from './access.ts';
import { bracket, listedSet } from './brackets.ts';
import { Pool } from './pool.ts';
import { END, INT, type Kind, NAME, OPAQUE, type Scanner, STRING } from './scanner.ts';
import { type SetBuilder, setText } from './sets.ts';
import {
  CAP,
  CLOSE,
  CLOSE_TUPLE,
  COMMA,
  CUP,
  DOTS,
  JOIN,
  MINUS,
  OPEN,
  OPEN_RECORD,
  OPEN_SET,
  OPEN_TUPLE,
  TIMES,
  TO,
  WITHOUT,
} from './tokens.ts';
import { bool, type Entry, fnOf, int, model, set, tupleOf, type Value } from './value.ts';

/**
 * Brackets in brackets: far beyond any state. Each function over values recurses, in four stack frames a level; Node's
 * default stack (984 kB, not yet optimised code) holds some 1,300 levels, and the caller needs some of it.
 */
export const MAX_DEPTH = 500;
/** Elements that the sets of one text which TLC did not list may have together: `1..9`, `SUBSET {1, 2}`. */
export const MAX_UNLISTED_ELEMENTS = 1_000_000;

/** Recursive descent, with few calls for each level of nesting: the stack is what bounds the depth. */
export class ValueParser {
  readonly at: Scanner;
  readonly sets: SetBuilder;

  readonly pool: Pool;

  constructor(scanner: Scanner, sets: SetBuilder, pool = new Pool()) {
    this.at = scanner;
    this.sets = sets;
    this.pool = pool;
  }

  whole(): Value {
    const value = this.expression(0);
    if (this.at.kind !== END) this.at.fail('the end of the value');
    return value;
  }

  expect(kind: Kind, expected: string): void {
    if (!this.at.accept(kind)) this.at.fail(expected);
  }

  name(expected: string): string {
    if (this.at.kind !== NAME) this.at.fail(expected);
    const { text } = this.at;
    this.at.advance();
    return text;
  }

  /** One value, or functions joined by `@@`, where the left one wins. TLC adds parentheses; they may be absent. */
  expression(depth: number): Value {
    const at = this.at;
    const start = at.start;
    if (depth > MAX_DEPTH) this.#tooDeep();
    const first = this.sum(this.#operand(depth), start, depth);
    if (at.kind !== TO && at.kind !== JOIN) return first;
    const entries: Entry[] = [];
    this.#addEntries(entries, first, start, depth);
    while (at.accept(JOIN)) {
      const next = at.start;
      this.#addEntries(entries, this.sum(this.#operand(depth), next, depth), next, depth);
    }
    return fnOf(entries);
  }

  /** Adds `left :> right`, or the entries of a function that stands for itself. */
  #addEntries(entries: Entry[], left: Value, start: number, depth: number): void {
    if (this.at.accept(TO)) {
      const next = this.at.start;
      entries.push([left, this.sum(this.#operand(depth), next, depth)]);
      return;
    }
    const own = entriesOf(left) ?? this.at.fail('a function beside @@', start);
    for (const entry of own) entries.push(entry);
  }

  /** `S \cup T`, `S \X T \X U` and the like, after the first operand. */
  sum(first: Value, start: number, depth: number): Value {
    const at = this.at;
    let value = first;
    for (;;) {
      const { kind } = at;
      if (kind !== CUP && kind !== CAP && kind !== WITHOUT && kind !== TIMES) return value;
      this.asSet(value, start);
      const factors = [value];
      do {
        at.advance();
        const next = at.start;
        factors.push(this.asSet(this.#operand(depth), next));
      } while (kind === TIMES && at.kind === TIMES);
      const operator = kind === CUP ? '\\cup' : kind === CAP ? '\\cap' : '\\';
      const sets = this.sets;
      value = this.within(kind === TIMES ? sets.product(factors) : sets.binary(operator, value, factors[1]!), start);
    }
  }

  #operand(depth: number): Value {
    const at = this.at;
    const { kind, start } = at;
    switch (kind) {
      case STRING: {
        const text = at.stringValue();
        at.advance();
        return this.pool.string(text);
      }
      case NAME: {
        const { text } = at;
        at.advance();
        return this.named(text, start, depth);
      }
      case INT:
      case MINUS:
        return this.#intOrInterval(this.#integer(), start);
      case OPAQUE:
        return model(this.opaque());
      case OPEN: {
        at.advance();
        const value = this.expression(depth + 1);
        this.expect(CLOSE, ':>, @@ or )');
        return value;
      }
      case OPEN_SET:
        return listedSet(this, depth);
      case OPEN_TUPLE:
        at.advance();
        return tupleOf(this.list(CLOSE_TUPLE, '>>', depth));
      case OPEN_RECORD:
        return bracket(this, depth);
      default:
        return at.fail('a value');
    }
  }

  /** After the opening bracket. */
  list(close: Kind, closeText: string, depth: number): Value[] {
    const elements: Value[] = [];
    if (this.at.accept(close)) return elements;
    do elements.push(this.expression(depth + 1));
    while (this.at.accept(COMMA));
    this.expect(close, `, or ${closeText}`);
    return elements;
  }

  /** After a name: `TRUE`, a model value, `SUBSET S`, `Seq(S)`. */
  named(text: string, start: number, depth: number): Value {
    const at = this.at;
    switch (text) {
      case 'TRUE':
        return TRUE;
      case 'FALSE':
        return FALSE;
      case 'BOOLEAN':
        return set([FALSE, TRUE]);
      case 'SUBSET':
      case 'UNION': {
        if (depth > MAX_DEPTH) this.#tooDeep();
        const next = at.start;
        const of = this.asSet(this.#operand(depth + 1), next);
        return this.within(text === 'SUBSET' ? this.sets.subset(of) : this.sets.union(of), start);
      }
    }
    if (at.kind !== OPEN) return model(text);
    at.advance();
    return model(`${text}(${this.list(CLOSE, ')', depth).map(setText).join(', ')})`);
  }

  opaque(): string {
    const { kind, text } = this.at;
    if (kind !== OPAQUE) this.at.fail('<expression …>');
    this.at.advance();
    return text;
  }

  /** What stands where a set is due: a set, or what is known by its text only. */
  asSet(value: Value, start: number): Value {
    if (value.kind !== 'set' && value.kind !== 'model') this.at.fail('a set', start);
    return value;
  }

  within(value: Value | null, start: number): Value {
    const expected = `sets that are not listed, of at most ${MAX_UNLISTED_ELEMENTS} elements in all`;
    return value ?? this.at.tooMuch(expected, 'more', start);
  }

  #intOrInterval(from: Value, start: number): Value {
    if (!this.at.accept(DOTS)) return from;
    const to = this.#integer();
    if (from.kind !== 'int' || to.kind !== 'int') return from;
    return this.within(this.sets.interval(from.value, to.value), start);
  }

  #integer(): Value {
    const at = this.at;
    const negative = at.accept(MINUS);
    if (at.kind !== INT) at.fail('digits');
    const { text } = at;
    at.advance();
    if (text.length > 15) return int(negative ? -BigInt(text) : BigInt(text));
    const number = negative ? -Number(text) : Number(text);
    return number >= 0 && number < SMALL.length ? small(number) : int(number);
  }

  #tooDeep(): never {
    return this.at.tooMuch(`at most ${MAX_DEPTH} brackets in each other`, 'more');
  }
}

const TRUE = bool(true);
const FALSE = bool(false);
/** Most integers of a state are small, and come again. */
const SMALL = new Array<Value | undefined>(65_536).fill(undefined);

function small(number: number): Value {
  const known = SMALL[number];
  if (known !== undefined) return known;
  const value = int(number);
  SMALL[number] = value;
  return value;
}
