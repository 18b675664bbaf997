import { open, readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { batchesOf, type StoredRecord } from './wire/records.ts';

/** What a broker keeps of one partition, read from its files while it runs or after it has died. */
export interface OnDisk {
  readonly log: readonly StoredRecord[];
  /** leader-epoch-checkpoint; empty where there is none. */
  readonly epochCache: readonly { readonly epoch: number; readonly start: number }[];
  /** The entry of replication-offset-checkpoint; 0 where there is none, as Kafka takes it. */
  readonly checkpoint: number;
}

/** `partition`: such as `t-0`. */
export async function readDisk(logFolder: string, partition: string): Promise<OnDisk> {
  const folder = join(logFolder, partition);
  const records = await Promise.all((await segments(folder)).map(async (file) => batchesOf(await readOrEmpty(file))));
  const [epochs, checkpoints] = await Promise.all([
    checkpointLines(join(folder, 'leader-epoch-checkpoint')),
    checkpointLines(join(logFolder, 'replication-offset-checkpoint')),
  ]);
  const [topic, number] = nameOf(partition);
  const entry = checkpoints.find(([name, index]) => name === topic && index === number);
  return {
    log: records.flat().flatMap((batch) => batch.records),
    epochCache: epochs.map(([epoch, start]) => ({ epoch: Number(epoch), start: Number(start) })),
    checkpoint: Number(entry?.[2] ?? 0),
  };
}

/** A high watermark for the next start to find. */
export async function writeCheckpoint(logFolder: string, partition: string, offset: number): Promise<void> {
  await writeFile(join(logFolder, 'replication-offset-checkpoint'), `0\n1\n${nameOf(partition).join(' ')} ${offset}\n`);
}

/** A loss of power: of the log only the first `kept` records remain. Each record must be a batch of its own. */
export async function cutLog(logFolder: string, partition: string, kept: number): Promise<void> {
  for (const file of await segments(join(logFolder, partition))) {
    const cut = batchesOf(await readFile(file)).find(({ baseOffset }) => baseOffset >= kept);
    if (cut !== undefined) await truncate(file, cut.position);
  }
}

/** What the operating system does when it likes: writes the log's pages back to the disk. */
export async function flushLog(logFolder: string, partition: string): Promise<void> {
  for (const file of await segments(join(logFolder, partition))) {
    const handle = await open(file, 'r+');
    await handle.sync().finally(() => handle.close());
  }
}

/**
 * Both of Kafka's checkpoint files: a version, a count, then one entry a line, words separated by blanks. They are replaced
 * by a rename, so none is ever half there.
 */
export function parseCheckpoint(text: string): string[][] {
  const [version, count, ...lines] = text.split('\n').filter((line) => line !== '');
  if (version === undefined) return [];
  const entries = lines.map((line) => line.split(' '));
  if (version === '0' && Number(count) === entries.length) return entries;
  throw new RangeError(`a checkpoint of version ${version} with ${entries.length} entries instead of ${count}`);
}

function nameOf(partition: string): readonly [topic: string, number: string] {
  const separator = partition.lastIndexOf('-');
  return [partition.slice(0, separator), partition.slice(separator + 1)];
}

async function checkpointLines(file: string): Promise<string[][]> {
  return parseCheckpoint((await readOrEmpty(file)).toString('utf8'));
}

async function segments(folder: string): Promise<string[]> {
  const files = await readdir(folder).catch(ifMissing<string[]>([]));
  return files
    .filter((file) => file.endsWith('.log'))
    .sort()
    .map((file) => join(folder, file));
}

async function readOrEmpty(file: string): Promise<Buffer> {
  return readFile(file).catch(ifMissing(Buffer.alloc(0)));
}

function ifMissing<T>(instead: T): (error: NodeJS.ErrnoException) => T {
  return (error) => {
    if (error.code === 'ENOENT') return instead;
    throw error;
  };
}
