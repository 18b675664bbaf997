import { type JsonFormat, pathText } from './traceError.ts';

/**
 * JSON as it is written. `JSON.parse` will not do: it rounds integers above 2^53 without a word, keeps the last of two
 * equal keys, takes `__proto__` for more than a key, and cannot tell a file that was cut from one that is no JSON.
 */
export type Json = null | boolean | string | bigint | Decimal | Json[] | JsonObject;
export type JsonObject = Map<string, Json>;

/** A number with a fraction or an exponent: kept as written, as no TLA+ value is one. */
export class Decimal {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Three levels of JSON (`{"#map":[[k,v]]}`) for each of the levels of a TLA+ value, and those around them. */
const MAX_JSON_DEPTH = 1_520;
const RECORD_AGAIN = 'Copy the file or record the trace again.';
const SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/y;
const LITERAL = /[A-Za-z]+/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON has no raw control characters in a string
const STRING_PART = /[^"\\\u0000-\u001f]*/y;
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

/** What to show of a text that is no JSON: a short string, a word, or one character. */
const FOUND = /"[\p{L}\p{Nd}_.: +-]{0,20}"|[\p{L}\p{Nd}_.+-]{1,20}|[\s\S]/uy;
/** What can be left of a word, a number or an escape when the end of the file is missing; or nothing. */
const CUT_REST = /^(?:-|\.|[eE][+-]?|t(?:ru?)?|f(?:a(?:ls?)?)?|n(?:ul?)?|\\(?:u[0-9a-fA-F]{0,3})?)?$/;
const LONGEST_CUT_REST = 5;

/** Reads one JSON document. Throws the format's error, which names the place in the text. */
export function readJson(text: string, format: JsonFormat, file?: string): Json {
  const reader = new JsonReader(text, format, file);
  return reader.document();
}

class JsonReader {
  readonly #text: string;
  readonly #format: JsonFormat;
  readonly #file: string | undefined;
  /** The keys and indexes of the objects and arrays that are open. */
  readonly #path: (string | number)[] = [];
  #offset = 0;

  constructor(text: string, format: JsonFormat, file?: string) {
    this.#text = text;
    this.#format = format;
    this.#file = file;
  }

  document(): Json {
    if (this.#text.startsWith('\uFEFF')) this.#offset = 1;
    this.#skip(SPACE);
    if (this.#offset === this.#text.length) {
      const problem = 'the file is empty';
      throw new this.#format.Error({ file: this.#file, expected: 'a JSON object', problem, advice: RECORD_AGAIN });
    }
    const value = this.#value();
    if (this.#offset < this.#text.length) this.#fail('the end of the file', 'A file holds one trace.');
    return value;
  }

  /** One value and the space after it. Objects and arrays are read in here: one stack frame for each level. */
  #value(): Json {
    if (this.#path.length > MAX_JSON_DEPTH)
      this.#fail('a value nested less deeply', 'No trace of a specification is so deep.');
    let value: Json;
    const first = this.#text[this.#offset];
    if (first === '{') {
      const object: JsonObject = new Map();
      this.#take('{');
      const empty = this.#accept('}');
      while (!empty) {
        const keyOffset = this.#offset;
        if (this.#text[keyOffset] !== '"') this.#fail('a key in double quotes');
        const key = this.#string();
        this.#skip(SPACE);
        if (object.has(key)) {
          this.#offset = keyOffset;
          this.#fail('each key once', 'One of the two values would be lost.');
        }
        this.#path.push(key);
        if (!this.#accept(':')) this.#fail('":"');
        object.set(key, this.#value());
        this.#path.pop();
        if (this.#accept('}')) break;
        if (!this.#accept(',')) this.#fail('"," or "}"');
      }
      value = object;
    } else if (first === '[') {
      const array: Json[] = [];
      this.#take('[');
      const empty = this.#accept(']');
      while (!empty) {
        this.#path.push(array.length);
        array.push(this.#value());
        this.#path.pop();
        if (this.#accept(']')) break;
        if (!this.#accept(',')) this.#fail('"," or "]"');
      }
      value = array;
    } else {
      value = this.#scalar(first);
    }
    this.#skip(SPACE);
    return value;
  }

  #scalar(first: string | undefined): Json {
    if (first === '"') return this.#string();
    const start = this.#offset;
    const number = this.#skip(NUMBER);
    if (number !== null) return (number[1] ?? number[2]) ? new Decimal(number[0]) : BigInt(number[0]);
    const word = this.#skip(LITERAL)?.[0];
    if (word === 'true') return true;
    if (word === 'false') return false;
    if (word === 'null') return null;
    this.#offset = start;
    return this.#path.length === 0 ? this.#fail('a JSON object', this.#format.what) : this.#fail('a value');
  }

  #string(): string {
    const parts: string[] = [];
    this.#offset++;
    for (;;) {
      parts.push(this.#skip(STRING_PART)![0]);
      const char = this.#text[this.#offset];
      if (char === '"') {
        this.#offset++;
        return parts.join('');
      }
      if (char !== '\\') this.#fail('the end of the string, or an escape such as \\n');
      const next = this.#text[this.#offset + 1] ?? '';
      const hex = this.#text.slice(this.#offset + 2, this.#offset + 6);
      if (next === 'u' && /^[0-9a-fA-F]{4}$/.test(hex)) {
        parts.push(String.fromCharCode(Number.parseInt(hex, 16)));
        this.#offset += 6;
      } else {
        parts.push(ESCAPES[next] ?? this.#fail('an escape such as \\n or \\u00e9'));
        this.#offset += 2;
      }
    }
  }

  #take(char: string): void {
    this.#offset += char.length;
    this.#skip(SPACE);
  }

  #accept(char: string): boolean {
    const here = this.#text[this.#offset] === char;
    if (here) this.#take(char);
    return here;
  }

  #skip(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#offset;
    const found = pattern.exec(this.#text);
    if (found !== null) this.#offset += found[0].length;
    return found;
  }

  #fail(expected: string, advice = 'Correct it there, or record the trace again.'): never {
    const { line, column } = this.#position();
    const path = [...this.#path];
    const rest = this.#text.slice(this.#offset, this.#offset + LONGEST_CUT_REST + 1);
    if (rest === '' || (path.length > 0 && CUT_REST.test(rest))) {
      const inside = path.length === 0 ? 'the outermost value' : pathText(path);
      const problem = `the file is cut: it ends inside ${inside} (line ${line}, column ${column})`;
      throw new this.#format.Error({ file: this.#file, path, line, column, expected, problem, advice: RECORD_AGAIN });
    }
    const found = this.#skip(FOUND)![0];
    const code = `U+${found.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
    const isBinary = path.length === 0 && (found < ' ' || found.startsWith('\uFFFD'));
    throw new this.#format.Error({
      file: this.#file,
      path,
      line,
      column,
      expected,
      found: isBinary
        ? `binary data (${code})`
        : found < ' '
          ? `the control character ${code}`
          : found.length > 1 && found.startsWith('"')
            ? found
            : JSON.stringify(found),
      advice: isBinary ? `${this.#format.what} If this one is packed, unpack it first.` : advice,
    });
  }

  #position(): { line: number; column: number } {
    const before = this.#text.slice(0, this.#offset);
    return { line: before.split('\n').length, column: this.#offset - before.lastIndexOf('\n') };
  }
}
