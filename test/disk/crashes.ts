/** Runs of the protocol whose disk is cut off before every single operation, in every way that a machine may fail. */
import {
  epochsOfRelease,
  type Files,
  type Image,
  MemoryFiles,
  openStore,
  type StoreOptions,
} from '../../src/disk/index.ts';
import { truncateFromEnd } from '../../src/replica/epoch-cache.ts';
import { Cluster, type Disk, type Profile, profiles } from '../../src/replica/index.ts';
import { seeded } from '../support/walk.ts';
import { batchesOf, options } from './support.ts';

export interface Cut {
  readonly image: Image;
  /** The process died, the machine did not. */
  readonly processOnly: boolean;
  readonly before: Disk;
  readonly after: Disk;
  /** What was being done, for people. */
  readonly step: string;
}

export interface Crashing {
  readonly profile: keyof typeof profiles;
  readonly seed: number;
  readonly steps: number;
  readonly options?: Partial<StoreOptions>;
  /** Records come in batches of up to so many. Default 1. */
  readonly batch?: number;
  /** The file system as a store sees it. */
  readonly through?: (files: MemoryFiles) => Files;
}

/** Replica B of a random run. Nobody crashes in it but by what is made of it here. */
export function cutsOf({ profile, seed, steps, batch = 1, through = (files) => files, ...more }: Crashing): Cut[] {
  const profileOf = { A: profiles[profile] as Profile, B: profiles[profile] as Profile };
  const cluster = new Cluster({
    ...{ replicas: ['A', 'B'], firstLeader: 'B', profileOf, minIsr: 1 },
    ...{ lazyCheckpoint: true, resumeSameEpoch: false, oldNews: false },
  });
  const files = new MemoryFiles();
  const storeOptions = { ...options, ...epochsOfRelease(profileOf.B), ...more.options };
  const opened = openStore(through(files), storeOptions);
  if (opened.kind !== 'opened') throw new Error(opened.damage.what);
  const { store } = opened;
  let before: Disk = opened.disk;
  const random = seeded(seed);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const cuts: Cut[] = [];
  let id = 0;
  const look = (after: Disk, step: string): void => {
    cuts.push({ image: files.image(), processOnly: true, before, after, step });
    for (const image of files.crashImages()) cuts.push({ image, processOnly: false, before, after, step });
  };
  const write = (after: Disk, step: string): void => {
    files.onOperation = () => look(after, step);
    store.write(after, batchesOf(batch));
    before = { ...after };
    look(after, step);
  };
  write(cluster.observe().replicas.B!.disk, 'start');
  const left = new Map<string, number>([['Write', 12]]);
  for (let taken = 0; taken < steps; taken++) {
    const enabled = cluster
      .enabled()
      .filter(({ action }) => !['Crash', 'PowerLoss', 'LoseMessage', 'PartitionOffline'].includes(action))
      .filter(({ action }) => left.get(action) !== 0);
    const action = pick([...new Set(enabled.map((step) => step.action))]);
    const step = pick(enabled.filter((one) => one.action === action));
    left.set(action, (left.get(action) ?? Number.POSITIVE_INFINITY) - 1);
    const together = action === 'Write' && batch > 1 ? 1 + Math.floor(random() * batch) : 1;
    for (let times = 0; times < together; times++) cluster.step(action === 'Write' ? { ...step, id: ++id } : step);
    write(cluster.observe().replicas.B!.disk, `${action}(${step.args.join(', ')})`);
    // What the background thread does when it does: here, seldom.
    if (random() < 0.1) store.writeEpochs();
  }
  return cuts;
}

/** What may be found when the recovery from a cut stops at any place, too. */
export function cutsOfRecovery({ image }: Cut): Image[] {
  const files = new MemoryFiles(image);
  const images: Image[] = [];
  files.onOperation = () => images.push(files.image(), ...files.crashImages());
  openStore(files, options);
  files.onOperation();
  return images;
}

export function contentOf({ image }: Cut): string {
  return JSON.stringify([...image].map(([path, bytes]) => [path, ...bytes]));
}

/**
 * Why what is found after the cut is nothing that the specification allows after PowerLoss (or Crash) and Restart; or null.
 * A step that was under way may be done in part: fewer records appended, or fewer cut, which is what a fetch of fewer
 * records or a cut at a later offset would have left.
 */
export function wrongAfter(cut: Cut, changes: Partial<StoreOptions> = {}): string | null {
  const opened = openStore(new MemoryFiles(cut.image), { ...options, ...changes });
  if (opened.kind === 'damaged') return `${opened.damage.file}: ${opened.damage.what}`;
  const { log, epochCache, checkpoint } = opened.disk;
  const restarted = JSON.stringify(truncateFromEnd(epochCache, log.length));
  const untouched = cut.before.log.findIndex((record, offset) => !same(record, cut.after.log[offset]));
  const shared = untouched === -1 ? cut.before.log.length : untouched;
  const explained = [cut.before, cut.after].some((disk) => {
    const least = cut.processOnly ? shared : Math.min(shared, disk.flushed);
    const isPrefix = log.every((record, offset) => same(record, disk.log[offset])) && log.length >= least;
    return isPrefix && restarted === JSON.stringify(truncateFromEnd(disk.epochCache, log.length));
  });
  if (!explained) {
    return `${cut.step}: ${show(cut.before)} was to become ${show(cut.after)}, and ${show(opened.disk)} is found`;
  }
  return [cut.before.checkpoint, cut.after.checkpoint].includes(checkpoint)
    ? null
    : `${cut.step}: checkpoint ${checkpoint}`;
}

function same(a: Disk['log'][number], b: Disk['log'][number] | undefined): boolean {
  return a.id === b?.id && a.epoch === b.epoch;
}

export function show({ log, epochCache, flushed }: Disk): string {
  const entries = epochCache.map(({ epoch, start }) => `e${epoch}@${start}`).join(' ');
  return `[${log.map(({ id, epoch }) => `m${id}·e${epoch}`).join(' ')}; ${entries}; ${flushed} flushed]`;
}

/** A file system that leaves some things undone. */
export function careless(
  files: MemoryFiles,
  omits: { readonly syncOf?: (path: string) => boolean; readonly cuts?: true; readonly folders?: true },
): Files {
  return {
    makeFolder: () => files.makeFolder(),
    list: (folder) => files.list(folder),
    read: (path) => files.read(path),
    rename: (from, to) => files.rename(from, to),
    remove: (path) => files.remove(path),
    syncFolder: (path) => {
      if (!omits.folders) files.syncFolder(path);
    },
    open: (path) => {
      const file = files.open(path);
      return {
        ...file,
        sync: () => {
          if (!omits.syncOf?.(path)) file.sync();
        },
        truncate: (size, durable) => file.truncate(size, durable && !omits.cuts),
      };
    },
  };
}
