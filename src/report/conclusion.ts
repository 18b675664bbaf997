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

/** What never ends where a property of spec/Liveness.tla is broken. No single state shows it. */
const FOR_EVER: Readonly<Record<string, string>> = {
  TruncationEndsProp: 'a follower never gets through its truncation',
  CatchesUpProp: 'a follower never comes to have the log of its leader',
  ProducersAreAnsweredProp: 'a producer is never answered',
  JoinsIsrProp: 'a follower never joins the ISR',
};

/** About one property; without one, about all that are broken. */
export function conclude(told: Told, property?: string): Conclusion {
  const forEver = property === undefined ? undefined : FOR_EVER[property];
  if (forEver !== undefined) {
    const what = told.loops ? `is broken: ${forEver}, for what comes now comes again and again` : 'is not broken here';
    return { broken: told.loops, lines: [`${property} ${what}.`], marks: [] };
  }
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
