/** Reading and writing of Kafka's primitive types. Nothing is read beyond the bytes that are there, or allocated for more. */

/** Bytes that are not what they should be; the message says what, and where. */
export class WireError extends Error {
  override readonly name = 'WireError';
}

/** Of all arrays of a message together, and of tagged fields: what has two bytes on the wire takes a hundred in memory. */
const MAX_ELEMENTS = 100_000;

export class Reader {
  readonly #bytes: Buffer;
  #at = 0;
  #elements = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get left(): number {
    return this.#bytes.length - this.#at;
  }

  take(length: number): Buffer {
    if (length < 0 || length > this.left) throw this.error(`${length} bytes are announced, ${this.left} are left`);
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  /** That an array of so many elements begins here, or so many tagged fields. */
  announced(elements: number): void {
    // Every element has at least one byte.
    if (elements < 0 || elements > this.left) {
      throw this.error(`${elements} elements are announced in ${this.left} bytes`);
    }
    this.#elements += elements;
    if (this.#elements > MAX_ELEMENTS) throw this.error(`more than ${MAX_ELEMENTS} elements are announced in all`);
  }

  int8 = (): number => this.take(1).readInt8();
  int16 = (): number => this.take(2).readInt16BE();
  int32 = (): number => this.take(4).readInt32BE();
  int64 = (): bigint => this.take(8).readBigInt64BE();

  /** An unsigned number of 7 bits a byte, at most 32 of them. */
  varint(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.take(1)[0]!;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
    throw this.error('a length is longer than 32 bits');
  }

  error(what: string): WireError {
    return new WireError(`At byte ${this.#at}: ${what}`);
  }
}

export class Writer {
  #bytes = Buffer.allocUnsafe(256);
  #length = 0;

  done(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  put(bytes: Uint8Array): void {
    const at = this.#room(bytes.length);
    this.#bytes.set(bytes, at);
  }

  int8(value: number): void {
    const at = this.#room(1);
    this.#bytes.writeInt8(value, at);
  }

  int16(value: number): void {
    const at = this.#room(2);
    this.#bytes.writeInt16BE(value, at);
  }

  int32(value: number): void {
    const at = this.#room(4);
    this.#bytes.writeInt32BE(value, at);
  }

  int64(value: bigint): void {
    const at = this.#room(8);
    this.#bytes.writeBigInt64BE(value, at);
  }

  varint(value: number): void {
    let rest = value;
    for (; rest >= 0x80; rest = Math.floor(rest / 128)) this.#byte((rest % 128) | 0x80);
    this.#byte(rest);
  }

  #byte(value: number): void {
    const at = this.#room(1);
    this.#bytes[at] = value;
  }

  /** Where the next bytes go. To be called before `#bytes` is looked at: it may be another one then. */
  #room(length: number): number {
    const at = this.#length;
    this.#length += length;
    if (this.#length > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(2 * this.#bytes.length, this.#length));
      this.#bytes.copy(larger, 0, 0, at);
      this.#bytes = larger;
    }
    return at;
  }
}
