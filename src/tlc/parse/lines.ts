import { StringDecoder } from 'node:string_decoder';

/**
 * Cuts a stream of bytes into lines. A chunk may end anywhere, also inside a UTF-8 character or between CR and LF.
 * Lines come without their end; a last line without one comes with `end`.
 */
export class LineSplitter {
  readonly #decoder = new StringDecoder('utf8');
  readonly #onLine: (line: string) => void;
  /** Pieces of the line under way: joined once, so that a very long line in many chunks costs no more than its length. */
  #pieces: string[] = [];

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  push(chunk: Uint8Array | string): void {
    this.#take(typeof chunk === 'string' ? chunk : this.#decoder.write(Buffer.from(chunk)));
  }

  end(): void {
    this.#take(this.#decoder.end());
    if (this.#pieces.length > 0) this.#emit('');
  }

  #take(text: string): void {
    let start = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      this.#emit(text.slice(start, end));
      start = end + 1;
    }
    if (start < text.length) this.#pieces.push(text.slice(start));
  }

  #emit(last: string): void {
    this.#pieces.push(last);
    const line = this.#pieces.length === 1 ? last : this.#pieces.join('');
    this.#pieces = [];
    this.#onLine(line.endsWith('\r') ? line.slice(0, -1) : line);
  }
}
