/** What a line of `-tool` output turns out to be. Source: tlaplus `tlc2.output.MP.getMessage` (2.18 and commit cc6b616c). */
export type OutputEvent =
  | { readonly kind: 'message'; readonly message: Message }
  /** A line outside every message: SANY's errors, what a spec prints, what the JVM says. */
  | { readonly kind: 'text'; readonly line: string };

export interface Message {
  readonly code: number;
  /** 0 none, 1 error, 2 TLC bug, 3 warning, 4 state (`MP.NONE` … `MP.STATE`). */
  readonly severity: number;
  readonly lines: readonly string[];
  /** 0 for a message of its own, 1 for one inside the text of another (a `ConfigFileException` in a 1000). */
  readonly depth: number;
  /** Holds another message in its text; that one came before it and says more. */
  readonly holdsMessage: boolean;
  /** False when the output ended before its end marker. */
  readonly complete: boolean;
}

const START = /^(.*)@!@!@STARTMSG (-?\d{1,9}):(\d{1,2}) @!@!@$/s;

interface OpenMessage {
  readonly code: number;
  readonly severity: number;
  readonly lines: string[];
  holdsMessage: boolean;
}

/**
 * Lines to messages. A marker ends its line: one that a spec prints stands in quotes, so its line ends in a quote and it
 * is text. A text without a newline may stand before a marker on its line.
 */
export class MessageReader {
  readonly #emit: (event: OutputEvent) => void;
  readonly #open: OpenMessage[] = [];

  constructor(emit: (event: OutputEvent) => void) {
    this.#emit = emit;
  }

  line(line: string): void {
    if (!line.endsWith(' @!@!@')) {
      this.#text(line);
      return;
    }
    if (this.#endsHere(line)) return;
    const start = START.exec(line);
    if (start === null) {
      this.#text(line);
      return;
    }
    // Some releases begin a message on the line that ends the one before.
    if (start[1] !== '' && !this.#endsHere(start[1]!)) this.#text(start[1]!);
    for (const outer of this.#open) outer.holdsMessage = true;
    this.#open.push({ code: Number(start[2]), severity: Number(start[3]), lines: [], holdsMessage: false });
  }

  /** Whether the innermost message ends with this text; then it is closed. */
  #endsHere(text: string): boolean {
    const innermost = this.#open.at(-1);
    if (innermost === undefined) return false;
    const end = `@!@!@ENDMSG ${innermost.code} @!@!@`;
    if (!text.endsWith(end)) return false;
    if (text.length > end.length) innermost.lines.push(text.slice(0, -end.length));
    this.#close(true);
    return true;
  }

  /** The output is over: what is still open was cut off. */
  end(): void {
    while (this.#open.length > 0) this.#close(false);
  }

  #text(line: string): void {
    const innermost = this.#open.at(-1);
    if (innermost !== undefined) innermost.lines.push(line);
    else this.#emit({ kind: 'text', line });
  }

  #close(complete: boolean): void {
    const { code, severity, lines, holdsMessage } = this.#open.pop()!;
    this.#open.at(-1)?.lines.push(...lines.slice(0, MAX_INNER_LINES));
    this.#emit({
      kind: 'message',
      message: { code, severity, lines, depth: this.#open.length, holdsMessage, complete },
    });
  }
}

/** An inner message also counts as text of the outer one; no real one has more than a few lines. */
const MAX_INNER_LINES = 100;
