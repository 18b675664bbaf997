import type { Host, Link } from './host.ts';

/** Somebody whose answer waits for the state to change. */
interface Waiting {
  readonly link: Link;
  isNews(): boolean;
  answer(): void;
  cancelTimer: () => void;
}

/** Who is not answered at once: looked at after each step, and answered in any case in the end (Kafka's purgatory). */
export class WaitingRoom {
  readonly #after: Host['after'];
  readonly #waiting = new Set<Waiting>();

  constructor(after: Host['after']) {
    this.#after = after;
  }

  wait(link: Link, ms: number, isNews: () => boolean, answer: () => void): void {
    const waiting: Waiting = { link, isNews, answer, cancelTimer: () => {} };
    this.#waiting.add(waiting);
    waiting.cancelTimer = this.#after(ms, () => this.#answer(waiting));
  }

  /** Answers all who have waited for what is there now, as long as the broker is free to. */
  look(isFree: () => boolean): void {
    for (const waiting of [...this.#waiting]) if (isFree() && waiting.isNews()) this.#answer(waiting);
  }

  /** Its connection is gone. */
  forget(link: Link): void {
    for (const waiting of this.#waiting) if (waiting.link === link) this.#leave(waiting);
  }

  close(): void {
    for (const waiting of this.#waiting) this.#leave(waiting);
  }

  #answer(waiting: Waiting): void {
    if (this.#leave(waiting)) waiting.answer();
  }

  #leave(waiting: Waiting): boolean {
    waiting.cancelTimer();
    return this.#waiting.delete(waiting);
  }
}
