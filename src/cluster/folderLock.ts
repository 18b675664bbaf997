import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { ClusterFolderError } from './controllerFile.ts';

/**
 * One cluster at a time has a folder: two would write the same files. The lock names the process that has it; one that a
 * process has left that is no more counts for nothing. The result unlocks.
 */
export function lockFolder(folder: string): () => void {
  const lock = `${folder}/.lock`;
  const holder = holderOf(lock);
  if (holder !== null) {
    throw new ClusterFolderError(
      `${folder} is in use by process ${holder}. End that cluster, or take another folder with --folder. (If that process is something else, remove ${lock}.)`,
    );
  }
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ClusterFolderError(`${lock} cannot be made (${code}). Take another folder with --folder.`);
  }
  return () => rmSync(lock, { force: true });
}

/** The live process that has the lock; null if there is none, and then no lock is left. */
function holderOf(lock: string): number | null {
  let text: string;
  try {
    text = readFileSync(lock, 'utf8');
  } catch {
    return null;
  }
  const holder = Number(text);
  if (Number.isSafeInteger(holder) && holder > 0 && isAlive(holder)) return holder;
  rmSync(lock, { force: true });
  return null;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
