/**
 * Steps per second on Kafka's own classes, and the time from start to the first step: two recorded counterexamples under the
 * release's own profile, over and over in one JVM, one without restarts and one with three. The aim is 500 steps a second.
 *
 * npm run bench:kafka [-- <seconds for each>]
 */
import { KAFKA_PROFILES } from '../src/commands/kafkaReleases.ts';
import { readTrace, tracesFolder } from '../src/commands/traces.ts';
import { openSystem } from '../src/open/index.ts';
import { mend, replay } from '../src/replay/index.ts';
import type { System } from '../src/systems/system.ts';
import type { Trace } from '../src/trace/index.ts';

const secondsEach = Number(process.argv[2] ?? 5);
const steady = await readTrace(`${tracesFolder}kip279-as-released.itf.json`);
const crashing = await readTrace(`${tracesFolder}fast-restart-told.itf.json`);

interface Measured {
  readonly stepsPerSecond: number;
  readonly runs: number;
  readonly different: number;
}

async function measure(schedule: Trace, system: System): Promise<Measured> {
  let [runs, steps, different] = [0, 0, 0];
  const start = performance.now();
  while (performance.now() - start < secondsEach * 1000) {
    const result = await replay(schedule, system);
    if (result.kind !== 'conforms') different++;
    steps += result.steps;
    runs++;
  }
  return { stepsPerSecond: steps / ((performance.now() - start) / 1000), runs, different };
}

console.log('release         first step   steps/s, no restart   steps/s, 3 restarts   runs   different');
for (const [release, profile] of Object.entries(KAFKA_PROFILES)) {
  const [calm, stormy] = [mend(steady, profile).trace, mend(crashing, profile).trace];
  const opened = performance.now();
  const system = await openSystem(`kafka-classes@${release}`, process.env);
  await replay(calm, system);
  const firstMs = performance.now() - opened;
  const [one, other] = [await measure(calm, system), await measure(stormy, system)];
  await system.close();
  const rates = [one, other].map(({ stepsPerSecond }) => stepsPerSecond.toFixed(0).padStart(22)).join('');
  const [runs, different] = [one.runs + other.runs, one.different + other.different];
  const first = `${(firstMs / 1000).toFixed(1)} s`.padStart(10);
  console.log(`${release.padEnd(15)} ${first}${rates}${String(runs).padStart(7)}${String(different).padStart(12)}`);
}
