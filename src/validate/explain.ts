import { isDeepStrictEqual } from 'node:util';
import { toObservation } from '../replay/index.ts';
import { MemoryCluster, OBSERVABLE } from '../systems/memory.ts';
import type { Observation, WorldStep } from '../systems/system.ts';
import type { State } from '../trace/index.ts';
import type { LoggedEvent, RunLog } from './readLog.ts';
import { eachOf, type Reach, stepsOf } from './steps.ts';
import { followerOf } from './toTla.ts';

/** A state that explains a part of the log. */
export interface Place {
  /** How many events of each process. */
  readonly explained: ReadonlyMap<string, number>;
  /** For each record of the specification, in their order, the place of its name among the log's. */
  readonly names: readonly number[];
  readonly state: State;
  /** The state as a system would show it, records by the log's names for them. */
  readonly shown: Observation;
}

/** An event that comes next in its process, and that nothing explains. */
export interface Blocked {
  readonly event: LoggedEvent;
  /** What comes nearest to it. */
  readonly nearest:
    | { readonly kind: 'refused'; readonly step: WorldStep; readonly reason: string }
    | { readonly kind: 'differs'; readonly step: WorldStep; readonly differences: readonly Mismatch[] };
}

/** Where the log shows something else than the step leads to. */
export interface Mismatch {
  readonly what: string;
  readonly specification: unknown;
  readonly log: unknown;
}

/**
 * Why the next event of each process is not explained. The implementation in memory says it, for it does in every state what
 * the specification does, and can say why not. What is taken and leads elsewhere comes before what cannot be taken, which
 * may only wait for another process; else the order is that of the file.
 */
export function blockedAt(log: RunLog, reach: Reach, places: readonly Place[]): Blocked[] {
  const cluster = new MemoryCluster(log.header.config);
  const found = new Map<LoggedEvent, Blocked>();
  for (const place of places) {
    cluster.load(toObservation(place.state));
    const saved = cluster.save();
    for (const event of nextEvents(log, place)) {
      for (const step of stepsOf(event, reach).flatMap(eachOf)) {
        cluster.restore(saved);
        const blocked: Blocked = { event, nearest: tried(cluster, step, event, place, reach) };
        const known = found.get(event);
        if (known === undefined || farness(blocked) < farness(known)) found.set(event, blocked);
      }
    }
  }
  return [...found.values()].sort((a, b) => rank(a) - rank(b) || a.event.line - b.event.line);
}

/** What can be taken as it is stands too late in the log: it waits for the others. */
function rank({ nearest }: Blocked): number {
  if (nearest.kind === 'refused') return 1;
  return nearest.differences.length > 0 ? 0 : 2;
}

function farness({ nearest }: Blocked): number {
  return nearest.kind === 'differs' ? nearest.differences.length : Number.POSITIVE_INFINITY;
}

function nextEvents({ events }: RunLog, { explained }: Place): LoggedEvent[] {
  return [...explained].flatMap(([process, count]) => events.filter(({ by }) => by === process)[count] ?? []);
}

function tried(
  cluster: MemoryCluster,
  step: WorldStep,
  event: LoggedEvent,
  place: Place,
  reach: Reach,
): Blocked['nearest'] {
  const id = place.names.length + 1;
  const before = cluster.observe();
  const isWrite = step.action === 'Write';
  const written = isWrite && event.id !== undefined ? [reach.ids.indexOf(event.id) + 1] : [];
  if (written.some((at) => place.names.includes(at))) {
    return { kind: 'refused', step, reason: `the record ${event.id} is written already, and each is written once` };
  }
  const outcome = cluster.step(isWrite ? { ...step, id } : step);
  if (outcome.kind === 'refused') return { kind: 'refused', step, reason: outcome.reason };
  const names = [...place.names, ...written].map((at) => reach.ids[at - 1]);
  const named = (observation: Observation) => renamed(observation, names) as Observation;
  const told = outcome.effects.map((effect) => names[effect.id - 1]);
  return { kind: 'differs', step, differences: mismatches(event, named(before), named(cluster.observe()), told) };
}

function mismatches(event: LoggedEvent, before: Observation, after: Observation, told: readonly unknown[]): Mismatch[] {
  const of = event.of ?? event.by;
  const found: Mismatch[] = [];
  for (const [name, shown] of Object.entries(event.state ?? {})) {
    const here = name === 'logEndOffset' ? lengths(after.log) : after[name];
    const isOfReplica =
      name === 'logEndOffset' || (OBSERVABLE.has(name) && !['controller', 'oldNews', 'elr'].includes(name));
    const value = isOfReplica ? (here as Record<string, unknown>)[of] : here;
    compare(isOfReplica ? `${name} of ${of}` : name, value, shown, found);
  }
  const follower = event.sent?.follower ?? event.received?.follower ?? followerOf(event.action, event.args) ?? event.by;
  if (event.received !== undefined) compare(`the message received`, messageOf(before, follower), event.received, found);
  if (event.sent !== undefined) compare(`the message sent`, messageOf(after, follower), event.sent, found);
  if (event.told !== undefined && !same([...told].sort(), [...event.told].sort())) {
    found.push({ what: 'producers were told of', specification: told, log: event.told });
  }
  return found;
}

/** Of records and functions the log may show some fields. */
function compare(what: string, value: unknown, shown: unknown, found: Mismatch[]): void {
  const isObject = (one: unknown): one is Record<string, unknown> =>
    typeof one === 'object' && one !== null && !Array.isArray(one);
  if (isObject(shown) && isObject(value)) {
    for (const [field, part] of Object.entries(shown)) compare(`${what}, ${field}`, value[field], part, found);
    return;
  }
  const isSet = /^(isr|pending|elr|oldNews)\b|, isr$/.test(what);
  const ordered = (list: unknown) =>
    isSet && Array.isArray(list) ? [...list].map((one) => JSON.stringify(one)).sort() : list;
  if (!same(ordered(value), ordered(shown))) found.push({ what, specification: value ?? null, log: shown });
}

function lengths(logs: unknown): Record<string, number> {
  return Object.fromEntries(Object.entries(logs as Record<string, unknown[]>).map(([id, log]) => [id, log.length]));
}

function messageOf({ network }: Observation, follower: string): unknown {
  return (network as readonly { readonly follower: string }[]).find((message) => message.follower === follower);
}

/** Records by the names that the log has for them. */
export function renamed(value: unknown, names: readonly unknown[]): unknown {
  if (Array.isArray(value)) return value.map((part) => renamed(part, names));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([field, part]) => [
      field,
      field === 'id' ? names[Number(part) - 1] : renamed(part, names),
    ]),
  );
}

function same(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(a, b);
}
