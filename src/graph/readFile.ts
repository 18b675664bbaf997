import { open } from 'node:fs/promises';
import { DotError } from './dotError.ts';
import { readGraph, type StateGraph } from './stateGraph.ts';

/** Large chunks: a system call for each 64 KiB would be felt. */
const CHUNK_BYTES = 4 * 1024 * 1024;

/** @throws DotError also where the file cannot be read */
export async function readGraphFile(file: string): Promise<StateGraph> {
  const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
    const reason = error.code === 'ENOENT' ? 'there is no such file' : `it cannot be read (${error.code})`;
    throw new DotError(file, 0, 0, `${reason}.`);
  });
  try {
    return await readGraph(chunksOf(handle), file);
  } finally {
    await handle.close();
  }
}

async function* chunksOf(handle: Awaited<ReturnType<typeof open>>): AsyncGenerator<Uint8Array> {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  for (;;) {
    const { bytesRead } = await handle.read(buffer, 0, CHUNK_BYTES);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}
