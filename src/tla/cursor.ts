import { type Token, tokenize } from './lexer.ts';
import { positionAt, TlaLimitError, TlaSyntaxError } from './syntax-error.ts';

/** A place in the tokens of a text, with the errors that point to it. */
export class Cursor {
  readonly #text: string;
  readonly #tokens: readonly Token[];
  #next = 0;

  constructor(text: string) {
    this.#text = text;
    this.#tokens = tokenize(text);
  }

  peek(): Token {
    return this.#tokens[this.#next]!;
  }

  /** Takes a token; the `end` token is never passed. */
  take(): Token {
    const token = this.peek();
    if (token.kind !== 'end') this.#next++;
    return token;
  }

  at(symbol: string): boolean {
    const token = this.peek();
    return token.kind === 'symbol' && token.text === symbol;
  }

  atEnd(): boolean {
    return this.peek().kind === 'end';
  }

  accept(symbol: string): boolean {
    const here = this.at(symbol);
    if (here) this.#next++;
    return here;
  }

  expect(symbol: string, expected = symbol): void {
    if (!this.accept(symbol)) this.fail(this.peek(), expected);
  }

  expectKind(kind: Token['kind'], expected: string): Token {
    const token = this.take();
    return token.kind === kind ? token : this.fail(token, expected);
  }

  fail(token: Token, expected: string): never {
    throw new TlaSyntaxError(positionAt(this.#text, token.offset), expected, describe(token));
  }

  tooMuch(token: Token, expected: string, found: string): never {
    throw new TlaLimitError(positionAt(this.#text, token.offset), expected, found);
  }
}

function describe(token: Token): string {
  if (token.kind === 'end') return 'the end of the text';
  const shown = token.text.length > 40 ? `${token.text.slice(0, 40)}…` : token.text;
  return token.kind === 'string' ? `the string ${JSON.stringify(shown)}` : `"${shown}"`;
}
