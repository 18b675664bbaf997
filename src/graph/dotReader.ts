import { DotError } from './dotError.ts';
import { LineTable } from './lineTable.ts';
import { MAX_ID_DIGITS, StateIds } from './stateIds.ts';

/** What is told of a graph as it comes. A step may be told before the state that it leads to. */
export interface DotEvents {
  /** `lines`: the number of each variable's line, in the order of the file. The array is used again: copy what is to stay. */
  state(number: number, lines: Int32Array, initial: boolean): void;
  /** `action`: an index into `actions`; the empty name where the dump was made without `actionlabels`. */
  step(from: number, action: number, to: number): void;
}

const [NEWLINE, BLANK, QUOTE, COMMA, MINUS, SLASH, BACKSLASH] = [10, 32, 34, 44, 45, 47, 92];
const [SMALL_N, SMALL_S, OPEN_BRACE, CLOSE_BRACE, ZERO, NINE] = [110, 115, 123, 125, 48, 57];
const [SEMICOLON, CLOSE_BRACKET] = [59, 93];
/** A step whose label is open at the end of its line. */
const LABELLED_STEP = /^-?\d+ -> -?\d+ \[label="(?:[^"\\]|\\.)*$/;
/** Between two variables of a state: a line break and a conjunction, both escaped as dot has it. */
const SEPARATOR_LENGTH = 6;
/** No state of a model is near that; a file without line breaks is no graph. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;

/**
 * Reads what TLC's `-dump dot` writes, chunk by chunk. Equal lines get one number and are kept once, and are not decoded
 * until somebody asks: of the hundreds of megabytes of a dump most are repetitions.
 */
export class DotReader {
  readonly lines = new LineTable();
  readonly ids = new StateIds();
  readonly actions: string[] = [];
  readonly #events: DotEvents;
  readonly #file: string;
  readonly #actionNames = new LineTable();
  /** Of the state before: TLC writes successors together, so most lines are what they were there. */
  #row = new Int32Array(0);
  #columns = -1;
  #rest: Uint8Array = new Uint8Array(0);
  #lineNumber = 0;
  /** Braces that are open: of the graph and its subgraphs. */
  #depth = 0;
  /** Of the states and steps; a legend may follow. */
  #isGraphEnded = false;
  #isEnded = false;

  constructor(events: DotEvents, file: string) {
    this.#events = events;
    this.#file = file;
  }

  push(chunk: Uint8Array): void {
    const bytes =
      this.#rest.length > 0
        ? Buffer.concat([this.#rest, chunk])
        : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let start = 0;
    for (;;) {
      const end = this.#endOfLine(bytes, start);
      if (end === -1) break;
      this.#line(bytes, start, end);
      start = end + 1;
    }
    if (bytes.length - start > MAX_LINE_BYTES) {
      this.#lineNumber++;
      this.#fail(0, `expected a line of at most ${MAX_LINE_BYTES} bytes, as TLC's -dump dot writes them`);
    }
    // A copy: the caller may use its chunk again.
    this.#rest = Uint8Array.prototype.slice.call(bytes, start);
  }

  /** @throws DotError where the graph has not come to its end */
  finish(): void {
    if (this.#rest.length > 0) {
      const last = this.#rest;
      this.#rest = new Uint8Array(0);
      this.#line(last, 0, last.length);
    }
    if (this.#isEnded) return;
    const what = this.#lineNumber === 0 ? 'is empty' : `stops after line ${this.#lineNumber}, before its last brace`;
    throw new DotError(this.#file, 0, 0, `the graph ${what}. Was TLC stopped? Make the dump again.`);
  }

  /** Of two lines, where a step leaves the model (`constrained`): the label's second one says which constraint cuts it off. */
  #endOfLine(bytes: Uint8Array, start: number): number {
    const end = bytes.indexOf(NEWLINE, start);
    const last = bytes[end - 1];
    if (end === -1 || last === SEMICOLON || last === CLOSE_BRACKET) return end;
    const label = LABELLED_STEP.exec(
      Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('latin1'),
    );
    return label === null ? end : bytes.indexOf(NEWLINE, end + 1);
  }

  #line(bytes: Uint8Array, start: number, end: number): void {
    this.#lineNumber++;
    const first = bytes[start];
    const isNumber = first === MINUS || (first !== undefined && first >= ZERO && first <= NINE && start < end);
    // In the legend, an action may begin with a digit.
    if (isNumber && !this.#isGraphEnded) {
      if (this.#depth === 0) this.#fail(0, 'expected "strict digraph …" first');
      this.#stateOrStep(bytes, start, end);
    } else {
      this.#frame(bytes, start, end);
    }
  }

  /** What TLC writes around states and steps: braces, looks, ranks and the legend. */
  #frame(bytes: Uint8Array, start: number, end: number): void {
    if (this.#lineNumber === 1) {
      const text = Buffer.from(bytes.buffer, bytes.byteOffset + start, Math.min(end - start, 80)).toString('utf8');
      if (!text.startsWith('strict digraph')) {
        this.#fail(0, `expected "strict digraph …", as TLC's -dump dot begins, found ${JSON.stringify(text)}`);
      }
    }
    let isQuoted = false;
    for (let at = start; at < end; at++) {
      const byte = bytes[at];
      if (byte === QUOTE) isQuoted = !isQuoted;
      if (isQuoted) continue;
      if (byte === OPEN_BRACE) this.#depth++;
      if (byte !== CLOSE_BRACE) continue;
      this.#depth--;
      if (this.#depth === 1) this.#isGraphEnded = true;
      if (this.#depth === 0) this.#isEnded = true;
    }
  }

  #stateOrStep(bytes: Uint8Array, start: number, end: number): void {
    let at = this.#endOfId(bytes, start, end, start);
    const from = this.#numberOf(bytes, start, at);
    if (bytes[at + 1] === MINUS) {
      at = this.#expect(' -> ', bytes, at, start, end);
      const targetEnd = this.#endOfId(bytes, at, end, start);
      const to = this.#numberOf(bytes, at, targetEnd);
      this.#step(bytes, start, end, targetEnd, from, to);
    } else {
      this.#state(bytes, start, end, this.#expect(' [label="', bytes, at, start, end), from);
    }
  }

  #step(bytes: Uint8Array, start: number, end: number, at: number, from: number, to: number): void {
    // Without labels some releases end the line here.
    if (end - at <= 1) {
      this.#events.step(from, this.#action(bytes, at, at), to);
      return;
    }
    // With `stuttering`, later releases draw the steps that change nothing, which no action takes.
    if (bytes[at + 2] === SMALL_S && this.#expect(' [style="dashed"', bytes, at, start, end) > at) return;
    const label = this.#expect(' [label="', bytes, at, start, end);
    let quote = label;
    let second = -1;
    while (quote < end && bytes[quote] !== QUOTE) {
      if (bytes[quote] === NEWLINE && second === -1) second = quote;
      quote += bytes[quote] === BACKSLASH ? 2 : 1;
    }
    if (quote >= end) this.#fail(end - start, 'expected the quote that ends the label');
    if (second !== -1) this.#lineNumber++;
    this.#events.step(from, this.#action(bytes, label, second === -1 ? quote : second), to);
  }

  #state(bytes: Uint8Array, start: number, end: number, label: number, number: number): void {
    let at = label;
    // A state of one variable has no conjunction.
    if (bytes[at] === SLASH) at = this.#expect('/\\\\ ', bytes, at, start, end);
    let column = 0;
    for (; ; column++) {
      const expected = column < this.#columns ? this.lines.matches(this.#row[column]!, bytes, at) : -1;
      if (expected !== -1 && this.#endsAt(bytes, expected)) {
        at = expected;
      } else {
        const lineEnd = this.#scan(bytes, start, at, end, column);
        at = lineEnd;
      }
      if (bytes[at] === QUOTE) break;
      at += SEPARATOR_LENGTH;
    }
    const columns = column + 1;
    if (this.#columns === -1) this.#columns = columns;
    if (columns !== this.#columns) {
      this.#fail(label - start, `expected ${this.#columns} variables, as the states before have, found ${columns}`);
    }
    // `"];` or, of later releases, `",tooltip="…"];`; `",style = filled]` of an initial state.
    const initial = bytes[at + 1] === COMMA && bytes[at + 2] === SMALL_S;
    this.#events.state(number, this.#row, initial);
  }

  /** The slow way: hashes the line while it looks for its end. */
  #scan(bytes: Uint8Array, lineStart: number, start: number, end: number, column: number): number {
    let hash = 0x811c9dc5;
    let at = start;
    while (at < end) {
      const byte = bytes[at]!;
      if (byte === QUOTE) break;
      hash = Math.imul(hash ^ byte, 0x01000193);
      if (byte === BACKSLASH) {
        if (this.#isSeparator(bytes, at)) break;
        at++;
        hash = Math.imul(hash ^ bytes[at]!, 0x01000193);
      }
      at++;
    }
    if (at >= end) this.#fail(end - lineStart, 'expected the quote that ends the label');
    // Whichever of the two it was that ended the line.
    if (bytes[at] === QUOTE) hash = Math.imul(hash ^ BACKSLASH, 0x01000193);
    if (column >= this.#row.length) this.#addColumn(column, lineStart, start);
    this.#row[column] = this.lines.numberOf(bytes, start, at, hash);
    return at;
  }

  #addColumn(column: number, lineStart: number, at: number): void {
    if (this.#columns !== -1) {
      this.#fail(at - lineStart, `expected ${this.#columns} variables, as the states before have, found more`);
    }
    const row = new Int32Array(column + 1);
    row.set(this.#row);
    this.#row = row;
  }

  #endsAt(bytes: Uint8Array, at: number): boolean {
    return bytes[at] === QUOTE || this.#isSeparator(bytes, at);
  }

  #isSeparator(bytes: Uint8Array, at: number): boolean {
    return (
      bytes[at] === BACKSLASH &&
      bytes[at + 1] === SMALL_N &&
      bytes[at + 2] === SLASH &&
      bytes[at + 3] === BACKSLASH &&
      bytes[at + 4] === BACKSLASH &&
      bytes[at + 5] === BLANK
    );
  }

  #action(bytes: Uint8Array, start: number, end: number): number {
    let hash = 0;
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ bytes[at]!, 0x01000193);
    const label = this.#actionNames.numberOf(bytes, start, end, hash);
    if (label === this.actions.length) this.actions.push(unescapeDot(this.#actionNames.textOf(label)));
    return label;
  }

  #endOfId(bytes: Uint8Array, start: number, end: number, lineStart: number): number {
    let at = bytes[start] === MINUS ? start + 1 : start;
    const digits = at;
    while (at < end && bytes[at]! >= ZERO && bytes[at]! <= NINE) at++;
    if (at === digits) this.#fail(at - lineStart, 'expected the number of a state');
    if (at - digits > MAX_ID_DIGITS) this.#fail(digits - lineStart, 'expected a number of at most 64 bits');
    return at;
  }

  #numberOf(bytes: Uint8Array, start: number, end: number): number {
    const negative = bytes[start] === MINUS;
    return this.ids.numberOf(bytes, negative ? start + 1 : start, end, negative);
  }

  #expect(text: string, bytes: Uint8Array, at: number, start: number, end: number): number {
    for (let index = 0; index < text.length; index++) {
      if (at + index >= end || bytes[at + index] !== text.charCodeAt(index)) {
        this.#fail(at + index - start, `expected ${JSON.stringify(text)}`);
      }
    }
    return at + text.length;
  }

  #fail(offset: number, problem: string): never {
    throw new DotError(this.#file, this.#lineNumber, offset + 1, `${problem}.`);
  }
}

/** A label's text as it was before it became a dot string. */
export function unescapeDot(text: string): string {
  return text.includes('\\') ? text.replace(/\\(.)/g, (_, char: string) => (char === 'n' ? '\n' : char)) : text;
}
