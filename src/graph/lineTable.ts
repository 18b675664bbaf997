const FIRST_LINES = 1 << 10;
const FIRST_BYTES = 1 << 16;

/** Every distinct line, once: its bytes as they stand in the file, and a number from 0 on. */
export class LineTable {
  #slots = new Int32Array(FIRST_LINES * 2).fill(-1);
  #hashes = new Int32Array(FIRST_LINES);
  /** Where each line ends in `#bytes`; it begins where the one before ends. */
  #ends = new Int32Array(FIRST_LINES);
  #bytes = Buffer.allocUnsafe(FIRST_BYTES);
  #used = 0;
  size = 0;

  /** The number of the line `source[start, end)`, whose hash is given. */
  numberOf(source: Uint8Array, start: number, end: number, hash: number): number {
    const mask = this.#slots.length - 1;
    for (let slot = (hash ^ (hash >>> 15)) & mask; ; slot = (slot + 1) & mask) {
      const number = this.#slots[slot]!;
      if (number === -1) return this.#add(slot, source, start, end, hash);
      if (this.#hashes[number] === hash && this.#ends[number]! - this.#startOf(number) === end - start) {
        if (this.matches(number, source, start) !== -1) return number;
      }
    }
  }

  /** Where the line ends in `source` if it stands there at `start`; -1 if it does not. */
  matches(number: number, source: Uint8Array, start: number): number {
    const bytes = this.#bytes;
    const end = this.#ends[number]!;
    let at = start;
    for (let from = this.#startOf(number); from < end; from++, at++) if (bytes[from] !== source[at]) return -1;
    return at;
  }

  textOf(number: number): string {
    return this.#bytes.toString('utf8', this.#startOf(number), this.#ends[number]!);
  }

  get byteLength(): number {
    return this.#used;
  }

  #startOf(number: number): number {
    return number === 0 ? 0 : this.#ends[number - 1]!;
  }

  #add(slot: number, source: Uint8Array, start: number, end: number, hash: number): number {
    const number = this.size++;
    if (number === this.#hashes.length) this.#growLines();
    const length = end - start;
    while (this.#used + length > this.#bytes.length) this.#growBytes();
    this.#bytes.set(source.subarray(start, end), this.#used);
    this.#used += length;
    this.#hashes[number] = hash;
    this.#ends[number] = this.#used;
    if (this.size * 2 > this.#slots.length) this.#growSlots();
    else this.#slots[slot] = number;
    return number;
  }

  #growLines(): void {
    const hashes = new Int32Array(this.#hashes.length * 2);
    const ends = new Int32Array(hashes.length);
    hashes.set(this.#hashes);
    ends.set(this.#ends);
    this.#hashes = hashes;
    this.#ends = ends;
  }

  #growBytes(): void {
    const bytes = Buffer.allocUnsafe(Math.ceil(this.#bytes.length * 1.5));
    bytes.set(this.#bytes.subarray(0, this.#used));
    this.#bytes = bytes;
  }

  #growSlots(): void {
    const slots = new Int32Array(this.#slots.length * 2).fill(-1);
    const mask = slots.length - 1;
    for (let number = 0; number < this.size; number++) {
      const hash = this.#hashes[number]!;
      let slot = (hash ^ (hash >>> 15)) & mask;
      while (slots[slot] !== -1) slot = (slot + 1) & mask;
      slots[slot] = number;
    }
    this.#slots = slots;
  }
}
