/** Zigzag integers of variable length, as records have them. */
export function varintBytes(value: bigint): number[] {
  let zigzag = BigInt.asUintN(64, (value << 1n) ^ (value >> 63n));
  const bytes: number[] = [];
  while (zigzag >= 0x80n) {
    bytes.push(Number(zigzag & 0x7fn) | 0x80);
    zigzag >>= 7n;
  }
  bytes.push(Number(zigzag));
  return bytes;
}

/** Reads one at `at`; a RangeError if it runs out of the bytes, or is longer than 64 bits. */
export function readVarint(bytes: Uint8Array, at: number): { readonly value: bigint; readonly next: number } {
  let zigzag = 0n;
  for (let i = 0; i < 10; i++) {
    const byte = bytes[at + i];
    if (byte === undefined) throw new RangeError('a number is cut off');
    zigzag |= BigInt(byte & 0x7f) << BigInt(7 * i);
    if (byte < 0x80) return { value: (zigzag >> 1n) ^ -(zigzag & 1n), next: at + i + 1 };
  }
  throw new RangeError('a number is longer than 64 bits');
}
