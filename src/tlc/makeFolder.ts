import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/** One by one, if they are not there: where a file system makes no folders (/proc), Node's `recursive` never ends. */
export async function makeFolder(path: string): Promise<void> {
  const folder = resolve(path);
  const there = await stat(folder).catch((error) => {
    // Below a file.
    if (error.code === 'ENOTDIR') throw error;
    return null;
  });
  if (there?.isDirectory()) return;
  if (dirname(folder) !== folder) await makeFolder(dirname(folder));
  await mkdir(folder).catch((error) => {
    // Somebody else may have been faster.
    if (error.code !== 'EEXIST') throw error;
  });
  if (!(await stat(folder)).isDirectory()) throw Object.assign(new Error(), { code: 'EEXIST' });
}
