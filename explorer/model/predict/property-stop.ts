import { stepOf } from '../../../src/replay/index.ts';
import { nextText } from '../labels.ts';
import type { Opened } from '../opened.ts';
import { ruleOf } from './rule.ts';
import { type Stop, yesNo } from './stop.ts';

/** What a property asks of the state that a trace ends in. */
const QUESTIONS: Readonly<Record<string, string>> = {
  CommittedSurvives: 'Does the leader have then all that was ever committed?',
  CommittedSurvivesAnything: 'Does the leader have then all that was ever committed?',
  AckedSurvives: 'Does the leader have then all that producers were told is stored?',
  FollowerAgrees: 'Do follower and leader have the same records then, as far as both logs go?',
  AppendAgrees: 'The follower will append what the reply brings. Does it have the same records as its leader then?',
  NoDivergence: 'Below the high watermarks, do the logs have the same records then?',
  LogMatching: 'One offset and one epoch: is it the same record in both logs then?',
  EpochsMonotone: 'Along each log, do epochs only grow then?',
  CacheMatchesLog: 'Does each epoch cache say then which epoch wrote each record?',
  CutsOnlyWhatDiverges: 'What the follower has been told to cut: is it only what its leader does not have?',
  NoPhantom: 'If a consumer reads an offset again, does it read the same record then?',
  NoPhantomFromFollower: 'Can a consumer that reads from the follower trust what it reads then?',
  NoPhantomAtLogEnd:
    'Say that consumers read up to the leader’s log end and not to its high watermark, for epochs tell what is cut. Would they have read nothing but what stays?',
  ResumesOnItsPast: 'A consumer goes on from its offset. Has it read what the new leader has before that?',
  Refines: 'Users see one log, looked up at the elected replica. Is all that anybody has read still in it?',
  TruncationEndsProp: 'Will the follower ever get through its truncation?',
  CatchesUpProp: 'Will the follower ever come to have its leader’s log?',
  ProducersAreAnsweredProp: 'Will the producer that waits ever be answered?',
  JoinsIsrProp: 'Will the follower ever be in sync?',
};

/** Beliefs that the last step of a claim's trace contradicts. */
const BELIEFS: Readonly<Record<string, string>> = {
  'phantom-at-log-end': 'replaces-hw',
  'consumer-unaware': 'offset-alone',
  'resumed-epoch': 'same-epoch',
  'late-records-cache': 'late-reply',
};

/** The last step decides whether the property of the trace is kept. Null: it has none, or none that is asked about. */
export function propertyStop(opened: Opened, sources: Readonly<Record<string, string>>): Stop | null {
  const index = opened.last;
  const action = index > 0 ? opened.action(index) : null;
  const step = action === null ? null : stepOf(action);
  if (step === null || opened.property === null) return null;
  const question = QUESTIONS[opened.property] ?? `Does ${opened.property} hold then?`;
  const { broken: seen, lines } = opened.conclusion();
  // What no state shows, TLC has found.
  const broken = seen ?? opened.claim?.verdict === 'violated';
  const rule = step.action.charAt(0).toLowerCase() + step.action.slice(1);
  const { loop } = opened.trace;
  const goesOn = loop === undefined ? '' : ` From here on it all comes again from step ${loop}.`;
  return {
    opened,
    index,
    kind: 'property',
    question: `${nextText(step, opened, index - 1)}${goesOn} ${question}`,
    options: yesNo(!broken),
    outcome: [opened.sentence(index), ...lines].join(' '),
    rule: ruleOf(rule, sources) === null ? null : rule,
    misconception: broken ? (BELIEFS[opened.claim?.claim ?? ''] ?? null) : null,
  };
}
