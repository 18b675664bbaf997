import { access, constants, stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { makeFolder } from '../tlc/index.ts';
import { UsageError } from './io.ts';

/** Files and folders that a command writes where the user says. All of it throws UsageError where that cannot be. */

export async function save(file: string, text: string): Promise<void> {
  await writeFile(file, text).catch((error) => {
    throw new UsageError(`${file} cannot be written (${error.code}): choose another place.`);
  });
}

/** The same, and the folders on the way to it. */
export async function saveWithFolders(file: string, text: string): Promise<void> {
  await needFolder(dirname(resolve(file)));
  await save(file, text);
}

/** Makes it, if it is not there. */
export async function needFolder(folder: string): Promise<void> {
  await makeFolder(folder).catch((error) => {
    throw new UsageError(`No folder can be made at ${folder} (${error.code}): choose another.`);
  });
}

/** Before long work: the folder is there, and files can be made in it. */
export async function needWritableFolder(folder: string): Promise<void> {
  await needFolder(folder);
  await access(folder, constants.W_OK).catch((error) => {
    throw new UsageError(`Nothing can be written in ${folder} (${error.code}): choose another.`);
  });
}

/** Before long work, so that its result is not lost for want of a place. */
export async function needPlaceFor(file: string | undefined): Promise<void> {
  if (file === undefined) return;
  const there = await stat(file).catch(() => null);
  if (there?.isDirectory()) throw new UsageError(`${file} is a folder: name a file in it.`);
  // The dot: what is no folder has none.
  await access(there === null ? `${dirname(resolve(file))}/.` : file, constants.W_OK).catch((error) => {
    throw new UsageError(`${file} cannot be written (${error.code}): choose another place.`);
  });
}
