import { readdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';

/** All files of a folder, which has folders of files only, as they were once. */
export type FolderImage = ReadonlyMap<string, ReadonlyMap<string, Buffer>>;

/** `folders`: below `path`; `''` is itself. */
export function takeImage(path: string, folders: readonly string[]): FolderImage {
  return new Map(
    folders.map((folder) => {
      const files = filesIn(`${path}/${folder}`).map(
        (name) => [name, readFileSync(`${path}/${folder}/${name}`)] as const,
      );
      return [folder, new Map(files)];
    }),
  );
}

/** The folder, which has those folders, has these files again, and no others. */
export function putImage(path: string, image: FolderImage): void {
  for (const [folder, files] of image) {
    const place = `${path}/${folder}`;
    for (const name of readdirSync(place)) {
      if (!files.has(name) && !image.has(folder === '' ? name : `${folder}/${name}`)) unlinkSync(`${place}/${name}`);
    }
    for (const [name, bytes] of files) writeFileSync(`${place}/${name}`, bytes);
  }
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [entry.name] : []));
}
