import type { Readable } from 'node:stream';

export interface LineReader {
  line(text: string): void;
  /** A line becomes longer than the limit; of it only the beginning comes, as its end does. */
  tooLong?(): void;
}

/**
 * Whatever a stream gives, line by line, in UTF-8. A line ends at \n alone, or \r\n: any other end (Node's readline knows some)
 * may stand within JSON. It takes no more memory than a line of `limit` characters.
 */
export function eachLine(stream: Readable, limit: number, reader: LineReader): void {
  // Leaves out the mark with which some platforms begin what they print.
  const decoder = new TextDecoder();
  let line = '';
  const add = (part: string): void => {
    const room = limit - line.length;
    line += part.slice(0, room + 1);
    if (part.length > room && room >= 0) reader.tooLong?.();
  };
  const end = (): void => {
    const whole = line;
    line = '';
    reader.line(whole.length > limit ? `${whole.slice(0, limit)}…` : whole.replace(/\r$/, ''));
  };
  stream.on('data', (bytes: Uint8Array) => {
    const [first = '', ...more] = decoder.decode(bytes, { stream: true }).split('\n');
    add(first);
    for (const part of more) {
      end();
      add(part);
    }
  });
  stream.on('end', () => {
    if (line !== '') end();
  });
}
