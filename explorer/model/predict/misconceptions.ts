/** What is often believed, and where the page asks about it. `id`s are those of the questions' `misconception`. */
export interface Misconception {
  readonly id: string;
  /** As people say it. */
  readonly belief: string;
  readonly truth: string;
  readonly source: string;
  /** The claim among whose questions it is. */
  readonly claim: string;
}

export const MISCONCEPTIONS: readonly Misconception[] = [
  {
    id: 'reply-hw',
    belief: 'The reply to a fetch brings the leader’s newest high watermark.',
    truth: 'It was read before the fetch was counted: a follower’s high watermark lags by a fetch.',
    source: 'ReplicaManager.fetchMessages; KIP-101',
    claim: 'fast-restart-told',
  },
  {
    id: 'own-hw',
    belief: 'Cutting to one’s own high watermark is safe: what is above it was not committed.',
    truth: 'The leader’s high watermark is ahead. What the follower cuts may be committed, and acknowledged.',
    source: 'KIP-101, scenario 1; KAFKA-1211',
    claim: 'fast-restart-told',
  },
  {
    id: 'unclean',
    belief: 'Only an unclean election loses what was acknowledged.',
    truth: 'The elected replica was alive and in the ISR. The ISR does not say what a follower has cut.',
    source: 'KIP-101',
    claim: 'fast-restart-loss',
  },
  {
    id: 'min-isr',
    belief: 'min.insync.replicas=2 would have saved it.',
    truth: 'Both replicas had the record when it was acknowledged. One of them cut it later.',
    source: 'KIP-101',
    claim: 'min-isr-alone',
  },
  {
    id: 'below-hw',
    belief: 'A follower must never cut below its own high watermark.',
    truth: 'After a loss of power it has to: its leader never had those records.',
    source: 'KIP-101, scenario 2; KAFKA-3919',
    claim: 'hard-failures-kip101',
  },
  {
    id: 'next-epoch',
    belief: 'KIP-279 made the leader answer an unknown epoch with the start of the next higher one.',
    truth: 'KIP-101’s code did that already. KIP-279 added whose end it is, and a second round.',
    source: 'KAFKA-6361; LeaderEpochFileCache.endOffsetFor at 1.1.1',
    claim: 'fast-leader-change',
  },
  {
    id: 'kip101-enough',
    belief: 'With KIP-101 no committed record is lost any more.',
    truth: 'Not with two elections; with a third one it is.',
    source: 'KAFKA-6361',
    claim: 'kip101-not-for-ever',
  },
  {
    id: 'one-round',
    belief: 'One answer is enough to know where to cut.',
    truth: 'A follower that never had the epoch of the answer goes back to its own end below it, and asks again.',
    source: 'KIP-279',
    claim: 'second-round',
  },
  {
    id: 'as-released',
    belief: 'KIP-279 mended it in 2.0.0.',
    truth:
      'Where leader and follower share no older epoch, 2.0.0 still takes the offset of a stranger. 2.0.1 does not.',
    source: 'KAFKA-7415',
    claim: 'kip279-as-released',
  },
  {
    id: 'fencing',
    belief: 'Once answers carry epochs, requests need none.',
    truth: 'A leader that has not heard of its election, or a follower that has not, is believed all the same.',
    source: 'KIP-320; KAFKA-7395',
    claim: 'kip279-unfenced',
  },
  {
    id: 'on-disk',
    belief: 'acks=all means that the record is on disk.',
    truth: 'It means that the in-sync replicas have it in their logs; what was not flushed goes with the power.',
    source: 'KIP-966',
    claim: 'power-loss-takes-all',
  },
  {
    id: 'in-memory',
    belief: 'Leader epochs could be kept in memory; the file on disk is for speed.',
    truth:
      'Whoever restarts has then no epoch to ask about, and cuts to its high watermark: the loss that epochs are for.',
    source: 'KIP-101; LeaderEpochFileCache',
    claim: 'epochs-in-memory',
  },
  {
    id: 'replaces-hw',
    belief: 'With leader epochs nobody needs the high watermark any more.',
    truth:
      'Epochs tell a follower what to cut. What may be cut, and must not be read before, only the high watermark tells.',
    source: 'KIP-101',
    claim: 'phantom-at-log-end',
  },
  {
    id: 'leader-hw',
    belief: 'A follower has only to ask for its leader’s high watermark, and cut to that.',
    truth: 'A new leader’s high watermark lags as well: it was a follower until now.',
    source: 'KIP-101, “Alternate Solutions”',
    claim: 'leader-high-watermark',
  },
  {
    id: 'delayed-hw',
    belief: 'It would do if the leader’s high watermark waited until followers know of it.',
    truth: 'With one election it does. With a second one a committed record is lost all the same.',
    source: 'KIP-101, “Alternate Solutions”',
    claim: 'delayed-high-watermark-twice',
  },
  {
    id: 'join-hw',
    belief: 'A follower that has reached the high watermark is in sync.',
    truth: 'A new leader’s high watermark may be below what was committed before it. The start of its epoch is not.',
    source: 'KAFKA-7128',
    claim: 'join-at-high-watermark',
  },
  {
    id: 'same-leader',
    belief: 'If the leader is the same as before, its log is too.',
    truth: 'It may have followed another one in an epoch that this follower missed, and have cut its log.',
    source: 'KAFKA-7164',
    claim: 'same-leader',
  },
  {
    id: 'same-epoch',
    belief: 'The same offset and the same epoch: the same record.',
    truth: 'Only if nobody leads twice in one epoch. A leader that comes back with less, unnoticed, does.',
    source: 'KAFKA-1120; KIP-380',
    claim: 'resumed-epoch',
  },
  {
    id: 'late-reply',
    belief: 'A reply that was asked for in an earlier epoch is thrown away.',
    truth: 'Where followers truncate inside Fetch, only its offset is looked at.',
    source: 'KAFKA-18723',
    claim: 'late-records-cache',
  },
  {
    id: 'proposed-isr',
    belief: 'A leader may count on the smaller ISR as soon as it has asked for it.',
    truth: 'Until the controller confirms, it may have elected the replica that was to be left out.',
    source: 'KIP-497',
    claim: 'counts-proposed-isr',
  },
  {
    id: 'offset-alone',
    belief: 'An offset is all that a consumer needs to go on.',
    truth: 'After an unclean election there is another record at that offset. With its epoch the consumer is told.',
    source: 'KIP-320; KAFKA-6880',
    claim: 'consumer-unaware',
  },
  {
    id: 'epoch-file',
    belief: 'When a log is cut, its epochs are gone from the disk as well.',
    truth: 'Since 3.8 the file is written later; a crash before that brings the epochs of cut records back.',
    source: 'KAFKA-15046',
    claim: 'epoch-file-later',
  },
];
