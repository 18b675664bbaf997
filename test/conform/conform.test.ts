import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { holdAgainst } from '../../src/commands/conformGraph.ts';
import {
  checkGraph,
  coverageOf,
  dumpGraph,
  explore,
  GraphStates,
  loadModel,
  MemorySubject,
  type Subject,
  type Successor,
} from '../../src/conform/index.ts';
import type { StateGraph } from '../../src/graph/index.ts';
import { showStep } from '../../src/replay/index.ts';
import { memorySystem } from '../../src/systems/memory.ts';
import { CannotRestore, type Observation } from '../../src/systems/system.ts';
import { ownFolder, SPEC } from '../support/spec.ts';
import { describeWithTlc, PATIENCE_MS, quickJava } from '../support/tlc.ts';
import { ONE_RECORD, smallModel } from './smallModel.ts';

describeWithTlc('the whole graph of a small model', () => {
  const own = ownFolder();
  const folder = join(own.path, 'spec');
  let graph: StateGraph;

  beforeAll(async () => {
    cpSync(SPEC, folder, { recursive: true });
    smallModel(folder, 'OneRecord', ONE_RECORD);
    smallModel(folder, 'LosesMessages', { ...ONE_RECORD, MaxLostMessages: 1 });
    const dump = await dumpGraph('OneRecord', { folder, env: quickJava });
    if (dump.kind !== 'graph') throw new Error(dump.reason);
    graph = dump.graph;
  }, PATIENCE_MS);
  afterAll(own.remove);

  const model = () => loadModel('OneRecord', { folder });
  const subject = () => new MemorySubject(model(), new GraphStates(graph));

  test('is what the implementation does, in every state', async () => {
    const matched = new Set<number>();
    const result = await checkGraph(new GraphStates(graph), subject(), { onMatch: (step) => matched.add(step) });
    expect(result).toMatchObject({ states: 340, missing: 0, extra: 0, deviations: [], notObservable: [], depth: 19 });
    expect(matched.size).toBe(graph.stepCount);
  });

  test('is what the implementation explores by itself: the same states, the same transitions', async () => {
    const { transitions } = await checkGraph(new GraphStates(graph), subject());
    expect(await explore(model())).toMatchObject({ distinct: graph.stateCount, transitions, depth: 19 });
  });

  test('an edge that the implementation lacks, and one that it adds, are both told, with a shortest path', async () => {
    // It never hands A's answer to B's first fetch over; and it loses a message once, in one state.
    const states = new GraphStates(graph);
    const loses = new MemorySubject(loadModel('LosesMessages', { folder }), states);
    const lacks = (successor: Successor) => showStep(successor.step) === 'HandleFetchResponse(B)';
    let lacked = -1;
    const result = await checkGraph(
      states,
      changed(subject(), (state, successors) => {
        if (lacked === -1 && successors.some(lacks)) lacked = state;
        const kept = successors.filter((one) => state !== lacked || !lacks(one));
        const added =
          state === lacked ? loses.successors(state, 0).filter(({ step }) => step.action === 'LoseMessage') : [];
        return [...kept, ...added];
      }),
    );
    expect(result).toMatchObject({ missing: 1, extra: 1 });
    const [extra, missing] = result.deviations;
    const path = [
      { action: 'SendFetch', args: ['B'] },
      { action: 'HandleFetch', args: ['A', 'B'] },
    ];
    expect(extra).toMatchObject({ kind: 'extra', step: { action: 'LoseMessage', args: ['B'] }, path, nearest: null });
    expect(missing).toMatchObject({ kind: 'missing', action: 'HandleFetchResponse', step: null, path, nearest: null });
  });

  test('a step that leads elsewhere is missing on the one side and too many on the other, and the difference is told', async () => {
    // As if the high watermark of a reply were taken one step too early: B learns of nothing.
    const result = await checkGraph(
      new GraphStates(graph),
      new MemorySubject(withRule('Kafka_1_1_0'), new GraphStates(graph)),
    );
    expect(result.missing).toBeGreaterThan(0);
    expect(result.extra).toBeGreaterThan(0);
    const paths = result.deviations.map(({ path }) => path.length);
    expect(paths).toEqual([...paths].sort((a, b) => a - b));
  });

  test('a system that begins elsewhere is told, though it does all that the graph has', async () => {
    const states = new GraphStates(graph);
    const elsewhere = subject().successors(graph.initial[0]!, 0)[0]!;
    const result = await checkGraph(states, { ...changed(subject(), (_, all) => all), first: () => elsewhere });
    expect(result).toMatchObject({ missing: 0, extra: 1 });
    expect(result.deviations).toMatchObject([{ kind: 'initial', action: 'Init', path: [] }]);
  });

  test('of a system that cannot be put into one of the states nobody can tell whether it conforms', async () => {
    const states = new GraphStates(graph);
    const memory = memorySystem();
    const has: Observation[] = [];
    const restore = async (state: Observation): Promise<void> => {
      if (has.push(state) === 9) throw new CannotRestore('this is the ninth');
      await memory.restore?.(state);
    };
    const options = { tlcMs: null, signal: new AbortController().signal, onProgress: () => {} };
    expect(await holdAgainst(states, model(), { ...memory, name: 'mine', restore }, options)).toEqual({
      kind: 'couldNotTell',
      reason: 'mine cannot be put into one of the states: this is the ninth',
    });
  });

  test('coverage counts actions, the branches of their rules, their outcomes, and what follows what', () => {
    const { actions, branches, outcomes, pairs } = coverageOf(graph);
    expect([...actions.values()].reduce((sum, steps) => sum + steps, 0)).toBe(graph.stepCount);
    expect(actions.get('Elect')).toBeGreaterThan(0);
    expect([...(outcomes.get('Elect') ?? []).keys()]).toEqual(['controller']);
    for (const action of [
      'HandleFetch',
      'HandleFetchResponse',
      'HandleOffsetsForLeaderEpochResponse',
      'BecomeFollower',
    ]) {
      const taken = [...(branches.get(action)?.values() ?? [])].reduce((sum, steps) => sum + steps, 0);
      expect([action, taken]).toEqual([action, actions.get(action)]);
    }
    // One election, and nobody dies: who was refused hears of the election and asks again.
    expect(branches.get('HandleFetch')?.get('records')).toBeGreaterThan(0);
    expect(branches.get('HandleFetch')?.get('diverging')).toBe(0);
    expect(branches.get('HandleOffsetsForLeaderEpochResponse')?.get('asks again')).toBe(0);
    expect(pairs.has('SendFetch, HandleFetch')).toBe(true);
    expect(pairs.has('SendFetch, HandleFetchResponse')).toBe(false);
  });

  function withRule(profile: string) {
    return { ...loadModel('OneRecord', { folder, profile }), name: profile };
  }
});

function changed(subject: Subject, change: (state: number, successors: Successor[]) => Successor[]): Subject {
  return {
    name: subject.name,
    notObservable: subject.notObservable,
    first: () => subject.first(),
    successors: (state, depth) => change(state, subject.successors(state, depth) as Successor[]),
  };
}
