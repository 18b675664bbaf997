/** Many simulated runs, one after the other, each from its own seed; and the shortest that breaks a promise. */
import { type Breach, judgeHistory } from '../conform/history.ts';
import { switchesOf } from '../systems/memory.ts';
import type { SystemConfig } from '../systems/system.ts';
import { type Simulated, simulation, toTheEnd } from './simulation.ts';

export interface Sought {
  readonly profile: string;
  readonly replicas: readonly string[];
  readonly firstSeed: number;
  readonly runs: number;
  /** Of the protocol, in each run. */
  readonly steps: number;
  readonly onRun?: (done: number) => void;
}

export interface Finding {
  readonly seed: number;
  readonly property: string;
  readonly what: string;
  readonly steps: Simulated['steps'];
  readonly config: SystemConfig;
}

export interface Found {
  readonly runs: number;
  readonly steps: number;
  readonly faults: number;
  readonly acknowledged: number;
  /** How often consumers read. */
  readonly read: number;
  readonly findings: readonly Finding[];
}

/** What is promised whatever happens, and what only where no unflushed records are lost (spec/README.md). */
const ALWAYS = ['LogMatching'];
const WHERE_POWER_STAYS = ['CommittedSurvives', 'AckedSurvives', 'NoDivergence'];

export function seek(sought: Sought): Found {
  return toTheEnd(seeking(sought));
}

/** In every other run power is lost too. In pieces, as `simulation` is. */
export function* seeking({ firstSeed, onRun, profile, replicas, runs, steps }: Sought): Generator<void, Found> {
  const agrees = switchesOf(profile).truncation === 'insideFetch' ? 'AppendAgrees' : 'FollowerAgrees';
  const total = { steps: 0, faults: 0, acknowledged: 0, read: 0 };
  const findings: Finding[] = [];
  for (let run = 0; run < runs; run++) {
    const seed = firstSeed + run;
    const powerLoss = seed % 2 === 0;
    const properties = [...ALWAYS, agrees, ...(powerLoss ? [] : WHERE_POWER_STAYS)];
    const result = yield* simulation({ seed, profile, replicas, minIsr: 1, powerLoss, steps, properties });
    total.steps += result.steps.length;
    total.faults += result.faults;
    total.acknowledged += result.acknowledged.length;
    total.read += result.history.filter(({ kind }) => kind === 'read' || kind === 'lastRead').length;
    const broken = result.broken ?? brokenAtTheEnd(result, powerLoss);
    if (broken !== null) {
      const { index, property, what } = broken;
      findings.push({ seed, property, what, steps: result.steps.slice(0, index), config: result.config });
    }
    onRun?.(run + 1);
    yield;
  }
  findings.sort((a, b) => a.steps.length - b.steps.length);
  return { runs, ...total, findings };
}

/** What clients saw, where no power was lost; and that the cluster came to rest. */
function brokenAtTheEnd({ history, isSettled, steps }: Simulated, powerLoss: boolean): Simulated['broken'] {
  const index = steps.length;
  const [breach] = powerLoss ? [] : judgeHistory(history);
  if (breach !== undefined) return { property: 'ClientHistory', what: told(breach), index };
  const what = 'long after the last fault there is no leader that has committed all that it has';
  return isSettled ? null : { property: 'ComesToRest', what, index };
}

function told(breach: Breach): string {
  switch (breach.kind) {
    case 'lost':
      return `m${breach.id} was acknowledged at offset ${breach.offset}, where ${record(breach.found)} is read`;
    case 'changed':
      return `${record(breach.before)} was read at offset ${breach.offset}, and ${record(breach.now)} later`;
    case 'twice':
      return `m${breach.id} is read at offsets ${breach.offsets.join(' and ')}`;
    case 'neverWritten':
      return `m${breach.id} is read at offset ${breach.offset}, and was never written`;
    case 'sameOffset':
      return `m${breach.ids.join(' and m')} were both acknowledged at offset ${breach.offset}`;
  }
}

function record(id: number | null): string {
  return id === null ? 'nothing' : `m${id}`;
}
