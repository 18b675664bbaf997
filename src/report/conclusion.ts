import { BREACHES, type Breach } from './breaches.ts';
import type { Mark } from './drawing.ts';
import type { Told } from './steps.ts';

/** What a trace shows in its last state. */
export interface Conclusion {
  /** Null: nobody asked for a property that can be told from a state. */
  readonly broken: boolean | null;
  readonly lines: readonly string[];
  readonly marks: readonly Mark[];
}

/** About one property; without one, about all that are broken. */
export function conclude(told: Told, property?: string): Conclusion {
  if (property !== undefined && BREACHES[property] === undefined) {
    return { broken: null, lines: [`Here the trace ends; its property is ${property}.`], marks: [] };
  }
  const found = Object.entries(BREACHES)
    .filter(([name]) => (property === undefined ? isToldUnasked(name, told) : name === property))
    .map(([name, breachesOf]) => [name, breachesOf(told)] as const)
    .filter(([, breaches]) => breaches.length > 0);
  if (found.length === 0) {
    const what = property === undefined ? 'Nothing is broken' : `${property} is not broken`;
    return { broken: false, lines: [`${what} in the last state.`], marks: [] };
  }
  return {
    broken: true,
    lines: found.map(([name, breaches]) => `${name} is broken: ${breaches.map(({ text }) => text).join(' ')}`),
    marks: distinct(found.flatMap(([, breaches]) => breaches)),
  };
}

/** The guarded form says enough; and a replica without epochs keeps no cache, which the state does not show. */
function isToldUnasked(name: string, { last }: Told): boolean {
  if (name === 'CommittedSurvivesAnything') return false;
  return name !== 'CacheMatchesLog' || last.replicas.some(({ epochCache }) => epochCache.length > 0);
}

function distinct(breaches: readonly Breach[]): Mark[] {
  const marks = breaches.flatMap((breach) => breach.marks);
  return marks.filter(
    (mark, index) => marks.findIndex((m) => m.offset === mark.offset && m.text === mark.text) === index,
  );
}
