import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  checkGraph,
  driveGraph,
  dumpGraph,
  GraphStates,
  loadModel,
  MemorySubject,
  SystemSubject,
} from '../../src/conform/index.ts';
import type { StateGraph } from '../../src/graph/index.ts';
import { memorySystem } from '../../src/systems/memory.ts';
import type { System, WorldStep } from '../../src/systems/system.ts';
import { ownFolder, SPEC } from '../support/spec.ts';
import { describeWithTlc, PATIENCE_MS, quickJava } from '../support/tlc.ts';
import { ONE_RECORD, smallModel } from './smallModel.ts';

describeWithTlc('the graph of a small model', () => {
  const own = ownFolder();
  const folder = join(own.path, 'spec');
  const labels = new Map<number, WorldStep[]>();
  let graph: StateGraph;

  beforeAll(async () => {
    cpSync(SPEC, folder, { recursive: true });
    smallModel(folder, 'OneRecord', ONE_RECORD);
    const dump = await dumpGraph('OneRecord', { folder, env: quickJava });
    if (dump.kind !== 'graph') throw new Error(dump.reason);
    graph = dump.graph;
    const states = new GraphStates(graph);
    const onMatch = (edge: number, step: WorldStep) => labels.set(edge, [...(labels.get(edge) ?? []), step]);
    await checkGraph(states, new MemorySubject(model(), states), { onMatch });
  }, PATIENCE_MS);
  afterAll(own.remove);
  const model = () => loadModel('OneRecord', { folder });
  const drive = (system: System) => driveGraph(new GraphStates(graph), system, model().config, labels);

  test('is covered by driving a system along it, every edge, in fewer steps than twice the edges times the depth', async () => {
    const driven = await drive(onlyDriven(memorySystem()));
    const edges = [...labels.values()].reduce((sum, steps) => sum + steps.length, 0);
    expect(driven).toMatchObject({
      edges,
      covered: edges,
      unreached: 0,
      deviations: [],
      notObservable: [],
      isCutShort: false,
    });
    expect(driven.resets).toBeLessThan(edges / 2);
    expect(driven.steps).toBeLessThan(edges * 6);
  });

  test('shows which edge a system refuses, and goes on with the others', async () => {
    const driven = await drive(
      onlyDriven(memorySystem(), (step) => (step.action === 'Elect' ? 'it holds no elections' : null)),
    );
    expect(driven.deviations[0]).toEqual({
      path: expect.arrayContaining([{ action: 'Elect', args: ['B'] }]),
      refused: 'it holds no elections',
      differences: [],
    });
    expect(driven.deviations.every(({ path }) => path.at(-1)?.action === 'Elect')).toBe(true);
    expect(driven.covered).toBeGreaterThan(0);
  });

  test('is compared on what a system shows, and the rest is named', async () => {
    const driven = await drive({
      ...onlyDriven(memorySystem()),
      observable: new Set(['log', 'hw']),
      observe: async () => ({}),
    });
    expect(driven.notObservable).toContain('network');
    expect(driven.notObservable).not.toContain('log');
  });

  test('is what a system does that can be put into its states, whether it says what it can do or all has to be tried', async () => {
    const { enabled, ...tried } = memorySystem();
    expect(enabled).toBeDefined();
    for (const system of [memorySystem(), tried]) {
      const states = new GraphStates(graph);
      const result = await checkGraph(states, new SystemSubject(system, states, model(), model().config));
      expect(result).toMatchObject({ missing: 0, extra: 0, notObservable: [] });
    }
  });
});

/** A system that cannot be put into a state, as most cannot; and refuses what it is told to. */
function onlyDriven(system: System, refuses: (step: WorldStep) => string | null = () => null): System {
  return {
    name: 'driven',
    observable: system.observable,
    reset: (config) => system.reset(config),
    observe: () => system.observe(),
    close: () => system.close(),
    step: async (step) => {
      const reason = refuses(step);
      return reason === null ? system.step(step) : { kind: 'refused', reason };
    },
  };
}
