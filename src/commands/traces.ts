import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ItfError, parseItf, type Trace } from '../trace/index.ts';
import { readText } from './input.ts';
import { UsageError } from './io.ts';

/** The folder of the recorded counterexamples. */
export const tracesFolder = fileURLToPath(new URL('../../traces/', import.meta.url));
export const ITF_ENDING = '.itf.json';

/** @throws UsageError for a file that cannot be read, or holds no trace */
export async function readTrace(file: string): Promise<Trace> {
  const missing = `There is no trace ${file}. The recorded ones are in traces/*${ITF_ENDING}.`;
  const folder = `${file} is a folder: name the traces in it, ${file}/*${ITF_ENDING}.`;
  const text = await readText(file, missing, folder);
  try {
    return parseItf(text, { file });
  } catch (error) {
    throw error instanceof ItfError ? new UsageError(error.message) : error;
  }
}

export async function recordedTraces(folder = tracesFolder): Promise<string[]> {
  const files = await readdir(folder).catch(() => []);
  const names = files.filter((file) => file.endsWith(ITF_ENDING)).map(traceName);
  return names.sort().map((name) => join(folder, name + ITF_ENDING));
}

export function traceName(file: string): string {
  return basename(file, ITF_ENDING);
}
