import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { accept, modelConfig } from '../../src/claims/index.ts';
import { configOf, ghosts, mapping } from '../../src/replay/index.ts';
import { Recorder, Run } from '../../src/replay/run.ts';
import { parse } from '../../src/tla/index.ts';
import type { State, Trace } from '../../src/trace/index.ts';
import { schedules } from '../report/fixtures/schedules.ts';
import { SPEC } from '../support/spec.ts';
import { describeWithTlc, inTurn, PATIENCE_MS, quickJava } from '../support/tlc.ts';
import { idsIn, plain, step } from '../support/traces.ts';
import { constantsOf, settings } from '../support/walk.ts';

type Told = readonly (string | number)[];

/** The schedule that a model of spec/models tells. */
function toldBy(model: string): Told[] {
  const text = readFileSync(join(SPEC, 'models', `${model}.tla`), 'utf8');
  const told = parse(/\nSchedule ==\s*(<<[\s\S]*?>>>>)/.exec(text)?.[1]?.replaceAll(/\\\*.*/g, '') ?? '');
  if (told.kind !== 'tuple') throw new Error(`${model} tells no schedule`);
  return told.elements.map((one) => (one.kind === 'tuple' ? one.elements.map(plain) : []));
}

/** Takes the steps on the implementation, every one of them. */
function played(constants: State, steps: readonly Told[]): Trace {
  const vars = [...Object.keys(mapping), ...Object.keys(ghosts)];
  const run = new Run(configOf({ vars, constants }));
  const recorder = new Recorder(run.state());
  for (const [action, ...args] of steps) {
    const one = step(String(action), ...args);
    const outcome = run.step(one);
    if (outcome.kind === 'refused') throw new Error(`${one.action}(${one.args}): ${outcome.reason}`);
    recorder.add(one, run.state());
  }
  return recorder.trace(constants, {});
}

/** The schedules that end well: no counterexample shows these parts of the rules. */
const ends: readonly (readonly [model: string, a: number[], b: number[]])[] = [
  ['FastRestartToldKip101', [1], [1]],
  ['HardFailuresToldKip101', [1, 3], [1, 3]],
  ['SecondRoundTold', [1, 2], [1, 2]],
];

test.each(ends)('the implementation takes every step that %s tells, and comes to one log', (model, a, b) => {
  const { states } = played(modelConfig(model).constants, toldBy(model));
  expect(idsIn(states.at(-1), 'A')).toEqual(a);
  expect(idsIn(states.at(-1), 'B')).toEqual(b);
});

test('the second round of KIP-279 cuts twice: to the own end of the epoch before, then to what both have', () => {
  const { states, actions } = played(modelConfig('SecondRoundTold').constants, toldBy('SecondRoundTold'));
  const answers = actions.flatMap((action, index) =>
    action?.name === 'HandleOffsetsForLeaderEpochResponse' ? [index] : [],
  );
  expect(answers).toHaveLength(2);
  const fetchStateOf = (index: number) => states[index]?.get('fetchState');
  expect(answers.map((index) => [idsIn(states[index - 1], 'A'), idsIn(states[index], 'A')])).toEqual([
    [[1, 3], [1]],
    [[1], [1]],
  ]);
  expect(answers.map(fetchStateOf)).toEqual([
    parse('[A |-> "truncating", B |-> "idle"]'),
    parse('[A |-> "fetching", B |-> "idle"]'),
  ]);
});

/** Corners that random walks hardly ever come to. */
const corners = [
  'high-watermark-past-the-end',
  'refused-for-the-epoch',
  'out-of-range-truncates',
  'same-epoch-resumed',
];

describeWithTlc('TLC accepts what the implementation made of', () => {
  describe.concurrent('the schedule', () => {
    test.each(ends)(
      '%s',
      async (model) => {
        const trace = played(modelConfig(model).constants, toldBy(model));
        const { invariants } = modelConfig(model);
        expect(await inTurn(() => accept(trace, { invariants, env: quickJava }))).toEqual({ kind: 'accepted' });
      },
      PATIENCE_MS,
    );

    test.each(corners)(
      '%s',
      async (name) => {
        const { steps, profile, replicas, ...options } = schedules[name] as (typeof schedules)[string];
        const { config } = settings({ profile, seed: 0, ...(replicas && { replicas }), options });
        const trace = played(constantsOf(config, profile), steps);
        expect(await inTurn(() => accept(trace, { env: quickJava }))).toEqual({ kind: 'accepted' });
      },
      PATIENCE_MS,
    );
  });
});
