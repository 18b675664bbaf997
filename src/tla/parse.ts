import { entriesOf } from './access.ts';
import { Cursor } from './cursor.ts';
import type { Token } from './lexer.ts';
import { bool, type Entry, fn, int, model, record, set, str, tuple, type Value } from './value.ts';

/**
 * Brackets in brackets: far beyond any state. Each function over values recurses, in three stack frames a level; Node's
 * default stack (984 kB, not yet optimised code) holds some 1,300 levels, and the caller needs some of it.
 */
export const MAX_DEPTH = 500;
/** Elements that the intervals `a..b` of one text may have together. */
export const MAX_INTERVAL_ELEMENTS = 1_000_000;

/** Parses one value, in any layout, as TLC prints it. Throws a TlaSyntaxError. */
export function parse(text: string): Value {
  const parser = new ValueParser(text);
  const value = parser.expression(0);
  if (!parser.atEnd()) parser.fail(parser.peek(), 'the end of the value');
  return value;
}

/**
 * Parses a state as TLC prints it: `/\ x = 1` for each variable, or `x = 1` when there is only one. A blank text is no
 * variable at all: what `-difftrace` prints for a step that changes nothing.
 */
export function parseState(text: string): Map<string, Value> {
  const parser = new ValueParser(text);
  const state = new Map<string, Value>();
  if (parser.atEnd()) return state;
  const single = !parser.accept('/\\');
  do {
    const variable = parser.expectKind('name', 'a variable');
    if (state.has(variable.text)) parser.fail(variable, 'each variable once');
    parser.expect('=');
    state.set(variable.text, parser.expression(0));
  } while (!single && parser.accept('/\\'));
  if (!parser.atEnd()) parser.fail(parser.peek(), single ? 'the end of the state' : '/\\ or the end of the state');
  return state;
}

/** Recursive descent, with few calls for each level of nesting: the stack is what bounds the depth. */
class ValueParser extends Cursor {
  #intervalElements = 0;

  /** One value, or functions joined by `@@`, where the left one wins. TLC adds parentheses; they may be absent. */
  expression(depth: number): Value {
    const start = this.peek();
    if (depth > MAX_DEPTH) this.tooMuch(start, `at most ${MAX_DEPTH} brackets in each other`, 'more');
    const first = this.#operand(depth);
    if (!this.at(':>') && !this.at('@@')) return first;
    const entries: Entry[] = [];
    this.#addEntries(entries, first, start, depth);
    while (this.accept('@@')) {
      const next = this.peek();
      this.#addEntries(entries, this.#operand(depth), next, depth);
    }
    return fn(entries);
  }

  /** Adds `left :> right`, or the entries of a function that stands for itself. */
  #addEntries(entries: Entry[], left: Value, at: Token, depth: number): void {
    if (this.accept(':>')) {
      entries.push([left, this.#operand(depth)]);
      return;
    }
    const own = entriesOf(left) ?? this.fail(at, 'a function beside @@');
    for (const entry of own) entries.push(entry);
  }

  #operand(depth: number): Value {
    const token = this.take();
    switch (token.kind) {
      case 'string':
        return str(token.text);
      case 'name':
        return token.text === 'TRUE' ? bool(true) : token.text === 'FALSE' ? bool(false) : model(token.text);
      case 'int':
        return this.#intOrInterval(BigInt(token.text), token);
      case 'end':
        return this.fail(token, 'a value');
    }
    switch (token.text) {
      case '-':
        return this.#intOrInterval(-this.#digits(), token);
      case '(': {
        const value = this.expression(depth + 1);
        this.expect(')', ':>, @@ or )');
        return value;
      }
      case '{':
        return set(this.#list('}', depth));
      case '<<':
        return tuple(this.#list('>>', depth));
      case '[':
        return this.#record(depth);
      default:
        return this.fail(token, 'a value');
    }
  }

  #list(close: string, depth: number): Value[] {
    const elements: Value[] = [];
    if (this.accept(close)) return elements;
    do elements.push(this.expression(depth + 1));
    while (this.accept(','));
    this.expect(close, `, or ${close}`);
    return elements;
  }

  #record(depth: number): Value {
    const fields = new Map<string, Value>();
    do {
      const field = this.expectKind('name', 'a field name');
      if (fields.has(field.text)) this.fail(field, 'each field once');
      this.expect('|->');
      fields.set(field.text, this.expression(depth + 1));
    } while (this.accept(','));
    this.expect(']', ', or ]');
    return record(fields);
  }

  #intOrInterval(from: bigint, at: Token): Value {
    if (!this.accept('..')) return int(from);
    const to = this.accept('-') ? -this.#digits() : this.#digits();
    const size = to < from ? 0n : to - from + 1n;
    if (size + BigInt(this.#intervalElements) > BigInt(MAX_INTERVAL_ELEMENTS)) {
      this.tooMuch(at, `intervals of at most ${MAX_INTERVAL_ELEMENTS} elements in all`, `${from}..${to}`);
    }
    this.#intervalElements += Number(size);
    return set(Array.from({ length: Number(size) }, (_, index) => int(from + BigInt(index))));
  }

  #digits(): bigint {
    return BigInt(this.expectKind('int', 'digits').text);
  }
}
