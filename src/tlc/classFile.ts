/** What a compiled class says about itself (JVM specification, chapter 4). */
export interface ClassFile {
  /** The Java release that it needs: class file version 52 is Java 8, 55 is Java 11. */
  readonly javaMajor: number;
  readonly strings: readonly string[];
}

/** Bytes after the tag of each kind of constant (JVMS 4.4); 1 (UTF-8) has its own length, 5 and 6 take two slots. */
const CONSTANT_LENGTHS: Readonly<Record<number, number>> = {
  3: 4,
  4: 4,
  5: 8,
  6: 8,
  7: 2,
  8: 2,
  9: 4,
  10: 4,
  11: 4,
  12: 4,
  15: 3,
  16: 2,
  17: 4,
  18: 4,
  19: 2,
  20: 2,
};

/** Null: not a class file. */
export function readClassFile(bytes: Buffer): ClassFile | null {
  try {
    if (bytes.readUInt32BE(0) !== 0xcafebabe) return null;
    const strings: string[] = [];
    let at = 10;
    for (let index = 1; index < bytes.readUInt16BE(8); index++) {
      const tag = bytes.readUInt8(at++);
      if (tag === 1) {
        const length = bytes.readUInt16BE(at);
        strings.push(bytes.toString('utf8', at + 2, at + 2 + length));
        at += 2 + length;
      } else {
        const length = CONSTANT_LENGTHS[tag];
        if (length === undefined) return null;
        at += length;
        if (tag === 5 || tag === 6) index++;
      }
    }
    return { javaMajor: bytes.readUInt16BE(6) - 44, strings };
  } catch {
    return null;
  }
}
