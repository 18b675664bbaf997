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

/** Numbers from 0 up to 1, the same ones for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
