/** What each property of spec/LeaderEpoch.tla promises, in a sentence. */
export const PROPERTIES: Readonly<Record<string, string>> = {
  CommittedSurvives:
    'what the high watermark of an elected leader ever covered is in the log of every later one, unless its last in-sync copy was destroyed',
  CommittedSurvivesAnything:
    'what the high watermark of an elected leader ever covered is in the log of every later one, whatever happens',
  AckedSurvives:
    'a record whose producer (acks=all) was told that it is stored is in the log of every later leader, unless its last in-sync copy was destroyed',
  AckedByOneSurvives:
    'a record whose producer (acks=1) was told that it is stored is in the log of every later leader, unless it was destroyed',
  UnansweredIsGone: 'a record whose producer was never answered is not committed',
  UnansweredIsStored: 'a record whose producer was never answered is in the log of every later leader',
  FollowerAgrees: 'a follower that has finished its truncation has no other record at an offset than its leader has',
  AppendAgrees:
    'a follower that is sent records has, with these appended, no other record at an offset than its leader has',
  NoDivergence: 'below both high watermarks no two logs differ',
  LogMatching: 'two records with the same offset and epoch are the same, and so is all before them',
  EpochsMonotone: 'along a log epochs never go down, and none is from the future',
  CacheMatchesLog: 'the epoch cache gives each record the epoch that wrote it',
  CutsOnlyWhatDiverges: 'where a follower is told to cut its log, it cuts no record that its leader has too',
  RoundsProgress: 'a follower that has to ask again has fewer records or fewer epochs by then',
  NoPhantom: 'what a consumer reads from a leader at an offset, no later read contradicts',
  NoPhantomFromFollower: 'what a consumer reads from a follower below its high watermark, no other read contradicts',
  NoPhantomAtLogEnd:
    'what a leader has beyond its high watermark, no read contradicts: what a consumer would need to read it',
  ResumesOnItsPast: 'a consumer that goes on from its offset has read what the new leader has before that',
  ResumesOnItsPastOrIsTold:
    'a consumer that goes on from its offset has read what the new leader has before that, or is told',
  Refines:
    'users see one log that only grows: every read is answered from it, and what a producer was told is stored is in it',
  TruncationEndsProp: 'a follower whose leader stays gets through its truncation',
  CatchesUpProp: 'a follower whose leader stays comes to have its log',
  ProducersAreAnsweredProp: 'a producer that waits at a leader that stays is answered',
  JoinsIsrProp: 'a follower whose leader stays comes to be in sync',
};
