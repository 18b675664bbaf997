/** Many simulated runs, one after the other, each from its own seed; and the shortest that breaks a promise. */
import { switchesOf } from '../systems/memory.ts';
import { type Simulated, simulate } from './simulation.ts';

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
}

export interface Found {
  readonly runs: number;
  readonly steps: number;
  readonly faults: number;
  readonly acknowledged: number;
  readonly findings: readonly Finding[];
}

/** What is promised whatever happens, and what only where no unflushed records are lost (spec/README.md). */
const ALWAYS = ['LogMatching'];
const WHERE_POWER_STAYS = ['CommittedSurvives', 'AckedSurvives', 'NoDivergence'];

/** In every other run power is lost too. */
export function seek({ firstSeed, onRun, profile, replicas, runs, steps }: Sought): Found {
  const agrees = switchesOf(profile).truncation === 'insideFetch' ? 'AppendAgrees' : 'FollowerAgrees';
  const total = { steps: 0, faults: 0, acknowledged: 0 };
  const findings: Finding[] = [];
  for (let run = 0; run < runs; run++) {
    const seed = firstSeed + run;
    const powerLoss = seed % 2 === 0;
    const properties = [...ALWAYS, agrees, ...(powerLoss ? [] : WHERE_POWER_STAYS)];
    const result = simulate({ seed, profile, replicas, minIsr: 1, powerLoss, steps, properties });
    total.steps += result.steps.length;
    total.faults += result.faults;
    total.acknowledged += result.acknowledged.length;
    if (result.broken !== null) {
      const { index, property, what } = result.broken;
      findings.push({ seed, property, what, steps: result.steps.slice(0, index) });
    }
    onRun?.(run + 1);
  }
  findings.sort((a, b) => a.steps.length - b.steps.length);
  return { runs, ...total, findings };
}
