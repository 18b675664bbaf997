import { inflateRawSync } from 'node:zlib';

export type ZipEntry =
  | { readonly kind: 'found'; readonly bytes: Buffer }
  | { readonly kind: 'absent' }
  | { readonly kind: 'notAZip' };

const END = 0x06054b50;
const END_LENGTH = 22;
const MAX_COMMENT_LENGTH = 0xffff;
const CENTRAL = 0x02014b50;
const CENTRAL_LENGTH = 46;
const LOCAL_LENGTH = 30;
const MAX_ENTRY_LENGTH = 64 * 1024 * 1024;

/** Reads one entry through the central directory (PKWARE APPNOTE 4.3). No zip64: a jar of that size is no TLC. */
export function readZipEntry(zip: Buffer, name: string): ZipEntry {
  const end = findEnd(zip);
  if (end === -1) return { kind: 'notAZip' };
  try {
    let at = zip.readUInt32LE(end + 16);
    for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
      if (zip.readUInt32LE(at) !== CENTRAL) return { kind: 'notAZip' };
      const nameLength = zip.readUInt16LE(at + 28);
      if (zip.toString('utf8', at + CENTRAL_LENGTH, at + CENTRAL_LENGTH + nameLength) === name)
        return readEntry(zip, at);
      at += CENTRAL_LENGTH + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
    }
    return { kind: 'absent' };
  } catch {
    // A number that points outside of the file, or data that does not inflate: cut or damaged.
    return { kind: 'notAZip' };
  }
}

function findEnd(zip: Buffer): number {
  const lowest = Math.max(0, zip.length - END_LENGTH - MAX_COMMENT_LENGTH);
  for (let at = zip.length - END_LENGTH; at >= lowest; at--) if (zip.readUInt32LE(at) === END) return at;
  return -1;
}

function readEntry(zip: Buffer, central: number): ZipEntry {
  const method = zip.readUInt16LE(central + 10);
  const length = zip.readUInt32LE(central + 20);
  const local = zip.readUInt32LE(central + 42);
  const start = local + LOCAL_LENGTH + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
  if (start + length > zip.length) return { kind: 'notAZip' };
  const data = zip.subarray(start, start + length);
  return { kind: 'found', bytes: method === 0 ? data : inflateRawSync(data, { maxOutputLength: MAX_ENTRY_LENGTH }) };
}
