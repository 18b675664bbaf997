import { positionAt, TlaLimitError, TlaSyntaxError } from './syntaxError.ts';

/** What a token is: one of these, or a symbol of `SYMBOLS`. */
export const END = 0;
export const INT = 1;
export const NAME = 2;
export const STRING = 3;
/** What TLC shows of an expression that it has not evaluated: `<expression line 9, …>`, `<LAZY …>`, `<Operator f>`. */
export const OPAQUE = 4;
export type Kind = number;

const FIRST_SYMBOL = 5;
// Longer ones first; `>>>>` closes two tuples, for no symbol that starts with `>` is longer than `>>`.
const SYMBOLS = [
  ...['|->', '<<', '>>', ':>', '@@', '..', '/\\', '->', '\\cup', '\\cap', '\\in', '\\X', '\\'],
  ...['{', '}', '[', ']', '(', ')', ',', '-', '=', ':'],
];

/** The kind of a symbol, to compare with `Scanner.kind`. */
export function symbol(text: string): Kind {
  return SYMBOLS.indexOf(text) + FIRST_SYMBOL;
}

/** By first character, its candidates in the order of `SYMBOLS`. */
const BY_FIRST: (readonly { readonly text: string; readonly kind: Kind }[] | undefined)[] = [];
for (const text of SYMBOLS) {
  const first = text.charCodeAt(0);
  BY_FIRST[first] = [...(BY_FIRST[first] ?? []), { text, kind: symbol(text) }];
}

/** The kind of a symbol of one character that begins no other; 0 where there is none. */
const SINGLE = Uint8Array.from({ length: 128 }, (_, code) => {
  const [only, ...more] = BY_FIRST[code] ?? [];
  return only !== undefined && more.length === 0 && only.text.length === 1 ? only.kind : 0;
});

const OTHER = 0;
const SPACE = 1;
const DIGIT = 2;
const LETTER = 3;
/** Of ASCII; anything beyond goes by the regular expressions below. */
const CLASSES = Uint8Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code);
  return /\s/.test(char) ? SPACE : /[0-9]/.test(char) ? DIGIT : /[A-Za-z_]/.test(char) ? LETTER : OTHER;
});
const QUOTE = 34;
const BACKSLASH = 92;
const LESS = 60;

const SPACES = /\s*/y;
const FIELD = /(\s*)([^\s"|,:[\](){}<>\\][^\n"|,[\](){}<>\\]*)(?:\n\s*)?\|->/y;
// A TLA+ name may start with a digit, so a run of letters and digits is a number only when it is all digits.
const WORD = /[\p{L}\p{M}\p{Nd}_]*/uy;
const NUMBER = /^[0-9]+$/;
const NAMED = /^(?=.*\p{L})[\p{L}\p{M}\p{Nd}_]+$/u;
/** Up to the `>` that something follows which may follow a value. */
const OPAQUE_TEXT = /<(?:expression|LAZY|Operator|Java Method:) [^\n]*?>(?=\s*(?:[\]}),@:]|>>|\/\\|$))/y;
const ESCAPES: Readonly<Record<string, string>> = { '"': '"', '\\': '\\', t: '\t', n: '\n', f: '\f', r: '\r' };

/** Goes through a text token by token: `kind` and its place are those of the one that was not taken yet. */
export class Scanner {
  readonly #text: string;
  kind: Kind = END;
  /** Where the token starts and ends. */
  start = 0;
  end = 0;
  /** Where the name of the last field starts. */
  fieldStart = 0;

  constructor(text: string) {
    this.#text = text;
    this.advance();
  }

  /** The token as written. */
  get text(): string {
    return this.#text.slice(this.start, this.end);
  }

  /** Goes to the next token; the end of the text is never passed. */
  advance(): void {
    const text = this.#text;
    let at = this.end;
    let code = text.charCodeAt(at);
    while (CLASSES[code] === SPACE) code = text.charCodeAt(++at);
    if (code >= 128) {
      at = match(SPACES, text, at);
      code = text.charCodeAt(at);
    }
    this.start = at;
    if (at >= text.length) {
      this.end = at;
      this.kind = END;
    } else if (code === QUOTE) this.#string(at);
    else if (code >= 128 || CLASSES[code] !== OTHER) this.#word(at);
    else this.#symbol(at, code);
  }

  /**
   * Takes the `name |->` that follows the token, null if none does. A name may be any text without brackets: those of JSON objects
   * TLC prints as they are (`topic-0`, `1`).
   */
  acceptField(): string | null {
    FIELD.lastIndex = this.end;
    const found = FIELD.exec(this.#text);
    if (found === null) return null;
    this.fieldStart = this.end + found[1]!.length;
    this.end = FIELD.lastIndex;
    this.advance();
    return found[2]!.trimEnd();
  }

  /** Back to a token that was there before. */
  #goTo(start: number): void {
    this.end = start;
    this.advance();
  }

  /** Takes the token if it is of this kind. */
  accept(kind: Kind): boolean {
    if (this.kind !== kind) return false;
    this.advance();
    return true;
  }

  /** The content of the string that the token is: TLC's escapes; a backslash before anything else stands for itself. */
  stringValue(): string {
    const inner = this.#text.slice(this.start + 1, this.end - 1);
    return inner.includes('\\') ? inner.replace(/\\(["\\tnfr])/g, (_, char: string) => ESCAPES[char]!) : inner;
  }

  /** "expected …, found …" at the token, or at an earlier one. */
  fail(expected: string, start = this.start): never {
    if (start !== this.start) this.#goTo(start);
    throw new TlaSyntaxError(positionAt(this.#text, start), expected, this.#describe());
  }

  tooMuch(expected: string, found: string, start = this.start): never {
    throw new TlaLimitError(positionAt(this.#text, start), expected, found);
  }

  #word(at: number): void {
    const text = this.#text;
    let end = at;
    let code = text.charCodeAt(end);
    let letters = false;
    while (CLASSES[code] === DIGIT || CLASSES[code] === LETTER) {
      // An underscore alone is no letter.
      if (CLASSES[code] === LETTER && code !== 95) letters = true;
      code = text.charCodeAt(++end);
    }
    if (code < 128 || end >= text.length) this.kind = letters ? NAME : INT;
    else {
      end = match(WORD, text, at);
      this.kind = INT;
    }
    this.end = end;
    if (letters && this.kind === NAME) return;
    const word = text.slice(at, end);
    if (NUMBER.test(word)) return;
    this.kind = NAME;
    if (!NAMED.test(word)) this.#unknown(at, word);
  }

  #string(at: number): void {
    const text = this.#text;
    let end = at + 1;
    for (;;) {
      const code = text.charCodeAt(end);
      if (code === QUOTE) break;
      if (end >= text.length) {
        const place = positionAt(text, at);
        throw new TlaSyntaxError(place, 'a string that ends with "', 'the end of the text inside it');
      }
      end += code === BACKSLASH && text[end + 1]! in ESCAPES ? 2 : 1;
    }
    this.end = end + 1;
    this.kind = STRING;
  }

  #symbol(at: number, code: number): void {
    const single = SINGLE[code]!;
    if (single !== 0) {
      this.end = at + 1;
      this.kind = single;
      return;
    }
    const text = this.#text;
    for (const candidate of BY_FIRST[code] ?? []) {
      if (!text.startsWith(candidate.text, at)) continue;
      this.end = at + candidate.text.length;
      this.kind = candidate.kind;
      return;
    }
    if (code !== LESS) this.#unknown(at, text[at]!);
    this.end = match(OPAQUE_TEXT, text, at);
    this.kind = OPAQUE;
    if (this.end === at) this.#unknown(at, '<');
  }

  #unknown(at: number, word: string): never {
    const found = word !== '' ? word : String.fromCodePoint(this.#text.codePointAt(at)!);
    throw new TlaSyntaxError(positionAt(this.#text, at), 'a TLA+ value', JSON.stringify(found));
  }

  #describe(): string {
    if (this.kind === END) return 'the end of the text';
    const text = this.kind === STRING ? this.stringValue() : this.text;
    const shown = text.length > 40 ? `${text.slice(0, 40)}…` : text;
    return this.kind === STRING ? `the string ${JSON.stringify(shown)}` : `"${shown}"`;
  }
}

/** Where a match that starts at `at` ends; `at` itself without one. */
function match(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
