import { describe, expect, test } from 'vitest';
import { configOf, inferArguments, ReplayProblem, replay } from '../../src/replay/index.ts';
import { memorySystem } from '../../src/systems/memory.ts';
import { int, parse, str } from '../../src/tla/index.ts';
import type { Trace } from '../../src/trace/index.ts';
import { recorded, recordedNames, step, stepsOf, withoutArguments, withSwapped, withValue } from '../support/traces.ts';

const told = recorded('fast-restart-told');

/** spec/models/FastRestartTold.tla, by hand. */
const SCHEDULE = [
  ['Write', 'A', 'all'],
  ['SendFetch', 'B'],
  ['HandleFetch', 'A', 'B'],
  ['HandleFetchResponse', 'B'],
  ['SendFetch', 'B'],
  ['HandleFetch', 'A', 'B'],
  ['Crash', 'B'],
  ['Restart', 'B'],
  ['BecomeFollower', 'B', 1],
  ['Crash', 'A'],
  ['Elect', 'B'],
  ['BecomeLeader', 'B', 2],
];

describe('arguments', () => {
  test('are found for a trace that has only the names of its steps', () => {
    const bare = withoutArguments(told);
    expect(stepsOf(bare)[0]).toEqual(['Write']);
    const inferred = inferArguments(bare, configOf(bare));
    expect(inferred.kind).toBe('known');
    expect(stepsOf(inferred.trace)).toEqual(SCHEDULE);
    expect(inferred.trace.states).toEqual(told.states);
  });

  test.each(recordedNames)('of %s are found as they were recorded', (name) => {
    const trace = recorded(name);
    const inferred = inferArguments(withoutArguments(trace), configOf(trace));
    expect(inferred.kind).toBe('known');
    expect(stepsOf(inferred.trace)).toEqual(stepsOf(trace));
  });

  test('that the trace knows are left as they are', () => {
    expect(inferArguments(told, configOf(told))).toEqual({ kind: 'known', trace: told });
    const half: Trace = {
      ...told,
      actions: told.actions.map((action, index) => (index === 7 && action ? { name: action.name } : action)),
    };
    expect(stepsOf(inferArguments(half, configOf(half)).trace)).toEqual(SCHEDULE);
  });
});

/** Every variable is declared, but the second state shows only that a record was written, by whichever rule. */
const eitherAcks: Trace = {
  ...withoutArguments(told),
  states: [told.states[0] as Trace['states'][0], new Map([['written', int(1)]])],
  actions: [null, { name: 'Write' }],
};

describe('several arguments that lead to the same state', () => {
  test('are no guess', () => {
    expect(inferArguments(eitherAcks, configOf(eitherAcks))).toMatchObject({
      kind: 'several',
      index: 1,
      action: 'Write',
      steps: [step('Write', 'A', '1'), step('Write', 'A', 'all')],
    });
  });

  test('make the replay ambiguous', async () => {
    expect(await replay(eitherAcks, memorySystem())).toMatchObject({
      kind: 'ambiguous',
      at: { index: 1, action: 'Write', step: null },
      candidates: [step('Write', 'A', '1'), step('Write', 'A', 'all')],
      steps: 0,
      lastIndex: 0,
    });
  });
});

describe('a state to which no arguments lead', () => {
  test('is told with the nearest step and the values of both sides', () => {
    const tampered = withValue(withoutArguments(told), 6, 'hw', '[A |-> 0, B |-> 0]');
    const inferred = inferArguments(tampered, configOf(tampered));
    expect(inferred).toMatchObject({
      kind: 'none',
      index: 6,
      action: 'HandleFetch',
      nearest: {
        step: step('HandleFetch', 'A', 'B'),
        differences: [{ path: 'hw["A"]', kind: 'changed', before: int(0), after: int(1) }],
      },
    });
    // What leads there is known all the same.
    expect(stepsOf(inferred.trace).slice(0, 5)).toEqual(SCHEDULE.slice(0, 5));
  });

  test('is where the replay diverges, and not before', async () => {
    const tampered = withValue(withoutArguments(told), 6, 'hw', '[A |-> 0, B |-> 0]');
    expect(await replay(tampered, memorySystem())).toMatchObject({
      kind: 'diverged',
      at: { index: 6, action: 'HandleFetch', step: step('HandleFetch', 'A', 'B') },
      differences: [{ path: 'hw["A"]', kind: 'changed', before: int(0), after: int(1) }],
      steps: 5,
      lastIndex: 5,
    });
  });

  test('by a step that is not possible there is refused', async () => {
    const swapped = withSwapped(withoutArguments(told), 9, 11);
    expect(inferArguments(swapped, configOf(swapped))).toMatchObject({ kind: 'none', index: 9, action: 'Elect' });
    expect(await replay(swapped, memorySystem())).toMatchObject({
      kind: 'diverged',
      at: { index: 9, action: 'Elect' },
    });

    const early = withSwapped(withoutArguments(told), 1, 3);
    expect(inferArguments(early, configOf(early))).toMatchObject({ kind: 'none', index: 1, nearest: null });
    expect(await replay(early, memorySystem())).toMatchObject({
      kind: 'refused',
      at: { index: 1, action: 'HandleFetch', step: null },
      reason: 'no HandleFetch is possible there',
    });
  });

  test('by a step without a name is refused, whatever comes later', async () => {
    const unnamed: Trace = { ...withoutArguments(told), actions: withoutArguments(told).actions.with(4, null) };
    expect(await replay(withValue(unnamed, 9, 'written', '7'), memorySystem())).toMatchObject({
      kind: 'refused',
      at: { index: 4, action: 'an unnamed step' },
      reason: 'the trace does not name it',
      steps: 3,
    });
  });
});

describe('the configuration of a trace', () => {
  test('is read from its constants', () => {
    expect(configOf(told)).toEqual({
      replicas: ['A', 'B'],
      firstLeader: 'A',
      profileOf: { A: 'Kafka_0_10_2', B: 'Kafka_0_10_2' },
      minIsr: 1,
      lazyCheckpoint: false,
      resumeSameEpoch: false,
      oldNews: false,
    });
    expect(configOf(told, 'Kip101').profileOf).toEqual({ A: 'Kip101', B: 'Kip101' });
  });

  const other = { ...told, vars: told.vars.filter((name) => !['hw', 'isr', 'log', 'acked'].includes(name)) };
  const without = (name: string) => new Map([...(told.constants ?? [])].filter(([known]) => known !== name));
  const having = (name: string, text: string) => new Map([...(told.constants ?? []), [name, parse(text)]]);

  test.each<[string, Pick<Trace, 'vars' | 'constants'>, string]>([
    [
      'of another specification',
      other,
      'This is a trace of another specification: it has no variable log, hw, isr, …. Record one with `leader-epoch record`.',
    ],
    [
      'without a constant',
      { ...told, constants: without('MinIsr') },
      "The trace does not say what the model's constant MinIsr is: expected a value of kind int, under params.",
    ],
    [
      'with a constant of another kind',
      { ...told, constants: having('OldNews', '"no"') },
      "The trace does not say what the model's constant OldNews is: expected a value of kind bool, under params.",
    ],
    [
      'of a profile that nobody knows',
      { ...told, constants: new Map([...(told.constants ?? []), ['Profile', str('Kafka_9')]]) },
      'The trace\'s constants make no sense: There is no profile "Kafka_9".',
    ],
    [
      'with a first leader that is no replica',
      { ...told, constants: having('FirstLeader', '"Z"') },
      "The trace's constants make no sense: Z is no replica.",
    ],
  ])('%s is a problem in words', (_, trace, message) => {
    expect(() => configOf(trace)).toThrow(ReplayProblem);
    expect(() => configOf(trace)).toThrow(message);
  });
});
