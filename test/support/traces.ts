import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WorldStep } from '../../src/systems/system.ts';
import { apply, int, parse, str, type Value } from '../../src/tla/index.ts';
import { parseItf, type State, type Trace } from '../../src/trace/index.ts';
import { ROOT, SPEC } from './spec.ts';

export const TRACES = join(ROOT, 'traces');

export const recordedNames: readonly string[] = readdirSync(TRACES)
  .flatMap((name) => /^(.*)\.itf\.json$/.exec(name)?.[1] ?? [])
  .sort();

export function recorded(name: string): Trace {
  const file = join(TRACES, `${name}.itf.json`);
  return parseItf(readFileSync(file, 'utf8'), { file });
}

interface Listed {
  readonly set: string;
  readonly claim: string;
  readonly property: readonly [string, ...string[]];
  readonly profile: string;
  readonly mendedBy?: string;
}

/** The claim of a trace as claims.json has it, read without the program that is tested. */
export function listedClaim(name: string): Listed {
  const { claims } = JSON.parse(readFileSync(join(SPEC, 'claims.json'), 'utf8')) as { claims: Listed[] };
  const found = claims.find(({ claim }) => claim === name);
  if (!found) throw new Error(`There is no claim ${name}`);
  return found;
}

/** The trace as TLC gives it: the names of the steps without their arguments. */
export function withoutArguments(trace: Trace): Trace {
  return { ...trace, actions: trace.actions.map((action) => action && { name: action.name }) };
}

/** A trace in which one variable of one state has another value. */
export function withValue(trace: Trace, index: number, variable: string, value: string | Value): Trace {
  const state: State = new Map([
    ...(trace.states[index] as State),
    [variable, typeof value === 'string' ? parse(value) : value],
  ]);
  return { ...trace, states: trace.states.with(index, state) };
}

/** A trace whose steps of these indices have changed places; its states have not. */
export function withSwapped(trace: Trace, one: number, other: number): Trace {
  const { actions } = trace;
  return { ...trace, actions: actions.with(one, actions[other] ?? null).with(other, actions[one] ?? null) };
}

/** `[action, …arguments]` for each step, as the told schedules have it. */
export function stepsOf(trace: Trace): (string | number)[][] {
  return trace.actions.slice(1).map((action) => [action?.name ?? '', ...(action?.args ?? []).map(plain)]);
}

/** The ids of the records in a replica's log. */
export function idsIn(state: State | undefined, replica: string): number[] {
  const log = state?.get('log');
  const own = log && apply(log, str(replica));
  return own?.kind === 'tuple' ? own.elements.map((record) => plain(apply(record, str('id')) as Value) as number) : [];
}

export function step(action: string, ...args: (string | number)[]): WorldStep {
  return { action, args };
}

export function argument(value: string | number): Value {
  return typeof value === 'number' ? int(value) : str(value);
}

export function plain(value: Value): string | number {
  if (value.kind === 'int') return Number(value.value);
  return value.kind === 'string' ? value.value : `?${value.kind}`;
}
