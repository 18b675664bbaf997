/** What comes on one connection is dealt with in its order, one at a time: as Kafka does with requests. */
export class Turns<T> {
  readonly #serve: (one: T, done: () => void) => void;
  readonly #idle: () => void;
  #waiting: T[] = [];
  #next = 0;
  #isServing = false;
  #isLooking = false;

  /** `idle`: all that has come is dealt with. */
  constructor(serve: (one: T, done: () => void) => void, idle: () => void) {
    this.#serve = serve;
    this.#idle = idle;
  }

  add(one: T): void {
    this.#waiting.push(one);
    this.#look();
  }

  /** What is done at once is no call within a call: any number may wait. */
  #look(): void {
    if (this.#isLooking) return;
    this.#isLooking = true;
    while (!this.#isServing && this.#next < this.#waiting.length) {
      this.#isServing = true;
      this.#serve(this.#waiting[this.#next++] as T, () => {
        this.#isServing = false;
        this.#look();
      });
    }
    this.#isLooking = false;
    if (this.#isServing) return;
    this.#waiting = [];
    this.#next = 0;
    this.#idle();
  }
}
