/**
 * How many steps of a random run a second, each written to files and read back: `npm run bench:disk`. Files are in memory
 * where there is such a folder, and are not synced.
 */

import { diskSystem } from '../src/systems/disk.ts';
import { MemoryCluster, memorySystem } from '../src/systems/memory.ts';
import type { System, SystemConfig, WorldStep } from '../src/systems/system.ts';

const config: SystemConfig = {
  replicas: ['A', 'B', 'C'],
  firstLeader: 'A',
  profileOf: { A: 'Kip320', B: 'Kip320', C: 'Kip320' },
  minIsr: 1,
  lazyCheckpoint: false,
  resumeSameEpoch: false,
  oldNews: false,
};
const STEPS = 20_000;
/** Logs stay short, as in a model. */
const RUN = 200;

function schedule(): WorldStep[] {
  const cluster = new MemoryCluster(config);
  const steps: WorldStep[] = [];
  let seed = 1;
  const random = (below: number) => {
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
    return Math.floor((seed / 0x80000000) * below);
  };
  for (let taken = 0; taken < RUN; taken++) {
    const enabled = cluster.enabled();
    const names = [...new Set(enabled.map(({ action }) => action))];
    const name = names[random(names.length)];
    const some = enabled.filter(({ action }) => action === name);
    const step = { ...(some[random(some.length)] as WorldStep), ...(name === 'Write' ? { id: taken + 1 } : {}) };
    cluster.step(step);
    steps.push(step);
  }
  return steps;
}

async function measure(system: System, steps: readonly WorldStep[]): Promise<number> {
  const begin = performance.now();
  for (let taken = 0; taken < STEPS; ) {
    await system.reset(config);
    for (const step of steps) {
      await system.step(step);
      await system.observe();
      taken++;
    }
  }
  return STEPS / ((performance.now() - begin) / 1000);
}

const steps = schedule();
for (const system of [memorySystem(), await diskSystem()]) {
  await measure(system, steps.slice(0, 20));
  const perSecond = await measure(system, steps);
  console.log(`${system.name.padEnd(8)} ${Math.round(perSecond).toLocaleString('en')} steps a second`);
  await system.close();
}
