import { positionAt, TlaSyntaxError } from './syntax-error.ts';

/** `text` is what the token stands for: of a string without its quotes and escapes, else as written. */
export type Token = {
  readonly kind: 'symbol' | 'int' | 'name' | 'string' | 'end';
  readonly text: string;
  readonly offset: number;
};

const SPACE = /\s*/y;
// A TLA+ name may start with a digit, so a run of letters and digits is a number only when it is all digits.
const WORD = /[\p{L}\p{M}\p{Nd}_]+/uy;
const NUMBER = /^[0-9]+$/;
const NAME = /^(?=.*\p{L})[\p{L}\p{M}\p{Nd}_]+$/u;
const STRING_PART = /[^"\\]*/y;
const ESCAPES: Readonly<Record<string, string>> = { '"': '"', '\\': '\\', t: '\t', n: '\n', f: '\f', r: '\r' };
// `>>>>` closes two tuples: no symbol that starts with `>` is longer than `>>`.
const SYMBOLS = ['|->', '<<', '>>', ':>', '@@', '..', '/\\', '{', '}', '[', ']', '(', ')', ',', '-', '='];

/** All tokens of a text, with an `end` token last. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  let offset = match(SPACE, text, 0).length;
  while (offset < text.length) {
    const start = offset;
    if (text[start] === '"') {
      const [value, end] = readString(text, start);
      tokens.push({ kind: 'string', text: value, offset: start });
      offset = end;
    } else {
      const word = match(WORD, text, start);
      const symbol = word === '' ? SYMBOLS.find((candidate) => text.startsWith(candidate, start)) : undefined;
      const kind = symbol !== undefined ? 'symbol' : NUMBER.test(word) ? 'int' : NAME.test(word) ? 'name' : undefined;
      if (kind === undefined) {
        const found = word !== '' ? word : String.fromCodePoint(text.codePointAt(start)!);
        throw new TlaSyntaxError(positionAt(text, start), 'a TLA+ value', JSON.stringify(found));
      }
      tokens.push({ kind, text: symbol ?? word, offset: start });
      offset += (symbol ?? word).length;
    }
    offset += match(SPACE, text, offset).length;
  }
  tokens.push({ kind: 'end', text: '', offset: text.length });
  return tokens;
}

/** Reads a string with TLC's escapes; a backslash before anything else stands for itself, and so does a line break. */
function readString(text: string, start: number): [value: string, end: number] {
  const parts: string[] = [];
  let offset = start + 1;
  for (;;) {
    const part = match(STRING_PART, text, offset);
    parts.push(part);
    offset += part.length;
    if (offset >= text.length) {
      throw new TlaSyntaxError(positionAt(text, start), 'a string that ends with "', 'the end of the text inside it');
    }
    if (text[offset] === '"') return [parts.join(''), offset + 1];
    const escaped = ESCAPES[text[offset + 1] ?? ''];
    parts.push(escaped ?? '\\');
    offset += escaped === undefined ? 1 : 2;
  }
}

function match(pattern: RegExp, text: string, offset: number): string {
  pattern.lastIndex = offset;
  return pattern.exec(text)?.[0] ?? '';
}
