import { ItfError, parseItf } from '../../src/trace/index.ts';
import { Opened } from './opened.ts';

export type ReadFile =
  | { readonly ok: true; readonly opened: Opened }
  | { readonly ok: false; readonly problem: string };

/** Far more than a trace of thousands of steps. */
const MAX_BYTES = 100_000_000;

/** A file that somebody gave, whatever it is. */
export async function readFile(file: File): Promise<ReadFile> {
  if (file.size > MAX_BYTES)
    return { ok: false, problem: `${file.name} has ${Math.round(file.size / 1e6)} MB: that is no trace for a page.` };
  let text: string;
  try {
    text = await file.text();
  } catch {
    return { ok: false, problem: `${file.name} cannot be read: a folder, or a file that is gone.` };
  }
  try {
    const trace = parseItf(text, { file: file.name });
    return { ok: true, opened: new Opened(file.name.replace(/(\.itf)?\.json$/, ''), trace, { title: file.name }) };
  } catch (error) {
    if (error instanceof ItfError) return { ok: false, problem: error.message };
    throw error;
  }
}
