import { MemoryCluster, switchesOf } from '../systems/memory.ts';
import type { SystemConfig } from '../systems/system.ts';
import type { Value } from '../tla/index.ts';
import type { Trace } from '../trace/index.ts';
import { ghosts, mapping } from './mapping.ts';
import { ReplayProblem } from './problem.ts';

/**
 * What the trace's model says of the cluster, with another profile if one is given.
 * @throws ReplayProblem for a trace of another specification, or constants that make no sense
 */
export function configOf(trace: Pick<Trace, 'vars' | 'constants'>, profile?: string): SystemConfig {
  const missing = [...Object.keys(mapping), ...Object.keys(ghosts)].filter((name) => !trace.vars.includes(name));
  if (missing.length > 0) {
    const shown = missing.slice(0, 3).join(', ') + (missing.length > 3 ? ', …' : '');
    throw new ReplayProblem(
      `This is a trace of another specification: it has no variable ${shown}. Record one with \`leader-epoch record\`.`,
    );
  }
  const constant = <T>(name: string, kind: Value['kind'], read: (value: Value) => T | undefined): T => {
    const value = trace.constants?.get(name);
    const found = value === undefined ? undefined : read(value);
    if (found !== undefined) return found;
    throw new ReplayProblem(
      `The trace does not say what the model's constant ${name} is: expected a value of kind ${kind}, under params.`,
    );
  };
  const text = (value: Value) => (value.kind === 'string' ? value.value : undefined);
  const truth = (value: Value) => (value.kind === 'bool' ? value.value : undefined);
  const replicas = constant('Replicas', 'set', (value) =>
    value.kind === 'set' ? value.elements.flatMap((id) => text(id) ?? []) : undefined,
  );
  const upgraded = trace.constants?.get('Upgraded');
  const isUpgraded = (id: string): boolean =>
    profile === undefined && upgraded?.kind === 'set' && upgraded.elements.some((member) => text(member) === id);
  const rule = profile ?? constant('Profile', 'string', text);
  return checked({
    replicas,
    firstLeader: constant('FirstLeader', 'string', text),
    profileOf: Object.fromEntries(
      replicas.map((id) => [id, isUpgraded(id) ? constant('UpgradedProfile', 'string', text) : rule]),
    ),
    minIsr: constant('MinIsr', 'int', (value) => (value.kind === 'int' ? Number(value.value) : undefined)),
    lazyCheckpoint: constant('LazyCheckpoint', 'bool', truth),
    resumeSameEpoch: constant('ResumeSameEpoch', 'bool', truth),
    oldNews: constant('OldNews', 'bool', truth),
    ...(trace.constants?.has('EligibleLeaders') ? { eligibleLeaders: constant('EligibleLeaders', 'bool', truth) } : {}),
  });
}

/** What the implementation says of it (an unknown profile, a first leader that is no replica), and what its rules leave to the world. */
function checked(config: SystemConfig): SystemConfig {
  try {
    new MemoryCluster(config);
    const switches = Object.values(config.profileOf).map(switchesOf);
    return {
      ...config,
      ...(switches.some(({ epochFile }) => epochFile === 'later') ? { lateEpochFile: true } : {}),
      ...(switches.some(({ lateReplies }) => lateReplies !== 'ignored') ? { lateReplies: true } : {}),
    };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ReplayProblem(`The trace's constants make no sense: ${error.message}.`);
  }
}
