/** What each property of spec/LeaderEpoch.tla promises, in a sentence. */
export const PROPERTIES: Readonly<Record<string, string>> = {
  CommittedSurvives:
    'what the high watermark of an elected leader ever covered is in the log of every later one, unless its last in-sync copy was destroyed',
  CommittedSurvivesAnything:
    'what the high watermark of an elected leader ever covered is in the log of every later one, whatever happens',
  AckedSurvives:
    'a record whose producer (acks=all) was told that it is stored is in the log of every later leader, unless its last in-sync copy was destroyed',
  FollowerAgrees: 'a follower that has finished its truncation has no other record at an offset than its leader has',
  AppendAgrees: 'a follower that is sent records, to append them, has no other record at an offset than its leader has',
  NoDivergence: 'below both high watermarks no two logs differ',
  LogMatching: 'two records with the same offset and epoch are the same, and so is all before them',
  EpochsMonotone: 'along a log epochs never go down, and none is from the future',
  CacheMatchesLog: 'the epoch cache gives each record the epoch that wrote it',
};
