import { profileTitle } from './names.ts';
import type { Opened } from './opened.ts';

/** What it comes to when a property is broken, for whoever has never heard of it. */
const ENDS: Readonly<Record<string, string>> = {
  CommittedSurvives: 'a committed record is lost',
  CommittedSurvivesAnything: 'a committed record is lost',
  AckedSurvives: 'an acknowledged record is lost',
  FollowerAgrees: 'two logs differ, and stay so',
  AppendAgrees: 'a follower is sent records that its leader does not have there',
  NoDivergence: 'two replicas show consumers different records at one offset',
  LogMatching: 'one offset and one epoch stand for two records',
  EpochsMonotone: 'epochs go down along a log',
  CacheMatchesLog: 'an epoch cache is wrong about its log',
  CutsOnlyWhatDiverges: 'a follower is told to cut records that its leader has',
  RoundsProgress: 'a round of questions comes to nothing',
  NoPhantom: 'a consumer has read what is not there any more',
  NoPhantomFromFollower: 'a consumer of a follower can read what was never committed',
  NoPhantomAtLogEnd: 'a consumer that read up to the log end would have read what is cut',
  ResumesOnItsPast: 'a consumer goes on in another log and does not know',
  Refines: 'the log that users see is cut or rewritten',
  TruncationEndsProp: 'a follower asks for ever',
  CatchesUpProp: 'a follower waits for ever',
  ProducersAreAnsweredProp: 'a producer waits for ever',
  JoinsIsrProp: 'a follower is never in sync',
};

/** What somebody is about to see, in a sentence. Null: nobody knows. */
export function goalOf(opened: Opened): string | null {
  if (opened.property === null || opened.config === null) return null;
  const end = ENDS[opened.property] ?? `${opened.property} is broken`;
  const rules = opened.shape().rules;
  const rule =
    rules === undefined
      ? ruleText(opened.profile)
      : Object.entries(rules)
          .map(([id, name]) => `${id} runs ${name}`)
          .join(', ');
  const count = opened.last === 1 ? 'one step' : `${opened.last} steps`;
  return `${rule}. In ${count}, ${end}.`;
}

/** A rule by itself has no name that anybody knows. */
function ruleText(profile: string): string {
  const title = profileTitle(profile);
  return /^(Kafka_|Kip\d)/.test(profile) ? title : `The rule “${title.charAt(0).toLowerCase()}${title.slice(1)}”`;
}
