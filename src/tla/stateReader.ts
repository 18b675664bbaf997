import { Pool } from './pool.ts';
import { END, Scanner } from './scanner.ts';
import { ElementBudget, SetBuilder } from './sets.ts';
import { TlaSyntaxError } from './syntaxError.ts';
import { AND, EQUALS } from './tokens.ts';
import type { Value } from './value.ts';
import { MAX_UNLISTED_ELEMENTS, ValueParser } from './valueParser.ts';

/** Any text, for the fields of an ALIAS may be called so: `log[1].term`. */
const NAME_OF_VARIABLE = /^[^\s"/](?:.*\S)?$/;

/** Reads the states of a trace. Most steps change few variables: an equal text is parsed once, and is the same value. */
export class StateReader {
  readonly #sets = new SetBuilder(new ElementBudget(MAX_UNLISTED_ELEMENTS));
  readonly #pool = new Pool();
  readonly #known = new Map<string, Value>();

  read(text: string): Map<string, Value> {
    return this.#byVariable(text) ?? this.#whole(text);
  }

  /** Null where the text is not one conjunct after the other: it is read from its start then, for the place of the error. */
  #byVariable(text: string): Map<string, Value> | null {
    const single = !text.startsWith('/\\ ');
    const state = new Map<string, Value>();
    for (let start = single ? 0 : 3; start < text.length; ) {
      const next = single ? -1 : text.indexOf('\n/\\ ', start);
      const end = next === -1 ? text.length : next;
      const equals = text.indexOf(' = ', start);
      const name = text.slice(start, equals);
      if (equals === -1 || equals >= end || !NAME_OF_VARIABLE.test(name) || state.has(name)) return null;
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
      const value = new ValueParser(new Scanner(text), this.#sets, this.#pool).whole();
      this.#known.set(text, value);
      return value;
    } catch (error) {
      if (error instanceof TlaSyntaxError) return null;
      throw error;
    }
  }

  #whole(text: string): Map<string, Value> {
    const scanner = new Scanner(text);
    const parser = new ValueParser(scanner, this.#sets, this.#pool);
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
