/** Integers of 32 bits, added one by one: a tenth of what an array of numbers may take. */
export class IntList {
  #items: Int32Array;
  length = 0;

  constructor(capacity = 1 << 10) {
    this.#items = new Int32Array(capacity);
  }

  push(item: number): void {
    if (this.length === this.#items.length) this.#grow(this.length + 1);
    this.#items[this.length++] = item;
  }

  /** Sets an item, at the end or beyond it; what lies between is `gap`. */
  set(index: number, item: number, gap: number): void {
    if (index >= this.#items.length) this.#grow(index + 1);
    while (this.length <= index) this.#items[this.length++] = gap;
    this.#items[index] = item;
  }

  at(index: number): number {
    return this.#items[index]!;
  }

  /** The items, without a copy: valid until more are added. */
  items(): Int32Array {
    return this.#items.subarray(0, this.length);
  }

  #grow(least: number): void {
    const items = new Int32Array(Math.max(least, Math.ceil(this.#items.length * 1.6)));
    items.set(this.#items.subarray(0, this.length));
    this.#items = items;
  }
}
