/** The primitive types of Kafka's protocol (and of ZooKeeper's, which has the same integers), big-endian. */
export class Writer {
  readonly #parts: Buffer[] = [];

  raw(bytes: Uint8Array): this {
    this.#parts.push(Buffer.from(bytes));
    return this;
  }
  int8(value: number): this {
    return this.#fixed(1, (bytes) => bytes.writeInt8(value));
  }
  int16(value: number): this {
    return this.#fixed(2, (bytes) => bytes.writeInt16BE(value));
  }
  int32(value: number): this {
    return this.#fixed(4, (bytes) => bytes.writeInt32BE(value));
  }
  uint32(value: number): this {
    return this.#fixed(4, (bytes) => bytes.writeUInt32BE(value));
  }
  int64(value: number | bigint): this {
    return this.#fixed(8, (bytes) => bytes.writeBigInt64BE(BigInt(value)));
  }
  varint(value: number): this {
    return this.uvarint(((value << 1) ^ (value >> 31)) >>> 0);
  }
  uvarint(value: number): this {
    const bytes: number[] = [];
    let rest = value >>> 0;
    for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
    return this.raw(Uint8Array.from([...bytes, rest]));
  }
  string(text: string | null): this {
    if (text === null) return this.int16(-1);
    const bytes = Buffer.from(text);
    return this.int16(bytes.length).raw(bytes);
  }
  bytes(bytes: Uint8Array | null): this {
    return bytes === null ? this.int32(-1) : this.int32(bytes.length).raw(bytes);
  }
  array<T>(items: readonly T[], write: (writer: this, item: T) => void): this {
    this.int32(items.length);
    for (const item of items) write(this, item);
    return this;
  }
  toBuffer(): Buffer {
    return Buffer.concat(this.#parts);
  }

  #fixed(length: number, write: (bytes: Buffer) => void): this {
    const bytes = Buffer.alloc(length);
    write(bytes);
    return this.raw(bytes);
  }
}

/** Throws a RangeError at the end of its bytes. */
export class Reader {
  readonly bytesAll: Buffer;
  position: number;

  constructor(bytes: Buffer, position = 0) {
    this.bytesAll = bytes;
    this.position = position;
  }

  get remaining(): number {
    return this.bytesAll.length - this.position;
  }
  int8(): number {
    return this.bytesAll.readInt8(this.#skip(1));
  }
  int16(): number {
    return this.bytesAll.readInt16BE(this.#skip(2));
  }
  int32(): number {
    return this.bytesAll.readInt32BE(this.#skip(4));
  }
  uint32(): number {
    return this.bytesAll.readUInt32BE(this.#skip(4));
  }
  int64(): number {
    return Number(this.bytesAll.readBigInt64BE(this.#skip(8)));
  }
  varint(): number {
    const value = this.uvarint();
    return (value >>> 1) ^ -(value & 1);
  }
  uvarint(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.bytesAll.readUInt8(this.#skip(1));
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
      if (shift >= 28) throw new RangeError('a varint of more than five bytes');
    }
  }
  raw(length: number): Buffer {
    const start = this.#skip(length);
    return this.bytesAll.subarray(start, start + length);
  }
  string(): string | null {
    const length = this.int16();
    return length < 0 ? null : this.raw(length).toString('utf8');
  }
  compactString(): string | null {
    const length = this.uvarint();
    return length === 0 ? null : this.raw(length - 1).toString('utf8');
  }
  bytes(): Buffer | null {
    const length = this.int32();
    return length < 0 ? null : this.raw(length);
  }
  compactBytes(): Buffer | null {
    const length = this.uvarint();
    return length === 0 ? null : this.raw(length - 1);
  }
  array<T>(read: (reader: this) => T): T[] {
    return this.#times(this.int32(), read);
  }
  compactArray<T>(read: (reader: this) => T): T[] {
    return this.#times(this.uvarint() - 1, read);
  }
  /** Tagged fields of the flexible versions: number, then bytes. */
  tags(): Map<number, Buffer> {
    return new Map(this.#times(this.uvarint(), () => [this.uvarint(), this.raw(this.uvarint())] as const));
  }

  #times<T>(count: number, read: (reader: this) => T): T[] {
    return Array.from({ length: Math.max(count, 0) }, () => read(this));
  }
  #skip(length: number): number {
    if (length < 0 || length > this.remaining) throw new RangeError(`${length} bytes wanted, ${this.remaining} left`);
    const start = this.position;
    this.position += length;
    return start;
  }
}
