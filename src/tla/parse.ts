import { entriesOf } from './access.ts';
import { END, INT, type Kind, NAME, OPAQUE, Scanner, STRING, symbol } from './scanner.ts';
import { ElementBudget, SetBuilder, setText } from './sets.ts';
import { TlaSyntaxError } from './syntaxError.ts';
import { bool, type Entry, fn, int, model, record, set, str, tuple, type Value } from './value.ts';

/**
 * Brackets in brackets: far beyond any state. Each function over values recurses, in four stack frames a level; Node's
 * default stack (984 kB, not yet optimised code) holds some 1,300 levels, and the caller needs some of it.
 */
export const MAX_DEPTH = 500;
/** Elements that the sets of one text which TLC did not list may have together: `1..9`, `SUBSET {1, 2}`. */
export const MAX_UNLISTED_ELEMENTS = 1_000_000;

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

const AND = symbol('/\\');
const EQUALS = symbol('=');
const MINUS = symbol('-');
const COMMA = symbol(',');
const COLON = symbol(':');
const DOTS = symbol('..');
const MAPS_TO = symbol('|->');
const ARROW = symbol('->');
const TO = symbol(':>');
const JOIN = symbol('@@');
const IN = symbol('\\in');
const TIMES = symbol('\\X');
const CUP = symbol('\\cup');
const CAP = symbol('\\cap');
const WITHOUT = symbol('\\');
const OPEN = symbol('(');
const CLOSE = symbol(')');
const OPEN_SET = symbol('{');
const CLOSE_SET = symbol('}');
const OPEN_TUPLE = symbol('<<');
const CLOSE_TUPLE = symbol('>>');
const OPEN_RECORD = symbol('[');
const CLOSE_RECORD = symbol(']');

/** Reads the states of a trace. Most steps change few variables: an equal text is parsed once, and is the same value. */
export class StateReader {
  readonly #sets = new SetBuilder(new ElementBudget(MAX_UNLISTED_ELEMENTS));
  readonly #known = new Map<string, Value>();

  read(text: string): Map<string, Value> {
    return this.#byVariable(text) ?? this.#whole(text);
  }

  /** Null where the text is not one conjunct after the other: it is read from its start then, for the place of the error. */
  #byVariable(text: string): Map<string, Value> | null {
    if (!text.startsWith('/\\ ')) return null;
    const state = new Map<string, Value>();
    for (let start = 3; start < text.length; ) {
      const next = text.indexOf('\n/\\ ', start);
      const end = next === -1 ? text.length : next;
      const equals = text.indexOf(' = ', start);
      const name = text.slice(start, equals);
      if (equals === -1 || equals >= end || !/^[A-Za-z]\w*$/.test(name) || state.has(name)) return null;
      const value = this.#value(text.slice(equals + 3, end));
      if (value === null) return null;
      state.set(name, value);
      start = end + 4;
    }
    return state;
  }

  #value(text: string): Value | null {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    try {
      const value = new ValueParser(new Scanner(text), this.#sets).whole();
      this.#known.set(text, value);
      return value;
    } catch (error) {
      if (error instanceof TlaSyntaxError) return null;
      throw error;
    }
  }

  #whole(text: string): Map<string, Value> {
    const scanner = new Scanner(text);
    const parser = new ValueParser(scanner, this.#sets);
    const state = new Map<string, Value>();
    if (scanner.kind === END) return state;
    const single = !scanner.accept(AND);
    do {
      const { start } = scanner;
      const variable = parser.name('a variable');
      if (state.has(variable)) scanner.fail('each variable once', start);
      parser.expect(EQUALS, '=');
      state.set(variable, parser.expression(0));
    } while (!single && scanner.accept(AND));
    if (scanner.kind !== END) scanner.fail(single ? 'the end of the state' : '/\\ or the end of the state');
    return state;
  }
}

/** Recursive descent, with few calls for each level of nesting: the stack is what bounds the depth. */
class ValueParser {
  readonly #at: Scanner;
  readonly #sets: SetBuilder;

  constructor(scanner: Scanner, sets: SetBuilder) {
    this.#at = scanner;
    this.#sets = sets;
  }

  whole(): Value {
    const value = this.expression(0);
    if (this.#at.kind !== END) this.#at.fail('the end of the value');
    return value;
  }

  expect(kind: Kind, expected: string): void {
    if (!this.#at.accept(kind)) this.#at.fail(expected);
  }

  name(expected: string): string {
    if (this.#at.kind !== NAME) this.#at.fail(expected);
    const { text } = this.#at;
    this.#at.advance();
    return text;
  }

  /** One value, or functions joined by `@@`, where the left one wins. TLC adds parentheses; they may be absent. */
  expression(depth: number): Value {
    const at = this.#at;
    const start = at.start;
    if (depth > MAX_DEPTH) this.#tooDeep();
    const first = this.#sum(this.#operand(depth), start, depth);
    if (at.kind !== TO && at.kind !== JOIN) return first;
    const entries: Entry[] = [];
    this.#addEntries(entries, first, start, depth);
    while (at.accept(JOIN)) {
      const next = at.start;
      this.#addEntries(entries, this.#sum(this.#operand(depth), next, depth), next, depth);
    }
    return fn(entries);
  }

  /** Adds `left :> right`, or the entries of a function that stands for itself. */
  #addEntries(entries: Entry[], left: Value, start: number, depth: number): void {
    if (this.#at.accept(TO)) {
      const next = this.#at.start;
      entries.push([left, this.#sum(this.#operand(depth), next, depth)]);
      return;
    }
    const own = entriesOf(left) ?? this.#at.fail('a function beside @@', start);
    for (const entry of own) entries.push(entry);
  }

  /** `S \cup T`, `S \X T \X U` and the like, after the first operand. */
  #sum(first: Value, start: number, depth: number): Value {
    const at = this.#at;
    let value = first;
    for (;;) {
      const { kind } = at;
      if (kind !== CUP && kind !== CAP && kind !== WITHOUT && kind !== TIMES) return value;
      this.#asSet(value, start);
      const factors = [value];
      do {
        at.advance();
        const next = at.start;
        factors.push(this.#asSet(this.#operand(depth), next));
      } while (kind === TIMES && at.kind === TIMES);
      const operator = kind === CUP ? '\\cup' : kind === CAP ? '\\cap' : '\\';
      const sets = this.#sets;
      value = this.#within(kind === TIMES ? sets.product(factors) : sets.binary(operator, value, factors[1]!), start);
    }
  }

  #operand(depth: number): Value {
    const at = this.#at;
    const { kind, start } = at;
    switch (kind) {
      case STRING: {
        const text = at.stringValue();
        at.advance();
        return str(text);
      }
      case NAME: {
        const { text } = at;
        at.advance();
        return this.#named(text, start, depth);
      }
      case INT:
      case MINUS:
        return this.#intOrInterval(this.#integer(), start);
      case OPAQUE:
        return model(this.#opaque());
      case OPEN: {
        at.advance();
        const value = this.expression(depth + 1);
        this.expect(CLOSE, ':>, @@ or )');
        return value;
      }
      case OPEN_SET:
        return this.#set(depth);
      case OPEN_TUPLE:
        at.advance();
        return tuple(this.#list(CLOSE_TUPLE, '>>', depth));
      case OPEN_RECORD:
        return this.#bracket(depth);
      default:
        return at.fail('a value');
    }
  }

  /** After the opening bracket. */
  #list(close: Kind, closeText: string, depth: number): Value[] {
    const elements: Value[] = [];
    if (this.#at.accept(close)) return elements;
    do elements.push(this.expression(depth + 1));
    while (this.#at.accept(COMMA));
    this.expect(close, `, or ${closeText}`);
    return elements;
  }

  /** After a name: `TRUE`, a model value, `SUBSET S`, `Seq(S)`. */
  #named(text: string, start: number, depth: number): Value {
    const at = this.#at;
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
        const of = this.#asSet(this.#operand(depth + 1), next);
        return this.#within(text === 'SUBSET' ? this.#sets.subset(of) : this.#sets.union(of), start);
      }
    }
    if (at.kind !== OPEN) return model(text);
    at.advance();
    return model(`${text}(${this.#list(CLOSE, ')', depth).map(setText).join(', ')})`);
  }

  /** `{1, 2}`, or `{x \in S : <expression …> }`. */
  #set(depth: number): Value {
    const at = this.#at;
    at.advance();
    const elements: Value[] = [];
    if (at.accept(CLOSE_SET)) return set(elements);
    do elements.push(this.expression(depth + 1));
    while (at.accept(COMMA));
    if (!at.accept(IN)) {
      this.expect(CLOSE_SET, ', or }');
      return set(elements);
    }
    const from = setText(this.expression(depth + 1));
    this.expect(COLON, ':');
    const condition = this.#opaque();
    this.expect(CLOSE_SET, '}');
    return model(`{${elements.map(setText).join(', ')} \\in ${from} : ${condition}}`);
  }

  /** A record, or one of `[S -> T]`, `[f: S]` and `[x \in S |-> <expression …>]`. */
  #bracket(depth: number): Value {
    const at = this.#at;
    at.advance();
    const { start } = at;
    if (at.kind === NAME) {
      const { text } = at;
      at.advance();
      if (at.kind === MAPS_TO) return this.#record(text, start, depth);
      if (at.kind === COLON) return this.#records(text, start, depth);
      if (at.kind === IN || at.kind === COMMA) return this.#lambda(text, depth);
      const domain = this.#sum(this.#named(text, start, depth + 1), start, depth);
      return this.#functions(domain, start, depth);
    }
    const domain = this.expression(depth + 1);
    if (at.kind === MAPS_TO) at.fail('a field name', start);
    return at.kind === IN ? this.#lambda(setText(domain), depth) : this.#functions(domain, start, depth);
  }

  #record(first: string, start: number, depth: number): Value {
    const at = this.#at;
    const fields: [string, Value][] = [];
    const starts = [start];
    let name = first;
    for (;;) {
      this.expect(MAPS_TO, '|->');
      fields.push([name, this.expression(depth + 1)]);
      if (!at.accept(COMMA)) break;
      starts.push(at.start);
      name = this.name('a field name');
    }
    this.expect(CLOSE_RECORD, ', or ]');
    const value = record(fields);
    if (value.kind === 'record' && value.fields.size < fields.length) {
      const seen = new Set<string>();
      const twice = fields.findIndex(([field]) => seen.size === seen.add(field).size);
      at.fail('each field once', starts[twice]!);
    }
    return value;
  }

  #records(first: string, start: number, depth: number): Value {
    const fields: [string, Value][] = [];
    let name = first;
    for (;;) {
      this.expect(COLON, ':');
      const next = this.#at.start;
      fields.push([name, this.#asSet(this.expression(depth + 1), next)]);
      if (!this.#at.accept(COMMA)) break;
      name = this.name('a field name');
    }
    this.expect(CLOSE_RECORD, ', or ]');
    return this.#within(this.#sets.records(fields), start);
  }

  #functions(domain: Value, start: number, depth: number): Value {
    this.#asSet(domain, start);
    this.expect(ARROW, '->');
    const next = this.#at.start;
    const range = this.#asSet(this.expression(depth + 1), next);
    this.expect(CLOSE_RECORD, ']');
    return this.#within(this.#sets.functions(domain, range), start);
  }

  /** `[x, y \in S, z \in T |-> <expression …>]`, after its first name. */
  #lambda(first: string, depth: number): Value {
    const at = this.#at;
    const bounds: string[] = [];
    let names = [first];
    for (;;) {
      while (at.accept(COMMA)) names.push(this.name('a name'));
      this.expect(IN, '\\in');
      bounds.push(`${names.join(', ')} \\in ${setText(this.expression(depth + 1))}`);
      if (!at.accept(COMMA)) break;
      names = [this.name('a name')];
    }
    this.expect(MAPS_TO, '|->');
    const body = this.#opaque();
    this.expect(CLOSE_RECORD, ']');
    return model(`[${bounds.join(', ')} |-> ${body}]`);
  }

  #opaque(): string {
    const { kind, text } = this.#at;
    if (kind !== OPAQUE) this.#at.fail('<expression …>');
    this.#at.advance();
    return text;
  }

  /** What stands where a set is due: a set, or what is known by its text only. */
  #asSet(value: Value, start: number): Value {
    if (value.kind !== 'set' && value.kind !== 'model') this.#at.fail('a set', start);
    return value;
  }

  #within(value: Value | null, start: number): Value {
    const expected = `sets that are not listed, of at most ${MAX_UNLISTED_ELEMENTS} elements in all`;
    return value ?? this.#at.tooMuch(expected, 'more', start);
  }

  #intOrInterval(from: Value, start: number): Value {
    if (!this.#at.accept(DOTS)) return from;
    const to = this.#integer();
    if (from.kind !== 'int' || to.kind !== 'int') return from;
    return this.#within(this.#sets.interval(from.value, to.value), start);
  }

  #integer(): Value {
    const at = this.#at;
    const negative = at.accept(MINUS);
    if (at.kind !== INT) at.fail('digits');
    const { text } = at;
    at.advance();
    if (text.length > 15) return int(negative ? -BigInt(text) : BigInt(text));
    const number = negative ? -Number(text) : Number(text);
    return SMALL[number] ?? int(number);
  }

  #tooDeep(): never {
    return this.#at.tooMuch(`at most ${MAX_DEPTH} brackets in each other`, 'more');
  }
}

const TRUE = bool(true);
const FALSE = bool(false);
/** Most integers of a state are small. */
const SMALL = Array.from({ length: 1_024 }, (_, value) => int(value));
