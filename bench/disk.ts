/**
 * How many steps of a random run a second, each written to files and read back: `npm run bench:disk`. Files are in memory
 * where there is such a folder, and are not synced. Of a machine that does other things as well the second figure is of use:
 * steps in a second of the processor's time.
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

interface Rate {
  readonly perSecond: number;
  readonly perProcessorSecond: number;
}

async function measure(system: System, steps: readonly WorldStep[]): Promise<Rate> {
  const [begin, used] = [performance.now(), process.cpuUsage()];
  for (let taken = 0; taken < STEPS; ) {
    await system.reset(config);
    for (const step of steps) {
      await system.step(step);
      await system.observe();
      taken++;
    }
  }
  const { system: inKernel, user } = process.cpuUsage(used);
  return {
    perSecond: STEPS / ((performance.now() - begin) / 1000),
    perProcessorSecond: STEPS / ((inKernel + user) / 1_000_000),
  };
}

const steps = schedule();
for (const system of [memorySystem(), await diskSystem()]) {
  await measure(system, steps.slice(0, 20));
  const { perProcessorSecond, perSecond } = await measure(system, steps);
  const [wall, processor] = [perSecond, perProcessorSecond].map((rate) => Math.round(rate).toLocaleString('en'));
  console.log(`${system.name.padEnd(8)} ${wall} steps a second, ${processor} a second of the processor`);
  await system.close();
}
