/** What colours are made of: ESC [ numbers m. */
const COLOUR = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');

/** Columns on a terminal. All that is written here is one column a character, but for colours, which are none. */
export function columns(text: string): number {
  return [...text.replace(COLOUR, '')].length;
}

export function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - columns(text)));
}

/** Breaks a text at spaces. The first line starts with `first`, each further one is indented as far. */
export function wrap(text: string, width: number, first = ''): string[] {
  const indent = ' '.repeat(columns(first));
  const lines: string[] = [];
  let line = first;
  let empty = true;
  for (const word of text.split(' ')) {
    if (!empty && columns(line) + 1 + columns(word) > width) {
      lines.push(line);
      line = indent;
      empty = true;
    }
    line += empty ? word : ` ${word}`;
    empty = false;
  }
  return [...lines, line];
}

/** A text of at most so many columns, with a mark for what was cut. Takes no colours. */
export function clip(text: string, width: number, mark = '…'): string {
  const characters = [...text];
  if (characters.length <= width) return text;
  return characters.slice(0, Math.max(0, width - mark.length)).join('') + mark;
}
