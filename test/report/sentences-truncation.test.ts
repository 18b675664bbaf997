import { describe } from 'vitest';
import { tells } from './support.ts';

describe('a replica becomes follower', () => {
  tells([
    [
      'and cuts to its own high watermark',
      'FastRestartTold',
      9,
      'BecomeFollower(B, 1)',
      'B hears that A leads in epoch e1. Asking nobody, it cuts its log to its own high watermark, 0. m1 is cut, although its producer was told that it is stored. A still has it.',
    ],
    [
      'its high watermark is as high as its log',
      'HardFailuresTold',
      16,
      'BecomeFollower(A, 2)',
      'A hears that B leads in epoch e2. Its log ends at 2 and its own high watermark is 2, so it cuts nothing, and asks nobody. A does not notice that at offset 1 A has m2·e1 and B has m3·e2.',
    ],
    [
      'and will ask',
      'FastRestartToldKip101',
      9,
      'BecomeFollower(B, 1)',
      'B hears that A leads in epoch e1. Before it fetches it will ask A where to cut its log.',
    ],
    [
      'a leader steps down',
      'FastLeaderChange',
      7,
      'BecomeFollower(B, 3)',
      'B hears that A leads in epoch e3 and stops leading. The producer of m2, still waiting, gets an error. Before it fetches it will ask A where to cut its log.',
    ],
    [
      'of the same leader, and goes on',
      'same-leader-and-not-leader',
      7,
      'BecomeFollower(B, 2)',
      'B hears that A leads on, in epoch e2. To it this is the same leader, so it goes on where it was and cuts nothing.',
    ],
    [
      'of the same leader, and starts anew',
      'refused-for-the-epoch',
      14,
      'BecomeFollower(B, 2)',
      'B hears that A leads on, in epoch e2. Before it fetches it will ask A where to cut its log.',
    ],
  ]);
});

describe('the question', () => {
  tells([
    [
      'for its latest epoch',
      'FastRestartToldKip101',
      10,
      'SendOffsetsForLeaderEpoch(B)',
      'B asks A where epoch e1 ends, the latest that it has.',
    ],
    [
      'without any epoch',
      'no-epoch-on-either-side',
      6,
      'SendOffsetsForLeaderEpoch(B)',
      'B has no epoch in its cache. It asks A all the same where to cut its log, for epoch -1.',
    ],
  ]);
});

describe('the answer', () => {
  tells([
    [
      'the latest epoch: the log end',
      'FastRestartToldKip101',
      11,
      'HandleOffsetsForLeaderEpoch(A, B)',
      "A gets B's question about e1. That is its own latest epoch, so it answers with its log end, 1.",
    ],
    [
      'an older one that it had',
      'HardFailuresToldKip101',
      18,
      'HandleOffsetsForLeaderEpoch(B, A)',
      "B gets A's question about e1. In its log e1 ends at 1, and so it answers.",
    ],
    [
      'one that it never had, as an offset only',
      'FastLeaderChange',
      9,
      'HandleOffsetsForLeaderEpoch(A, B)',
      "A gets B's question about e2. It never had e2. It answers 1, where its next higher epoch e3 begins, and does not say whose records are below.",
    ],
    [
      'one that it never had, with the epoch below',
      'SecondRoundTold',
      15,
      'HandleOffsetsForLeaderEpoch(B, A)',
      "B gets A's question about e3. It never had e3. The largest epoch below that it had is e2, which ends at 2: it answers with both.",
    ],
    [
      'below its first entry, unknown',
      'EmptiedLeader',
      14,
      'HandleOffsetsForLeaderEpoch(B, A)',
      `B gets A's question about e1. B's epoch cache begins with e2, so of e1 it knows nothing: the answer is "unknown" (-1).`,
    ],
    [
      'below its first entry, since 2.0.1',
      'emptied-leader-answers-its-first-start',
      11,
      'HandleOffsetsForLeaderEpoch(B, A)',
      "B gets A's question about e1. It never had e1. Its first epoch e2 begins at 0, so e1 ends there: it answers 0.",
    ],
    [
      'newer than its latest',
      'Kip279Unfenced',
      12,
      'HandleOffsetsForLeaderEpoch(A, B)',
      `A gets B's question about e2. A's latest epoch is e1, so e2 is news to it: the answer is "unknown" (-1).`,
    ],
    [
      'with an empty cache',
      'leader-without-any-epoch',
      6,
      'HandleOffsetsForLeaderEpoch(B, A)',
      `B gets A's question about e1. B's epoch cache is empty: the answer is "unknown" (-1).`,
    ],
    [
      'no epoch',
      'joins-below-the-epoch-start',
      10,
      'HandleOffsetsForLeaderEpoch(B, C)',
      `B gets C's question about epoch -1, which is none. Nothing can be said of that: the answer is "unknown" (-1).`,
    ],
    [
      'no epoch, answered all the same',
      'no-epoch-on-either-side',
      7,
      'HandleOffsetsForLeaderEpoch(A, B)',
      `A gets B's question about epoch -1, which is none. Its own cache is empty too, and it takes "none" for its latest epoch: it answers with its log end, 0 (KAFKA-6857).`,
    ],
    [
      'refused by one that does not lead',
      'refused-for-the-epoch',
      19,
      'HandleOffsetsForLeaderEpoch(B, C)',
      "B gets C's question about e1. B refuses it (NOT_LEADER): as far as B knows, it does not lead.",
    ],
    [
      'refused by one that knows less',
      'refused-for-the-epoch',
      24,
      'HandleOffsetsForLeaderEpoch(A, C)',
      "A gets C's question about e1. A refuses it (UNKNOWN_LEADER_EPOCH): C sent it in epoch e4, of which A has not heard yet.",
    ],
  ]);
});

describe('the truncation', () => {
  tells([
    [
      'to the answer, nothing to cut',
      'FastRestartToldKip101',
      12,
      'HandleOffsetsForLeaderEpochResponse(B)',
      'B takes the answer for the offset to cut to: 1. Its log ends at 1, so nothing is cut.',
    ],
    [
      'to the answer, below the high watermark, which follows',
      'HardFailuresToldKip101',
      19,
      'HandleOffsetsForLeaderEpochResponse(A)',
      'A takes the answer for the offset to cut to: 1. That is below its own high watermark, 2. m2 is cut, although its producer was told that it is stored. No log has it any more. Its high watermark goes back from 2 to 1, on disk too.',
    ],
    [
      'to the answer, below the high watermark, which stays',
      'high-watermark-past-the-end',
      22,
      'HandleOffsetsForLeaderEpochResponse(A)',
      'A takes the answer for the offset to cut to: 1. That is below its own high watermark, 2. m2 is cut, although its producer was told that it is stored. No log has it any more. Its high watermark stays 2, past the end of its log.',
    ],
    [
      'to the answer, and the logs stay forked',
      'FastLeaderChange',
      10,
      'HandleOffsetsForLeaderEpochResponse(B)',
      'B takes the answer for the offset to cut to: 1. Its log ends at 1, so nothing is cut. B does not notice that at offset 0 B has m2·e2 and A has m1·e1.',
    ],
    [
      'unknown: to the high watermark, nothing to cut',
      'EmptiedLeader',
      15,
      'HandleOffsetsForLeaderEpochResponse(A)',
      'B knows nothing, so A falls back to its own high watermark, 1. Its log ends at 1, so nothing is cut. A does not notice that at offset 0 A has m1·e1 and B has m2·e2.',
    ],
    [
      'unknown: to the high watermark, which cuts',
      'Kip279Unfenced',
      13,
      'HandleOffsetsForLeaderEpochResponse(B)',
      'A knows nothing, so B falls back to its own high watermark, 0. m1 is cut, although its producer was told that it is stored. A still has it.',
    ],
    [
      'an epoch that it never had: a second round',
      'SecondRoundTold',
      16,
      'HandleOffsetsForLeaderEpochResponse(A)',
      'B speaks of e2, which A never had. A goes back to where its own next lower epoch ends, 1. m3 is cut. Then it asks again, for that older epoch.',
    ],
    [
      'an epoch that both had',
      'SecondRoundTold',
      19,
      'HandleOffsetsForLeaderEpochResponse(A)',
      "In B's log e1 ends at 1, in A's own at 1, and the smaller one counts. Its log ends at 1, so nothing is cut.",
    ],
    [
      'an epoch that its own cache says nothing of',
      'Kip279AsReleased',
      11,
      'HandleOffsetsForLeaderEpochResponse(B)',
      "B's own cache says nothing of e1, so B takes the answer for the offset to cut to: 1. Its log ends at 1, so nothing is cut. B does not notice that at offset 0 B has m2·e2 and A has m1·e1.",
    ],
    [
      'an epoch before its own log',
      'own-log-begins-later',
      10,
      'HandleOffsetsForLeaderEpochResponse(B)',
      "B's own log begins with e2, so of e1 it has nothing, and cuts to 0. m2 is cut.",
    ],
    [
      'the question was refused',
      'refused-for-the-epoch',
      20,
      'HandleOffsetsForLeaderEpochResponse(C)',
      'C learns that its question was refused (NOT_LEADER), and will ask again.',
    ],
  ]);
});
