import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  checkGraph,
  type Drive,
  driveGraph,
  dumpGraph,
  GraphStates,
  loadModel,
  MemorySubject,
} from '../../src/conform/index.ts';
import { openSystem } from '../../src/open/index.ts';
import { memorySystem } from '../../src/systems/memory.ts';
import type { System, SystemConfig, WorldStep } from '../../src/systems/system.ts';
import { ONE_RECORD, smallModel } from '../conform/smallModel.ts';
import { ownFolder, SPEC } from '../support/spec.ts';
import { quickJava } from '../support/tlc.ts';

/** They need Maven, and drive Kafka's own classes: `npm run test:kafka`. `npm run kafka:graph` takes larger models. */
const enabled = process.env.LEADER_EPOCH_KAFKA === '1';
const MINUTES = 60_000;

describe.skipIf(!enabled)("Kafka's own classes under the whole graph of a small model", () => {
  const own = ownFolder();
  const folder = join(own.path, 'spec');

  beforeAll(() => {
    cpSync(SPEC, folder, { recursive: true });
    smallModel(folder, 'OneRecord', ONE_RECORD);
  });
  afterAll(own.remove);

  /** The graph under a profile, with what each of its steps is called. */
  async function graphUnder(profile: string) {
    const dump = await dumpGraph('OneRecord', { folder, profile, env: quickJava });
    if (dump.kind !== 'graph') throw new Error(dump.reason);
    const states = new GraphStates(dump.graph);
    const model = loadModel('OneRecord', { folder, profile });
    const labels = new Map<number, WorldStep[]>();
    const onMatch = (edge: number, step: WorldStep) => labels.set(edge, [...(labels.get(edge) ?? []), step]);
    await checkGraph(states, new MemorySubject(model, states), { onMatch });
    return (system: System, config: SystemConfig = model.config): Promise<Drive> =>
      driveGraph(new GraphStates(dump.graph), system, config, labels);
  }

  async function using<T>(release: string, use: (system: System) => Promise<T>): Promise<T> {
    const system = await openSystem(`kafka-classes@${release}`, process.env);
    return use(system).finally(() => system.close());
  }

  test.each([
    ['1.1.1', 'Kafka_1_1_1'],
    ['2.0.1', 'Kafka_2_0_1'],
    ['4.4.0', 'Kafka_4_4'],
  ])(
    '%s takes every edge as %s has it',
    async (release, profile) => {
      const drive = await graphUnder(profile);
      const driven = await using(release, drive);
      expect(driven).toMatchObject({ covered: driven.edges, unreached: 0, deviations: [] });
      expect(driven.edges).toBeGreaterThan(100);
    },
    5 * MINUTES,
  );

  test(
    '1.1.1 leaves the graph of KIP-279 where its own profile says: at the first answer that should name an epoch',
    async () => {
      const drive = await graphUnder('Kafka_2_0_0');
      const older = { A: 'Kafka_1_1_1', B: 'Kafka_1_1_1' };
      const config = { ...loadModel('OneRecord', { folder }).config, profileOf: older };
      const predicted = await drive(onlyDriven(memorySystem()), config);
      const seen = await using('1.1.1', drive);
      const whereOf = ({ deviations }: Drive) =>
        deviations.map(({ path, differences }) => [path, differences.map((one) => one.path)]);
      expect(seen.deviations.length).toBeGreaterThan(0);
      expect(whereOf(seen)).toEqual(whereOf(predicted));
      expect(seen.deviations[0]?.path.at(-1)?.action).toBe('HandleOffsetsForLeaderEpoch');
    },
    5 * MINUTES,
  );
});

/** Memory can be put into any state; here it is driven, as Kafka is. */
function onlyDriven({ name, observable, reset, step, observe, close }: System): System {
  return { name, observable, reset, step, observe, close };
}
