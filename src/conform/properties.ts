import { type Ghosts, judges } from '../replay/index.ts';
import type { ClusterState, EpochCache, LogRecord } from '../replica/index.ts';
import { switchesOf, toObservation } from '../systems/memory.ts';
import type { Model } from './model.ts';

/** What is wrong with a state, in a sentence, or null. */
export type Property = (state: ClusterState, ghosts: Ghosts) => string | null;

/** All that a property looks at. */
const SEEN = ['log', 'epochCache', 'hw', 'role', 'leader', 'leaderEpoch', 'fetchState', 'controller', 'network'];

/** A property of the specification as the implementation's own search judges it; null if it has none of that name. */
export function propertyOf(name: string, model: Model): Property | null {
  // What TLC looks at for its own sake.
  if (name === 'TypeOk' || name === 'Watched') return () => null;
  if (name === 'EpochsMonotone') return epochsMonotone;
  if (name === 'CacheMatchesLog') return cacheMatchesLog(model);
  const judge = judges[name];
  if (judge === undefined) return null;
  return (state, ghosts) => judge({ ...(toObservation(state, SEEN) as unknown as Evidence), ghosts });
}

type Evidence = Omit<Parameters<(typeof judges)[string]>[0], 'ghosts'>;

const epochsMonotone: Property = ({ replicas, controller }) => {
  for (const id in replicas) {
    const { log } = replicas[id]!.disk;
    const offset = log.findIndex(
      (record, at) => record.epoch > controller.epoch || record.epoch < (log[at - 1]?.epoch ?? 0),
    );
    if (offset !== -1) return `the record of ${id} at offset ${offset} is of epoch ${log[offset]!.epoch}, out of order`;
  }
  return null;
};

function cacheMatchesLog({ config }: Model): Property {
  const keepsEpochs = new Map(Object.entries(config.profileOf).map(([id, name]) => [id, switchesOf(name).epochCache]));
  return ({ replicas }) => {
    for (const id in replicas) {
      const { disk, memory } = replicas[id]!;
      if (!keepsEpochs.get(id) || memory.role === 'down' || memory.role === 'halted') continue;
      if (!describes(disk.epochCache, disk.log))
        return `the epoch cache of ${id} does not say which epoch wrote its log`;
    }
    return null;
  };
}

function describes(cache: EpochCache, log: readonly LogRecord[]): boolean {
  const increases = cache.every(({ epoch, start }, at) => {
    const before = cache[at - 1];
    return before === undefined || (before.epoch < epoch && before.start <= start);
  });
  return increases && log.every(({ epoch }, offset) => cache.findLast(({ start }) => start <= offset)?.epoch === epoch);
}
