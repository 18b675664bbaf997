import { bool, int, print, record, set, str, tuple, type Value } from '../tla/index.ts';
import type { LoggedEvent, RunLog } from './readLog.ts';
import { argumentsOf, firstOf, namesOf, type Reach, type StepSet, stepsOf } from './steps.ts';

export interface Task {
  readonly module: string;
  readonly config: string;
}

/** Of a log that is not explained: as far as it goes, in so many states at most. */
export interface Ending {
  readonly matched: number;
  readonly states: number;
}

export const MODULE = 'GivenLog';

/** The log as constants of spec/LoggedRun.tla, and a configuration that lets TLC look for a behaviour that explains it. */
export function taskFor(log: RunLog, reach: Reach, slack: number, ending: Ending | null): Task {
  const { header } = log;
  const first = firstOf(log, reach);
  const byProcess = new Map<string, string[]>();
  log.events.forEach((event, index) => {
    const own = byProcess.get(event.by) ?? [];
    own.push(print(eventValue(event, index + 1, first[index]!, reach)));
    byProcess.set(event.by, own);
  });
  const processes = [...byProcess].map(([process, own]) => `${print(str(process))} :> <<\n  ${own.join(',\n  ')}>>`);
  const hidden = header.hidden.map((action) => stepValue({ action, args: argumentsOf(action, reach) }));
  const module = `---- MODULE ${MODULE} ----
EXTENDS LoggedRun
LogHere == ${processes.join(' @@\n')}
HiddenStepsHere == ${print(tuple(hidden))}
====
`;
  return { module, config: configFor(log, reach, slack, ending) };
}

function configFor({ events, header }: RunLog, reach: Reach, slack: number, ending: Ending | null): string {
  const { config, hidden } = header;
  const [profile, upgraded, upgradedProfile] = profilesIn(header.config);
  const count = (names: readonly string[]) =>
    events.filter((event) => stepsOf(event, reach).some(({ action }) => names.includes(action))).length;
  const extra = (name: string, times: number) => ((hidden as readonly string[]).includes(name) ? times : 0);
  const restarts = count(['Restart']) + 1;
  const constants: Readonly<Record<string, Value>> = {
    Replicas: set(config.replicas.map(str)),
    FirstLeader: str(config.firstLeader),
    Profile: str(profile),
    Upgraded: set(upgraded.map(str)),
    UpgradedProfile: str(upgradedProfile),
    MinIsr: int(config.minIsr),
    Acks: set(['1', 'all'].map(str)),
    LazyCheckpoint: bool(config.lazyCheckpoint),
    ResumeSameEpoch: bool(config.resumeSameEpoch),
    OldNews: bool(config.oldNews),
    EligibleLeaders: bool(config.eligibleLeaders),
    MaxRecords: int(reach.records),
    MaxElections: int(reach.highestEpoch),
    MaxCrashes: int(count(['Crash']) + extra('Crash', restarts)),
    MaxPowerLosses: int(count(['PowerLoss']) + extra('PowerLoss', restarts)),
    MaxUnclean: int(reach.highestEpoch),
    MaxLostMessages: int(count(['LoseMessage']) + extra('LoseMessage', events.length)),
    Watch: set([]),
    Processes: set([...new Set(events.map(({ by }) => by))].map(str)),
    HighestEpoch: int(reach.highestEpoch),
    Slack: int(Math.min(slack, events.length)),
    Most: int(ending?.matched ?? 0),
    MostStates: int(ending?.states ?? 0),
  };
  const lines = Object.entries(constants).map(([name, value]) => `    ${name} = ${print(value)}`);
  return `INIT LoggedInit
NEXT LoggedNext
CHECK_DEADLOCK FALSE
CONSTANTS
${lines.join('\n')}
    Log <- LogHere
    HiddenSteps <- HiddenStepsHere
INVARIANTS ${ending === null ? 'Progress' : 'Frontier'}
`;
}

export class ProfileMixError extends Error {
  override readonly name = 'ProfileMixError';
}

/** A specification's cluster has one rule, or two while it is upgraded. */
function profilesIn({ profileOf, replicas }: RunLog['header']['config']): [string, string[], string] {
  const names = [...new Set(replicas.map((id) => profileOf[id]!))];
  const [profile = '', upgraded = profile, ...more] = names;
  if (more.length > 0) {
    throw new ProfileMixError(
      `The log's cluster follows ${names.length} profiles (${names.join(', ')}): at most two can be mixed.`,
    );
  }
  return [profile, replicas.filter((id) => profileOf[id] !== profile), upgraded];
}

function eventValue(event: LoggedEvent, place: number, first: boolean, reach: Reach): Value {
  const { action, args, by, id, received, sent, state, told } = event;
  const placeOf = placesOf(reach);
  const fields: [string, Value][] = [
    ['steps', tuple(stepsOf(event, reach).map(stepValue))],
    ['place', int(place)],
    ['first', bool(first)],
    ['ids', set(id === undefined ? anyId(event, reach) : [int(placeOf(id))])],
    ['of', str(event.of ?? (reach.replicas.includes(by) ? by : reach.replicas[0]!))],
    [
      'shows',
      record(Object.entries(state ?? {}).map(([name, value]) => [name, shownValue(name, value, placeOf)] as const)),
    ],
  ];
  if (told !== undefined) fields.push(['told', set(told.map((one) => int(placeOf(one))))]);
  for (const [name, message] of [
    ['received', received],
    ['sent', sent],
  ] as const) {
    if (message === undefined) continue;
    const follower = message.follower ?? followerOf(action, args);
    fields.push(['follower', str(follower ?? by)]);
    fields.push([name, shownValue(name, message, placeOf)]);
  }
  return record(fields);
}

/** A record that was written without a name may have any; most events write none. */
function anyId(event: LoggedEvent, reach: Reach): Value[] {
  return namesOf(event).includes('Write') ? reach.ids.map((_, index) => int(index + 1)) : [];
}

/** Whose question or answer an event is about. */
export function followerOf(action: LoggedEvent['action'], args: LoggedEvent['args']): string | null {
  const isOfPair = action === 'HandleFetch' || action === 'HandleOffsetsForLeaderEpoch';
  const arg = args?.[isOfPair ? 1 : 0];
  return typeof arg === 'string' ? arg : null;
}

export function placesOf({ ids }: Reach): (id: string | number) => number {
  const places = new Map(ids.map((id, index) => [id, index + 1]));
  return (id) => places.get(id) ?? 0;
}

function stepValue({ action, args }: StepSet): Value {
  const values = (possible: readonly (string | number)[]) =>
    set(possible.map((one) => (typeof one === 'number' ? int(one) : str(one))));
  return record({ action: str(action), args: tuple(args.map(values)) });
}

/** Lists that stand for sets. */
const SETS = new Set(['isr', 'pending', 'oldNews', 'elr']);

/** What a log shows of a variable, in the specification's values. Records have the places of their names. */
function shownValue(name: string, plain: unknown, placeOf: (id: string | number) => number): Value {
  if (name === 'id') return int(placeOf(plain as string | number));
  if (typeof plain === 'number') return int(plain);
  if (typeof plain === 'string') return str(plain);
  if (Array.isArray(plain)) {
    const parts = plain.map((part) => shownValue('', part, placeOf));
    return SETS.has(name) ? set(parts) : tuple(parts);
  }
  return record(
    Object.entries(plain as Record<string, unknown>).map(
      ([field, part]) => [field, shownValue(field, part, placeOf)] as const,
    ),
  );
}
