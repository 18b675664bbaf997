import type { PageClaim } from '../../../src/page/data.ts';
import { judge, type MendResult, mend, stepOf, toObservation } from '../../../src/replay/index.ts';
import type { Trace } from '../../../src/trace/index.ts';
import { compare } from '../compare.ts';
import type { Library } from '../data.ts';
import { profileTitle } from '../names.ts';
import { Opened } from '../opened.ts';
import { Session, withConstants } from '../session.ts';
import { propertyStop } from './property-stop.ts';
import { QUESTIONS } from './questions/index.ts';
import { type Stop, yesNo } from './stop.ts';

/** More would be an exam. */
const MAX_STOPS = 7;

const known = new WeakMap<PageClaim, Stop[]>();

/** The questions that a claim has: along its counterexample, or along a run that it says is safe. */
export function stopsOf(library: Library, claim: PageClaim): Stop[] {
  const stops = known.get(claim) ?? find(library, claim);
  known.set(claim, stops);
  return stops;
}

function find(library: Library, claim: PageClaim): Stop[] {
  const recorded = library.open(claim.claim);
  const opened = recorded ?? safeRun(library, claim);
  const along = opened === null ? [] : alongOf(opened);
  const anywhere = opened ?? library.open(library.data.first)!;
  const breaks = along.some(decides) ? null : propertyStop(anywhere, library.data.sources);
  const last =
    claim.verdict === 'holds'
      ? [verdictStop(claim, anywhere)]
      : [...(breaks === null ? [] : [breaks]), ...minIsrStop(anywhere), ...otherRuleStop(anywhere, claim)];
  const stops = [...chosen(along, MAX_STOPS - last.length), ...last];
  return stops.length > 0 ? stops : [verdictStop(claim, anywhere)];
}

/** It asks about what breaks the property. */
function decides({ opened, index, kind }: Stop): boolean {
  return index === opened.last && /^(there|joins)/.test(kind);
}

function alongOf(opened: Opened): Stop[] {
  const session = Session.along(opened.trace, opened.last);
  const stops: Stop[] = [];
  for (let index = 1; index <= session.steps.length; index++) {
    const action = opened.action(index);
    const step = action === null ? null : stepOf(action);
    if (step === null) continue;
    // The worlds around the step are the implementation's own.
    const asked = { opened: session.opened, index, step };
    for (const question of QUESTIONS) {
      const draft = question(asked);
      const again = draft !== null && stops.some(({ kind }) => kind === draft.kind);
      if (draft !== null && !again) stops.push({ ...draft, opened, index, outcome: opened.sentence(index) });
    }
  }
  return stops;
}

/** If there is not room for all: what breaks the property, then what shows a misconception; told in the order of the trace. */
function chosen(stops: readonly Stop[], room: number): Stop[] {
  const weight = (stop: Stop) => 2 * Number(decides(stop)) + Number(stop.misconception !== null);
  return [...stops]
    .sort((a, b) => weight(b) - weight(a))
    .slice(0, room)
    .sort((a, b) => a.index - b.index);
}

/** A schedule that breaks a weaker rule, under the claim's own. */
function safeRun(library: Library, claim: PageClaim): Opened | null {
  const traces = library.names
    .flatMap((name) => library.open(name) ?? [])
    .filter(({ config, claim: one }) => config !== null && one !== null);
  const related = (opened: Opened) =>
    2 * sharedWords(opened.claim!.claim, claim.claim) +
    opened.claim!.source.filter((source) => claim.source.includes(source)).length +
    Number(opened.claim!.mendedBy === claim.profile);
  for (const opened of traces.sort((a, b) => related(b) - related(a))) {
    const result = mended(opened, claim.profile);
    if (result.kind !== 'caughtUp' || result.broken !== null) continue;
    return new Opened(`${claim.claim}-run`, result.trace, {
      claim,
      title: `${opened.title}, under ${profileTitle(claim.profile)}`,
    });
  }
  return null;
}

const runs = new WeakMap<Opened, Map<string, MendResult>>();

/** Many claims are about one rule. */
function mended(opened: Opened, profile: string): MendResult {
  const known = runs.get(opened) ?? new Map<string, MendResult>();
  runs.set(opened, known);
  const result = known.get(profile) ?? mend(opened.trace, profile);
  known.set(profile, result);
  return result;
}

/** `hard-failures-told` and `hard-failures-kip101` tell the same story. */
function sharedWords(a: string, b: string): number {
  const [one, other] = [a.split('-'), b.split('-')];
  const parting = one.findIndex((word, index) => word !== other[index]);
  return parting === -1 ? one.length : parting;
}

/** Does min.insync.replicas=2 save it? The implementation runs the schedule with it. */
function minIsrStop(opened: Opened): Stop[] {
  const isLoss = opened.property === 'AckedSurvives' || opened.property === 'CommittedSurvives';
  if (!isLoss || opened.config === null || opened.broken(opened.last) === null) return [];
  const already = opened.config.minIsr >= 2;
  let session = Session.begin(withConstants(opened.trace.constants ?? new Map(), { minIsr: 2 }));
  for (const action of opened.trace.actions.slice(1)) {
    const next = action === null ? null : session.take(stepOf(action)!);
    if (next === null) break;
    session = next;
  }
  const ran = session.steps.length === opened.last;
  const broken = ran && brokenAtEnd(session.trace(), opened.property ?? '');
  return [
    {
      opened,
      index: opened.last,
      kind: 'min-isr',
      question: already
        ? 'min.insync.replicas is 2 here: both replicas had the record when its producer was told. Is it safe?'
        : 'Would min.insync.replicas=2 have saved the record?',
      options: yesNo(!broken),
      outcome: broken
        ? 'The same schedule runs with min.insync.replicas=2, and the record is lost all the same.'
        : `With min.insync.replicas=2 the schedule ends after step ${session.steps.length}: the write is not taken.`,
      rule: 'whyNotWrite',
      misconception: broken ? 'min-isr' : null,
    },
  ];
}

function brokenAtEnd(trace: Trace, property: string): boolean {
  const shown = toObservation(trace.states.at(-1)!) as Parameters<typeof judge>[1];
  return judge(property, shown, shown as never) !== null;
}

/** The same schedule under the rule that is said to mend it. */
function otherRuleStop(opened: Opened, { mendedBy }: PageClaim): Stop[] {
  if (mendedBy === undefined) return [];
  const { outcome } = compare(opened.trace, mendedBy);
  return [
    {
      opened,
      index: opened.last,
      kind: 'other-rule',
      question: `The same faults, writes and elections under ${profileTitle(mendedBy)}: does it end well?`,
      options: yesNo(outcome.good, 'Yes, everything acknowledged is there', 'No, it breaks there too'),
      outcome: outcome.text,
      rule: null,
      misconception: null,
    },
  ];
}

/** What TLC found in all states within the bound. */
function verdictStop(claim: PageClaim, opened: Opened): Stop {
  const { states } = claim.counts;
  const many = states === undefined ? 'all states' : `all ${states.toLocaleString('en')} states`;
  return {
    opened,
    index: opened.last,
    kind: 'verdict',
    question: `${profileTitle(claim.profile)}; ${claim.bound}. TLC looks at ${many}. Is there one that breaks ${claim.property.join(' or ')}?`,
    options: yesNo(claim.verdict === 'violated'),
    outcome: `${claim.story} It is claimed to ${claim.verdict === 'holds' ? 'hold' : 'be violated'} within this bound, and TLC agrees.`,
    rule: null,
    misconception: null,
  };
}
