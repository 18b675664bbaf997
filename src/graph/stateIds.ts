/**
 * TLC names a state by its fingerprint, a signed number of 64 bits that no double can hold. Here each gets the number of
 * its first mention, from 0 on. An id is kept as sign, high and low decimal digits, so nothing is ever rounded.
 */
const LOW_DIGITS = 9;
const LOW = 10 ** LOW_DIGITS;
const FIRST_CAPACITY = 1 << 12;

/** The longest that a signed 64-bit number can be. */
export const MAX_ID_DIGITS = 19;

export class StateIds {
  #slots = new Int32Array(FIRST_CAPACITY).fill(-1);
  /** Digits above the lowest nine, with the sign; -0 tells a negative number of nine digits or fewer. */
  #high = new Float64Array(FIRST_CAPACITY);
  #low = new Uint32Array(FIRST_CAPACITY);
  size = 0;

  /** The number of the id that stands in `bytes`, digits from `start` to `end`. */
  numberOf(bytes: Uint8Array, start: number, end: number, negative: boolean): number {
    let high = 0;
    let low = 0;
    let at = start;
    for (const split = end - LOW_DIGITS; at < split; at++) high = high * 10 + bytes[at]! - 48;
    for (; at < end; at++) low = low * 10 + bytes[at]! - 48;
    return this.#find(negative ? -high : high, low);
  }

  idOf(number: number): bigint {
    const high = this.#high[number]!;
    const magnitude = BigInt(Math.abs(high)) * BigInt(LOW) + BigInt(this.#low[number]!);
    return isNegative(high) ? -magnitude : magnitude;
  }

  #find(high: number, low: number): number {
    const mask = this.#slots.length - 1;
    for (let slot = hash(high, low) & mask; ; slot = (slot + 1) & mask) {
      const number = this.#slots[slot]!;
      if (number === -1) return this.#add(slot, high, low);
      if (this.#low[number] === low && Object.is(this.#high[number], high)) return number;
    }
  }

  #add(slot: number, high: number, low: number): number {
    const number = this.size++;
    if (number === this.#high.length) this.#growColumns();
    this.#high[number] = high;
    this.#low[number] = low;
    if (this.size * 2 > this.#slots.length) this.#growSlots();
    else this.#slots[slot] = number;
    return number;
  }

  #growColumns(): void {
    const high = new Float64Array(this.#high.length * 2);
    const low = new Uint32Array(high.length);
    high.set(this.#high);
    low.set(this.#low);
    this.#high = high;
    this.#low = low;
  }

  #growSlots(): void {
    const slots = new Int32Array(this.#slots.length * 2).fill(-1);
    const mask = slots.length - 1;
    for (let number = 0; number < this.size; number++) {
      let slot = hash(this.#high[number]!, this.#low[number]!) & mask;
      while (slots[slot] !== -1) slot = (slot + 1) & mask;
      slots[slot] = number;
    }
    this.#slots = slots;
  }
}

/** Fingerprints are spread evenly already; small numbers are not. */
function hash(high: number, low: number): number {
  return Math.imul(low ^ (high >>> 0), 0x9e3779b1) >>> 7;
}

function isNegative(high: number): boolean {
  return high < 0 || Object.is(high, -0);
}
