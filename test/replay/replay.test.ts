import { describe, expect, test } from 'vitest';
import { configOf, Recorder, ReplayProblem, type ReplayResult, Run, replay } from '../../src/replay/index.ts';
import { memorySystem } from '../../src/systems/memory.ts';
import type { System } from '../../src/systems/system.ts';
import { int } from '../../src/tla/index.ts';
import type { State, Trace } from '../../src/trace/index.ts';
import { listedClaim, recorded, recordedNames, step, withSwapped, withValue } from '../support/traces.ts';

const told = recorded('fast-restart-told');

function onMemory(trace: Trace): Promise<ReplayResult> {
  return replay(trace, memorySystem());
}

function goesRound({ loop, states }: Trace): boolean {
  return loop !== undefined && loop < states.length - 1;
}

describe.each(recordedNames)('the recorded trace %s', (name) => {
  const trace = recorded(name);

  test('is replayed with every variable equal, and breaks its property at the end', async () => {
    const result = await onMemory(trace);
    expect(result).toMatchObject({
      kind: 'conforms',
      system: 'memory',
      // One more closes a loop.
      steps: trace.states.length - (goesRound(trace) ? 0 : 1),
      lastIndex: trace.states.length - (goesRound(trace) ? 0 : 1),
      stuttering: [],
      notObservable: [],
    });
    const [property] = listedClaim(name).property;
    expect(trace.meta.property).toBe(property);
    // What an answer will cut is not judged on what a system shows.
    if (property === 'CutsOnlyWhatDiverges') expect(result.broken).toBeNull();
    else
      expect(result.broken).toMatch(
        property.endsWith('Prop')
          ? / for ever| never /
          : /\bm\d+\b.* offset \d+|^at offset \d+ m\d+|^m\d+ was acknowl|^nobody will tell the producer of m\d+/,
      );
  });

  test('keeps its property until then', async () => {
    const { loop: _, loopAction: __, ...finite } = trace;
    const result = await onMemory({
      ...finite,
      states: trace.states.slice(0, -1),
      actions: trace.actions.slice(0, -1),
    });
    expect(result).toMatchObject({ kind: 'conforms', broken: null });
  });

  test('is found out when a middle state has another value', async () => {
    // A write brings the id that `written` says.
    const middle = Math.floor(trace.states.length / 2);
    const index = trace.actions.findIndex((action, at) => at >= middle && action?.name !== 'Write');
    expect(await onMemory(withValue(trace, index, 'written', '9'))).toMatchObject({
      kind: 'diverged',
      at: { index, action: trace.actions[index]?.name },
      differences: [{ path: 'written', kind: 'changed', before: int(9) }],
      steps: index - 1,
      lastIndex: index - 1,
    });
  });

  test('is found out when its first and last steps change places', async () => {
    const last = trace.actions.findLastIndex((action) => action?.name !== trace.actions[1]?.name);
    const result = await onMemory(withSwapped(trace, 1, last));
    expect(['diverged', 'refused']).toContain(result.kind);
    expect(result).toMatchObject({ at: { index: 1, action: trace.actions[last]?.name }, steps: 0 });
  });
});

describe('a replay', () => {
  test('names every place where the system shows something else, and both values', async () => {
    const tampered = withValue(
      told,
      4,
      'log',
      '[A |-> <<[id |-> 1, epoch |-> 1]>>, B |-> <<[id |-> 1, epoch |-> 2]>>]',
    );
    expect(await onMemory(tampered)).toMatchObject({
      kind: 'diverged',
      at: { index: 4, action: 'HandleFetchResponse', step: step('HandleFetchResponse', 'B') },
      differences: [{ path: 'log["B"][1].epoch', kind: 'changed', before: int(2), after: int(1) }],
    });
  });

  test('compares the state at the beginning too', async () => {
    expect(await onMemory(withValue(told, 0, 'hw', '[A |-> 0, B |-> 3]'))).toMatchObject({
      kind: 'diverged',
      at: { index: 0, action: 'Init', step: null },
      differences: [{ path: 'hw["B"]', before: int(3), after: int(0) }],
      steps: 0,
    });
  });

  test('says why a step cannot be taken', async () => {
    expect(await onMemory(withSwapped(told, 1, 3))).toMatchObject({
      kind: 'refused',
      at: { index: 1, action: 'HandleFetch', step: step('HandleFetch', 'A', 'B') },
      reason: 'B has no FetchRequest under way',
    });
    const misspelt = { ...told, actions: told.actions.with(7, { name: 'Krash', args: told.actions[7]?.args ?? [] }) };
    expect(await onMemory(misspelt)).toMatchObject({
      kind: 'refused',
      at: { index: 7, action: 'Krash' },
      reason: 'there is no action Krash',
    });
  });

  test('under the rule of another profile diverges where the rules part', async () => {
    expect(await replay(told, memorySystem(), { profile: 'Kafka_0_11_0' })).toMatchObject({
      kind: 'diverged',
      at: { index: 1, action: 'Write' },
    });
  });

  test('takes a last state that is repeated for standing still (quint#1133)', async () => {
    const doubled: Trace = {
      ...told,
      states: [...told.states, told.states.at(-1) as State],
      actions: [...told.actions, null],
    };
    expect(await onMemory(doubled)).toMatchObject({
      kind: 'conforms',
      steps: 12,
      lastIndex: 13,
      stuttering: [13],
      broken: 'm1, committed at offset 0, is not in the log of the leader B',
    });
  });

  test('does so in the middle, and whatever the step is called', async () => {
    const doubled: Trace = {
      ...told,
      states: told.states.toSpliced(5, 0, told.states[4] as State),
      actions: told.actions.toSpliced(5, 0, { name: 'Stutter' }),
    };
    expect(await onMemory(doubled)).toMatchObject({ kind: 'conforms', steps: 12, lastIndex: 13, stuttering: [5] });
  });

  test('does not take equal states at different places for one (tlaplus#1367)', async () => {
    // A round of fetching that brings nothing leads back to where it began.
    const round = [
      { action: 'SendFetch', args: ['B'] },
      { action: 'HandleFetch', args: ['A', 'B'] },
      { action: 'HandleFetchResponse', args: ['B'] },
    ];
    const run = new Run(configOf(told));
    const recorder = new Recorder(run.state());
    for (const one of [...round, ...round, { action: 'Write', args: ['A', 'all'] }]) {
      run.step(one);
      recorder.add(one, run.state());
    }
    const trace = recorder.trace(told.constants ?? new Map(), {});
    expect(trace.states[6]).toEqual(trace.states[3]);
    expect(await onMemory(trace)).toMatchObject({ kind: 'conforms', steps: 7, lastIndex: 7, stuttering: [] });
  });

  test('of a trace that is cut off says how many steps there were, and no more', async () => {
    const cut: Trace = { ...told, states: told.states.slice(0, 3), actions: told.actions.slice(0, 3) };
    expect(await onMemory(cut)).toMatchObject({ kind: 'conforms', steps: 2, lastIndex: 2, broken: null });
  });

  test('tells how far it is', async () => {
    const told12: string[] = [];
    await replay(told, memorySystem(), { onStep: (index, of) => told12.push(`${index}/${of}`) });
    expect(told12).toHaveLength(12);
    expect([told12[0], told12[11]]).toEqual(['1/12', '12/12']);
  });

  test('tells what the system does not show, and compares the rest', async () => {
    const memory = memorySystem();
    const shown = new Set([...memory.observable].filter((name) => name !== 'pending' && name !== 'remoteLeo'));
    const partly: System = {
      ...memory,
      name: 'partly',
      observable: shown,
      observe: async () =>
        Object.fromEntries(Object.entries(await memory.observe()).filter(([name]) => shown.has(name))),
    };
    const hidden = withValue(told, 2, 'pending', '[A |-> {7}, B |-> {}]');
    const conforms = await replay(hidden, partly);
    expect(conforms).toMatchObject({ kind: 'conforms', system: 'partly', steps: 12 });
    expect(conforms.notObservable.toSorted()).toEqual(['pending', 'remoteLeo']);
    expect(await replay(withValue(told, 2, 'hw', '[A |-> 5, B |-> 0]'), partly)).toMatchObject({
      kind: 'diverged',
      at: { index: 2 },
    });
  });

  test.each([
    [{ log: { A: [{ id: 1 }], B: [] } }, 'log.A[0].epoch: expected an integer, found undefined'],
    [{ log: { A: 7, B: [] } }, 'log.A: expected an array, found 7'],
    [{ controller: null }, 'controller: expected an object, found null'],
    [{ hw: { A: 'x', B: 0 } }, 'hw.A: expected an integer, found "x"'],
  ])('tells who shows what is no value of a variable: %j', async (wrong, message) => {
    const memory = memorySystem();
    const theirs: System = {
      ...memory,
      name: 'theirs',
      observe: async () => ({ ...(await memory.observe()), ...wrong }),
    };
    await expect(replay(told, theirs)).rejects.toThrow(
      new ReplayProblem(`theirs shows what is no variable's value: ${message} (docs/process-protocol.md).`),
    );
  });

  test('has no ghosts to compare where the log is hidden', async () => {
    const memory = memorySystem();
    const shown = new Set([...memory.observable].filter((name) => name !== 'log'));
    const logless: System = {
      ...memory,
      observable: shown,
      observe: async () =>
        Object.fromEntries(Object.entries(await memory.observe()).filter(([name]) => shown.has(name))),
    };
    const result = await replay(told, logless);
    expect(result).toMatchObject({ kind: 'conforms', broken: null });
    expect(result.notObservable.toSorted()).toEqual(['acked', 'committed', 'destroyed', 'faults', 'log', 'written']);
  });
});
