import { type ActionName, actions } from '../replica/index.ts';
import type { WorldStep } from '../systems/system.ts';
import type { RecordId } from './logLines.ts';
import type { LoggedEvent, RunLog } from './readLog.ts';

/** A step with the values that each of its arguments may have. */
export interface StepSet {
  readonly action: ActionName;
  readonly args: readonly (readonly (string | number)[])[];
}

/** What a log says as a whole: how far numbers go, what its records are called. */
export interface Reach {
  readonly replicas: readonly string[];
  readonly highestEpoch: number;
  /** Each once, in the order in which the log names them: the model has their places, from 1 on. */
  readonly ids: readonly RecordId[];
  readonly records: number;
}

export function reachOf({ header, events }: RunLog): Reach {
  const { replicas } = header.config;
  const ids = new Set<RecordId>();
  let elections = 1;
  let highest = 1;
  let writes = 0;
  for (const event of events) {
    const names = namesOf(event);
    if (names.some((name) => ELECTIONS.has(name))) elections++;
    if (names.includes('Write')) writes++;
    if (event.id !== undefined) ids.add(event.id);
    for (const id of event.told ?? []) ids.add(id);
    const records = [event.state?.log, event.sent?.records, event.received?.records];
    for (const record of records.flatMap((list) => list ?? [])) ids.add(record.id);
    if (event.action === 'BecomeLeader' || event.action === 'BecomeFollower')
      highest = Math.max(highest, Number(event.args?.[1] ?? 0));
    highest = Math.max(highest, event.state?.leaderEpoch ?? 0, event.state?.controller?.epoch ?? 0);
  }
  const total = Math.max(writes, ids.size);
  // A record that the log never names has a name of its own.
  const unnamed = Array.from({ length: total - ids.size }, (_, index) => `unnamed ${index + 1}`);
  const hidesElections = header.hidden.some((name) => ELECTIONS.has(name));
  return {
    replicas,
    highestEpoch: hidesElections ? Math.max(elections, Math.min(highest, elections + events.length)) : elections,
    ids: [...ids, ...unnamed],
    records: total,
  };
}

const ELECTIONS: ReadonlySet<string> = new Set<ActionName>(['Elect', 'ElectUnclean', 'PartitionOffline']);

/** The actions that an event may be of. Who logs an event without an action took some step of its own. */
export function namesOf({ action }: Pick<LoggedEvent, 'action'>): readonly ActionName[] {
  if (action === undefined) return Object.keys(actions) as ActionName[];
  return typeof action === 'string' ? [action] : action;
}

export function stepsOf(event: LoggedEvent, reach: Reach): StepSet[] {
  const own = event.action === undefined && reach.replicas.includes(event.by) ? event.by : null;
  return namesOf(event).map((action) => {
    const every = argumentsOf(action, reach);
    const args = every.map((values, index) => {
      const given = event.args?.[index] ?? null;
      if (given !== null) return [given];
      return own !== null && index === 0 && actions[action].takes[0] === 'replica' ? [own] : values;
    });
    return { action, args };
  });
}

export function argumentsOf(action: ActionName, { highestEpoch, records, replicas }: Reach): (string | number)[][] {
  return actions[action].takes.map((takes) => {
    if (takes === 'replica') return [...replicas];
    if (takes === 'acks') return ['1', 'all'];
    // How many records a loss of power leaves, else an epoch.
    const [from, to] = action === 'PowerLoss' ? [0, records] : [1, highestEpoch];
    return Array.from({ length: to - from + 1 }, (_, index) => from + index);
  });
}

/** One by one. */
export function eachOf({ action, args }: StepSet): WorldStep[] {
  return args
    .reduce<(string | number)[][]>((all, values) => all.flatMap((some) => values.map((one) => [...some, one])), [[]])
    .map((some) => ({ action, args: some }));
}

/** They read and write what their replica has, and nothing else. */
const ALONE: ReadonlySet<ActionName> = new Set<ActionName>([
  'Write',
  'CheckpointHighWatermark',
  'Flush',
  'FlushEpochFile',
]);

/** What others may log of a replica, and such a step would not notice. */
const FROM_OUTSIDE: ReadonlySet<ActionName> = new Set<ActionName>([
  ...(['Crash', 'PowerLoss', 'LoseMessage', 'AlterPartition', 'Elect', 'ElectUnclean', 'PartitionOffline'] as const),
]);

/** For each event: whether it may be taken before all others, see `First` in spec/LoggedRun.tla. */
export function firstOf({ header, events }: RunLog, reach: Reach): boolean[] {
  const hidden = header.hidden.filter((name) => !FROM_OUTSIDE.has(name) || name === 'Crash' || name === 'PowerLoss');
  if (hidden.length > 0) return events.map(() => false);
  const steps = events.map((event) => stepsOf(event, reach));
  const loggersOf = new Map<string | number, Set<string>>();
  events.forEach((event, index) => {
    for (const { action, args } of steps[index]!) {
      if (FROM_OUTSIDE.has(action)) continue;
      for (const replica of args[0] ?? []) loggersOf.set(replica, (loggersOf.get(replica) ?? new Set()).add(event.by));
    }
  });
  return steps.map((some) => {
    const [step, ...more] = some;
    const [replica, ...others] = step?.args[0] ?? [];
    const isAlone = more.length === 0 && others.length === 0 && step !== undefined && ALONE.has(step.action);
    return isAlone && replica !== undefined && loggersOf.get(replica)?.size === 1;
  });
}
