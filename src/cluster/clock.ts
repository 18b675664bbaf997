interface Entry {
  readonly at: number;
  readonly number: number;
  call: (() => void) | null;
}

/** Simulated time: what is to happen, in its order. */
export class Clock {
  #now = 0;
  #count = 0;
  /** Last the next to happen; of the same time, in the order in which they were asked for. */
  readonly #queue: Entry[] = [];

  get now(): number {
    return this.#now;
  }

  after(ms: number, call: () => void): () => void {
    const entry: Entry = { at: this.#now + ms, number: this.#count++, call };
    this.#push(entry);
    return () => {
      entry.call = null;
    };
  }

  /** Lets the next thing happen; false if there is none. */
  next(): boolean {
    const entry = this.#queue.pop();
    if (entry === undefined) return false;
    this.#now = entry.at;
    entry.call?.();
    return true;
  }

  #push(entry: Entry): void {
    let low = 0;
    let high = this.#queue.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = this.#queue[middle]!;
      if (other.at > entry.at || (other.at === entry.at && other.number > entry.number)) low = middle + 1;
      else high = middle;
    }
    this.#queue.splice(low, 0, entry);
  }
}
