import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { propertyOf } from '../../src/conform/properties.ts';
import { NEEDED, noGhosts, observeStep } from '../../src/replay/index.ts';
import { MemoryCluster, toObservation } from '../../src/systems/memory.ts';
import type { WorldStep } from '../../src/systems/system.ts';
import { settings } from '../support/walk.ts';

const FIVE = ['A', 'B', 'C', 'D', 'E'];
/** What takes data away by design is left out; these rules promise nothing then. */
const NEVER = new Set(['PowerLoss', 'ElectUnclean']);

const sound = [
  {
    profile: 'Kip320',
    properties: ['CommittedSurvives', 'AckedSurvives', 'FollowerAgrees', 'NoDivergence', 'LogMatching'],
  },
  {
    profile: 'Kafka_3_5',
    properties: ['CommittedSurvives', 'AckedSurvives', 'AppendAgrees', 'NoDivergence', 'LogMatching'],
  },
  {
    profile: 'Kafka_4_4',
    properties: ['CommittedSurvives', 'AckedSurvives', 'AppendAgrees', 'NoDivergence', 'LogMatching'],
  },
];

/** A run far beyond what TLC can search: each number picks an action and then its arguments. */
const choices = fc.array(fc.nat(1_000_000), { minLength: 1_200, maxLength: 1_600, size: 'max' });

describe.each(sound)(
  'five replicas, a hundred records, dozens of elections under $profile',
  ({ profile, properties }) => {
    test(`keep ${properties.join(', ')}, EpochsMonotone and CacheMatchesLog`, () => {
      const { config } = settings({ profile, seed: 0, replicas: FIVE });
      const model = {
        name: 'Beyond',
        constants: new Map(),
        config,
        bounds: {} as never,
        schedule: null,
        remembered: [],
      };
      const judged = [...properties, 'EpochsMonotone', 'CacheMatchesLog'].map(
        (name) => [name, propertyOf(name, model)!] as const,
      );
      let elections = 0;
      let records = 0;
      fc.assert(
        fc.property(choices, (numbers) => {
          const cluster = new MemoryCluster(config);
          let ghosts = noGhosts;
          let before = cluster.save();
          const steps: WorldStep[] = [];
          for (const number of numbers) {
            const enabled = cluster.enabled().filter(({ action }) => !NEVER.has(action));
            const names = [...new Set(enabled.map(({ action }) => action))];
            const action = names[number % names.length]!;
            const offers = enabled.filter((one) => one.action === action);
            const step = offers[Math.floor(number / 64) % offers.length]!;
            steps.push(step);
            const outcome = cluster.step(action === 'Write' ? { ...step, id: ghosts.written + 1 } : step);
            const after = cluster.save();
            const effects = outcome.kind === 'taken' ? outcome.effects : [];
            ghosts =
              observeStep(ghosts, step, effects, toObservation(before, NEEDED), toObservation(after, NEEDED)) ?? ghosts;
            before = after;
            for (const [name, property] of judged) {
              const broken = property(after, ghosts);
              if (broken !== null) throw new Error(`${name}: ${broken}, after ${JSON.stringify(steps)}`);
            }
          }
          elections = Math.max(elections, before.controller.epoch - 1);
          records = Math.max(records, ghosts.written);
        }),
        { numRuns: Number(process.env.FC_RUNS ?? 2) },
      );
      expect(elections).toBeGreaterThan(24);
      expect(records).toBeGreaterThan(60);
    });
  },
);
