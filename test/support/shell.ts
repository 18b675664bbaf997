import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** A command line in a document, and what the document says of its exit code. */
export interface Documented {
  readonly file: string;
  readonly line: string;
  readonly exitCode: number;
}

/**
 * The command lines of `leader-epoch` in a document's blocks of `sh`, continued lines joined. A comment before a block,
 * `<!-- exit: 1 -->` or `<!-- not run -->`, is about all of its lines.
 */
export function commandLines(file: string, text: string): Documented[] {
  const blocks = text.matchAll(/^(?:<!-- *(.*?) *-->\n+)?```sh\n([\s\S]*?)^```$/gm);
  return [...blocks].flatMap(([, note = '', block = '']) => {
    if (note === 'not run') return [];
    const exitCode = Number(/^exit: (\d)$/.exec(note)?.[1] ?? 0);
    return block
      .replaceAll(/ *\\\n\s*/g, ' ')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => /^(\w+=\S* )*(npx )?leader-epoch( |$)/.test(line))
      .map((line) => ({ file, line, exitCode }));
  });
}

/** What a shell makes of the line: its variables, and the arguments after the program's name, `*` expanded in `folder`. */
export function parsed(line: string, folder: string): { env: Record<string, string>; argv: string[] } {
  const words = [...line.replace(/ #.*$/, '').matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([word, single, double]) => ({
    text: single ?? double ?? word,
    quoted: word !== (single ?? double ?? word),
  }));
  const operator = words.find(({ text, quoted }) => !quoted && /[|<>;&$`]/.test(text));
  if (operator)
    throw new Error(`"${line}" needs a shell for "${operator.text}": say <!-- not run --> before its block`);
  const start = words.findIndex(({ text }) => text === 'leader-epoch');
  const settings = words.slice(0, start).flatMap(({ text }) => (text.includes('=') ? [text.split('=', 2)] : []));
  const argv = words.slice(start + 1).flatMap(({ text, quoted }) => (quoted ? [text] : expanded(text, folder)));
  return { env: Object.fromEntries(settings), argv };
}

function expanded(word: string, folder: string): string[] {
  if (!word.includes('*')) return [word];
  const pattern = new RegExp(`^${basename(word).replaceAll('.', '\\.').replaceAll('*', '.*')}$`);
  const names = readdirSync(join(folder, dirname(word)))
    .filter((name) => pattern.test(name))
    .sort();
  return names.length === 0 ? [word] : names.map((name) => join(dirname(word), name));
}
