import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Of all files below these folders of `root`, and of these files: names and contents. What was made of them is kept under it. */
export async function hashOfFiles(root: string, folders: readonly string[], files: readonly string[]): Promise<string> {
  const lists = await Promise.all(
    folders.map(async (folder) =>
      (await readdir(join(root, folder), { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name)),
    ),
  );
  const all = [...lists.flat().sort(), ...files.map((file) => join(root, file))];
  const contents = await Promise.all(all.map((file) => readFile(file)));
  const hash = createHash('sha256');
  for (const [index, file] of all.entries()) hash.update(file.slice(root.length)).update('\0').update(contents[index]!);
  return hash.digest('hex');
}
