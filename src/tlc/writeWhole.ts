import { randomUUID } from 'node:crypto';
import { rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder } from './makeFolder.ts';

/** Writes a file of the cache under another name first: whoever reads at the same time never sees half of it. */
export async function writeWhole(file: string, content: string | Uint8Array): Promise<void> {
  await makeFolder(dirname(file));
  const own = `${file}.${randomUUID()}`;
  await writeFile(own, content);
  await rename(own, file);
}
