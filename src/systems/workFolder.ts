import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { guard } from '../tlc/guard.ts';

export interface WorkFolder {
  readonly path: string;
  /** Never throws, may be called twice. */
  remove(): Promise<void>;
}

/**
 * A temporary folder, gone also after Ctrl-C. Logs are small and short-lived, and some files of theirs are synced: in memory,
 * where there is such a folder with room. `onSignal`: what is to be stopped first; it removes the folder then.
 */
export async function workFolder(onSignal?: () => void): Promise<WorkFolder> {
  const path = await mkdtemp('/dev/shm/leader-epoch-').catch(() => mkdtemp(join(tmpdir(), 'leader-epoch-')));
  const destroy = () => rmSync(path, { recursive: true, force: true });
  const stop = () => {
    destroy();
    release();
  };
  const release = guard({ stop: onSignal ?? stop, destroy });
  return {
    path,
    remove: async () => {
      await rm(path, { recursive: true, force: true }).catch(() => {});
      release();
    },
  };
}
