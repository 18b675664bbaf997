import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { int, print, set, type Value } from '../tla/index.ts';
import { runTlc, type TlcOutcome } from '../tlc/index.ts';
import type { State, Trace } from '../trace/index.ts';
import { explainFailure } from './check.ts';
import { specFolder } from './claims.ts';

/** Whether TLC finds a trace to be a behaviour of the specification, under the profile that its constants name. */
export type Acceptance =
  | { readonly kind: 'accepted' }
  /** A behaviour as far as state `index` (0 is the initial one), which breaks one of the invariants asked for. */
  | { readonly kind: 'violates'; readonly invariant: string; readonly index: number; readonly isLast: boolean }
  /** Only the first `matched` steps are the specification's. */
  | { readonly kind: 'rejected'; readonly matched: number; readonly next: string }
  | { readonly kind: 'couldNotTell'; readonly reason: string; readonly outcome: TlcOutcome };

export interface AcceptOptions {
  /** What must hold; `Refines`, of steps, as well. */
  readonly invariants?: readonly string[];
  readonly folder?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal;
}

/** Lets TLC follow the trace state by state, by its actions and arguments. `trace`: with the arguments of its steps. */
export async function accept(trace: Trace, options: AcceptOptions = {}): Promise<Acceptance> {
  const steps = withoutStuttering(trace);
  const invariants = options.invariants ?? [];
  const own = await mkdtemp(join(tmpdir(), 'leader-epoch-accept-'));
  try {
    await writeFile(join(own, 'Recorded.tla'), moduleFor(trace.vars, steps, modulesFor(trace, invariants)));
    await writeFile(join(own, 'Recorded.cfg'), configFor(trace, invariants));
    const { outcome, userOutput } = await runTlc({
      spec: join(own, 'Recorded.tla'),
      library: [options.folder ?? specFolder],
      checkDeadlock: false,
      brief: true,
      ...(options.env && { env: options.env }),
      ...(options.signal && { signal: options.signal }),
    });
    return acceptance(outcome, userOutput, steps);
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

interface Taken {
  readonly state: State;
  /** As in the tuples of MC.tla; null for the initial state. */
  readonly step: string | null;
}

function acceptance(outcome: TlcOutcome, userOutput: readonly string[], steps: readonly Taken[]): Acceptance {
  if (outcome.kind !== 'success' && outcome.kind !== 'invariant' && outcome.kind !== 'actionProperty') {
    return { kind: 'couldNotTell', reason: explainFailure(outcome), outcome };
  }
  const matched = Math.max(
    0,
    ...userOutput.map((line) => Number(/^<<"matched", (\d+)>>$/.exec(line.trim())?.[1] ?? 0)),
  );
  const last = steps.length - 1;
  if (outcome.kind === 'invariant') {
    const index = outcome.trace.states.length - 1;
    return { kind: 'violates', invariant: outcome.name, index, isLast: index === last };
  }
  if (outcome.kind === 'actionProperty') {
    const index = outcome.trace.states.length - 1;
    return { kind: 'violates', invariant: REFINES, index, isLast: index === last };
  }
  if (matched === last) return { kind: 'accepted' };
  return { kind: 'rejected', matched, next: steps[matched + 1]?.step ?? 'the initial state' };
}

function withoutStuttering({ states, actions, loop, loopAction }: Trace): Taken[] {
  const closing = loop !== undefined && loop < states.length - 1 && loopAction ? [states[loop] as State] : [];
  return [...states, ...closing].flatMap((state, index) => {
    const action = index < states.length ? actions[index] : loopAction;
    if (index > 0 && !action) return [];
    const args = action?.args?.map(print) ?? [];
    return [{ state, step: action ? `<<${[`"${action.name}"`, ...args].join(', ')}>>` : null }];
  });
}

/** The only property that is one of steps (spec/Refinement.tla). */
const REFINES = 'Refines';

/** Whatever has the properties asked for, and no variable that the trace does not have. */
function modulesFor({ vars }: Trace, invariants: readonly string[]): string {
  const others = [
    ...(vars.includes('readable') ? ['Readers'] : []),
    ...(invariants.includes(REFINES) ? ['Refinement'] : []),
  ];
  return ['MC', 'Clients', ...others].join(', ');
}

/**
 * Every action of MC.tla ends with Told: here it names the one step and state that come next. `at` counts them, for a
 * trace may come back to a state (a refused question is asked again).
 */
function moduleFor(vars: readonly string[], steps: readonly Taken[], extended: string): string {
  const tuple = (prime: string): string => `<<${vars.map((name) => name + prime).join(', ')}>>`;
  const values = (state: State): string => `<<${vars.map((name) => print(state.get(name) as Value)).join(', ')}>>`;
  const remembers = vars.includes('readable');
  return `---- MODULE Recorded ----
EXTENDS ${extended}
VARIABLE at
States == <<
  ${steps.map(({ state }) => values(state)).join(',\n  ')}>>
Steps == <<${steps.flatMap(({ step }) => step ?? []).join(', ')}>>
InitHere == ${remembers ? 'ReadersInit' : 'Init'} /\\ ${tuple('')} = States[1] /\\ at = 1
ToldHere(step) ==
  /\\ at <= Len(Steps)
  /\\ step = Steps[at]
  /\\ ${tuple("'")} = States[at + 1]
  /\\ at' = at + 1
  /\\ PrintT(<<"matched", at>>)
====
`;
}

/** Bounds that no trace reaches: the question is whether the protocol allows the steps. */
const UNBOUNDED = ['MaxElections', 'MaxCrashes', 'MaxPowerLosses', 'MaxUnclean', 'MaxLostMessages'];

function configFor(trace: Trace, invariants: readonly string[]): string {
  const constants = new Map(trace.constants);
  for (const name of UNBOUNDED) constants.set(name, int(40));
  constants.set('MaxRecords', int(trace.states.length));
  constants.set('Watch', set([]));
  const lines = [...constants].map(([name, value]) => `    ${name} = ${print(value)}`);
  const ofStates = invariants.filter((name) => name !== REFINES);
  const checked = [
    ofStates.length > 0 ? `INVARIANTS ${ofStates.join(' ')}\n` : '',
    invariants.includes(REFINES) ? `PROPERTIES ${REFINES}\n` : '',
  ].join('');
  if (trace.vars.includes('readable')) lines.push('    Noted <- Remembered');
  return `INIT InitHere\nNEXT Next\nCHECK_DEADLOCK FALSE\nCONSTANTS\n${lines.join('\n')}\n    Told <- ToldHere\n${checked}`;
}
