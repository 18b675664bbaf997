const PAUSE_MS = 1_000;

/** Says one thing at a time: of what comes too fast, it is said how much there was. */
export class Complaints {
  readonly #say: (what: string) => void;
  readonly #nowMs: () => number;
  #saidMs = Number.NEGATIVE_INFINITY;
  #unsaid = 0;

  constructor(say: (what: string) => void, nowMs: () => number = () => performance.now()) {
    this.#say = say;
    this.#nowMs = nowMs;
  }

  add(what: string): void {
    const now = this.#nowMs();
    if (now - this.#saidMs < PAUSE_MS) {
      this.#unsaid++;
      return;
    }
    this.#say(this.#unsaid === 0 ? what : `${what} (and ${this.#unsaid} more before it)`);
    this.#saidMs = now;
    this.#unsaid = 0;
  }
}
