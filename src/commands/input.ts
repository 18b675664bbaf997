import { constants, isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { UsageError } from './io.ts';

/** Texts that a user names. All of it throws UsageError for what is none. */

/** `missing` and `folder`: what to say where the file is not there, or is a folder. */
export async function readText(
  file: string,
  missing: string,
  folder = `${file} is a folder: name a file in it.`,
): Promise<string> {
  const bytes = await readFile(file).catch(({ code }) => {
    if (code === 'ENOENT') throw new UsageError(missing);
    if (code === 'EISDIR') throw new UsageError(folder);
    throw code === 'ERR_FS_FILE_TOO_LARGE' ? tooLarge(file) : new UsageError(`${file} cannot be read (${code}).`);
  });
  return textOf(bytes, file);
}

/**
 * UTF-8, or UTF-16 if it begins with its mark, as what PowerShell writes with `>` does; without the mark. Of a letter at the end that
 * is cut nothing is left: whoever reads the text sees that it is cut.
 */
export function textOf(bytes: Buffer, file: string): string {
  if (bytes.length > constants.MAX_STRING_LENGTH) throw tooLarge(file);
  const mark = bytes.toString('latin1', 0, 2);
  if (mark === '\xff\xfe' || mark === '\xfe\xff')
    return new TextDecoder(mark === '\xff\xfe' ? 'utf-16le' : 'utf-16be').decode(bytes);
  const whole = isUtf8(bytes) ? bytes : withoutCutLetter(bytes);
  if (!isUtf8(whole)) throw notUtf8(bytes, file);
  return whole.toString('utf8').replace(/^\uFEFF/, '');
}

function withoutCutLetter(bytes: Buffer): Buffer {
  // All bytes of a letter but its first begin with the bits 10.
  const start = bytes.findLastIndex((byte) => byte >> 6 !== 0b10);
  const first = bytes[start] ?? 0;
  const width = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
  return bytes.length - start < width ? bytes.subarray(0, start) : bytes;
}

function tooLarge(file: string): UsageError {
  const most = Math.floor(constants.MAX_STRING_LENGTH / 1e6);
  return new UsageError(`${file} is too large: expected at most ${most} MB. Cut it into parts.`);
}

/** Read on, it would hold other letters than were written. */
function notUtf8(bytes: Buffer, file: string): UsageError {
  let line = 1;
  let start = 0;
  let end = lineEnd(bytes, start);
  for (; isUtf8(bytes.subarray(start, end)); line++) {
    start = end;
    end = lineEnd(bytes, start);
  }
  const before = bytes.toString('utf8', start, end).split('\uFFFD', 1)[0]!;
  const byte = bytes[start + Buffer.byteLength(before)]!.toString(16).toUpperCase().padStart(2, '0');
  const place = `${file}, line ${line}, column ${before.length + 1}`;
  return new UsageError(
    `${place}: expected text in UTF-8, found the byte ${byte}. Unpack it if it is packed; a text in another encoding becomes UTF-8 with iconv.`,
  );
}

function lineEnd(bytes: Buffer, start: number): number {
  const newline = bytes.indexOf(0x0a, start);
  return newline === -1 ? bytes.length : newline + 1;
}
