import { ReplayProblem, showStep } from '../../src/replay/index.ts';
import { bool, set, str, type Value } from '../../src/tla/index.ts';
import type { Library } from './data.ts';
import type { Tried } from './route.ts';
import { Session, withConstants } from './session.ts';

const SWITCHES = ['LazyCheckpoint', 'ResumeSameEpoch', 'OldNews', 'EligibleLeaders'];

/** What a URL needs to say of a session. */
export function triedOf(session: Session, from: string | undefined, versus: string | undefined): Tried {
  const { config, constants, steps } = session;
  const others = config.replicas.filter((id) => id !== config.firstLeader);
  const upgraded = namesIn(constants.get('Upgraded'));
  return {
    rule: textIn(constants.get('Profile')),
    replicas: [config.firstLeader, ...others],
    minIsr: config.minIsr,
    switches: SWITCHES.filter((name) => isTrue(constants.get(name))),
    ...(upgraded.length === 0
      ? {}
      : { upgraded: { rule: textIn(constants.get('UpgradedProfile')), replicas: upgraded } }),
    ...{ steps, from, versus },
  };
}

/** The session that a URL tells of, as far as it can be had; a link may be old, or made by hand. */
export function sessionOf(library: Library, tried: Tried): { session: Session | null; problem: string | null } {
  const model = library.open(library.data.first)?.trace.constants ?? new Map<string, Value>();
  const constants = new Map(withConstants(model, { rule: tried.rule, minIsr: tried.minIsr, replicas: tried.replicas }));
  for (const name of SWITCHES) constants.set(name, bool(tried.switches.includes(name)));
  constants.set('Upgraded', set((tried.upgraded?.replicas ?? []).map(str)));
  if (tried.upgraded !== undefined) constants.set('UpgradedProfile', str(tried.upgraded.rule));
  let session: Session;
  try {
    session = Session.begin(constants);
  } catch (error) {
    if (error instanceof ReplayProblem)
      return { session: null, problem: `This link cannot be followed: ${error.message}` };
    throw error;
  }
  for (const [index, step] of tried.steps.entries()) {
    const next = session.take(step);
    if (next === null) {
      const problem = `This link could be followed for ${index} steps: ${showStep(step)} is not possible after them.`;
      return { session, problem };
    }
    session = next;
  }
  return { session, problem: null };
}

function textIn(value: Value | undefined): string {
  return value?.kind === 'string' ? value.value : '';
}

function isTrue(value: Value | undefined): boolean {
  return value?.kind === 'bool' && value.value;
}

function namesIn(value: Value | undefined): string[] {
  return value?.kind === 'set' ? value.elements.map(textIn) : [];
}
