import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { tellSteps } from '../../src/report/steps.ts';
import type { Value } from '../../src/tla/index.ts';
import { parseItf, type State, type Trace } from '../../src/trace/index.ts';

/** A trace that TLC found or played: see fixtures/make.ts. */
export function fixture(name: string): Trace {
  return parseItf(readFileSync(new URL(`fixtures/${name}.itf.json`, import.meta.url), 'utf8'));
}

type Case = [what: string, fixture: string, step: number, call: string, sentence: string];

/** One test a case: what a step of a trace is told as. */
export function tells(cases: readonly Case[]): void {
  test.each(cases)('%s (%s, step %i)', (_, name, step, call, sentence) => {
    const told = tellSteps(fixture(name)).steps[step - 1];
    expect(told?.call).toBe(call);
    expect(told?.sentence).toBe(sentence);
  });
}

/** The same trace with another value of a variable in its last state. */
export function ending(trace: Trace, variable: string, change: (value: Value) => Value): Trace {
  const last: State = new Map(trace.states.at(-1)!).set(variable, change(trace.states.at(-1)!.get(variable)!));
  return { ...trace, states: [...trace.states.slice(0, -1), last] };
}
