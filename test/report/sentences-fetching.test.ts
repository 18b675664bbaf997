import { describe } from 'vitest';
import { tells } from './support.ts';

describe('a fetch', () => {
  tells([
    ['is sent', 'FastRestartTold', 5, 'SendFetch(B)', 'B asks A for records from offset 1 on, where its own log ends.'],
    [
      'brings records',
      'FastRestartTold',
      3,
      'HandleFetch(A, B)',
      "A gets B's fetch from offset 0. Its high watermark stays 0: as far as it knows, B has nothing yet. The reply carries m1, and high watermark 0.",
    ],
    [
      'moves the high watermark, and the reply does not know',
      'FastRestartTold',
      6,
      'HandleFetch(A, B)',
      "A gets B's fetch from offset 1. All in-sync replicas (A and B) have everything below offset 1, so A's high watermark becomes 1, on disk too: m1 is committed, and its producer is told that it is stored. The reply carries no records, and the high watermark as it was before, 0.",
    ],
    [
      'moves the high watermark, which is on disk later',
      'lazy-checkpoint-and-isr',
      26,
      'HandleFetch(A, B)',
      "A gets B's fetch from offset 3. All in-sync replicas (A and B) have everything below offset 3, so A's high watermark becomes 3 (on disk it is still 2): m3 is committed, and its producer is told that it is stored. The reply carries no records, and the high watermark as it was before, 2.",
    ],
    [
      'moves the high watermark, although the logs differ',
      'Kip101NotForEver',
      12,
      'HandleFetch(A, B)',
      "A gets B's fetch from offset 1. All in-sync replicas (A and B) have everything below offset 1, so A's high watermark becomes 1, on disk too: m1 is committed, and its producer is told that it is stored. But only offsets are compared: at offset 0 A has m1·e1 and B has m2·e2. The reply carries no records, and the high watermark as it was before, 0.",
    ],
    [
      'waits for another follower',
      'refused-for-the-epoch',
      3,
      'HandleFetch(A, B)',
      "A gets B's fetch from offset 0. Its high watermark stays 0: as far as it knows, B has nothing yet and C has not fetched from it yet. The reply carries m1, and high watermark 0.",
    ],
    [
      'of a follower that is not in sync',
      'unclean-election',
      23,
      'HandleFetch(B, A)',
      "B gets A's fetch from offset 1. A is not in sync, and does not count for the high watermark. The reply carries m3, and high watermark 2.",
    ],
    [
      'of an older epoch, that nobody compares',
      'counted-from-an-older-epoch',
      9,
      'HandleFetch(A, B)',
      "A gets B's fetch from offset 1. It does not see that B sent it in epoch e1, while it leads in e2. All in-sync replicas (A and B) have everything below offset 1, so A's high watermark becomes 1, on disk too: m1 is committed, and its producer is told that it is stored. The reply carries no records, and the high watermark as it was before, 0.",
    ],
    [
      'of an older epoch, refused',
      'refused-for-the-epoch',
      12,
      'HandleFetch(A, B)',
      "A gets B's fetch from offset 1. A refuses it (FENCED_LEADER_EPOCH): B sent it in epoch e1, and A leads in e2. First B has to hear of that.",
    ],
    [
      'from beyond the end',
      'out-of-range-halts',
      9,
      'HandleFetch(B, A)',
      "B gets A's fetch from offset 1, but its own log ends at 0: it answers OFFSET_OUT_OF_RANGE.",
    ],
  ]);
});

describe('a reply to a fetch', () => {
  tells([
    [
      'with records',
      'FastRestartTold',
      4,
      'HandleFetchResponse(B)',
      'B appends m1. Its high watermark stays 0, as the reply says.',
    ],
    [
      'with records and the high watermark',
      'unclean-election',
      24,
      'HandleFetchResponse(A)',
      'A appends m3. Its high watermark becomes 2, on disk too, as the reply says.',
    ],
    [
      'without records, with an old high watermark',
      'HardFailuresTold',
      8,
      'HandleFetchResponse(B)',
      "B gets no new records. Its high watermark stays 0, as the reply says, while A's is 2 by now.",
    ],
    [
      'without records, with a new high watermark',
      'high-watermark-goes-back',
      16,
      'HandleFetchResponse(C)',
      'C gets no new records. Its high watermark becomes 1, on disk too, as the reply says.',
    ],
    [
      'with a high watermark that goes back',
      'high-watermark-goes-back',
      25,
      'HandleFetchResponse(C)',
      'C gets no new records. Its high watermark goes back from 1 to 0, on disk too, as the reply says.',
    ],
    [
      'refused',
      'refused-for-the-epoch',
      13,
      'HandleFetchResponse(B)',
      'B learns that its fetch was refused (FENCED_LEADER_EPOCH), and will try again.',
    ],
    [
      'out of range: halts',
      'out-of-range-halts',
      10,
      'HandleFetchResponse(A)',
      "A's log ends at 1, B's at 0. A halts rather than cut its records: an unclean election must have happened, and it is not configured for one.",
    ],
    [
      'out of range: truncates',
      'out-of-range-truncates',
      10,
      'HandleFetchResponse(A)',
      "A's log ends at 1, B's at 0. A cuts its log to B's end. m1 is cut, although its producer was told that it is stored. No log has it any more. Its high watermark goes back from 1 to 0, on disk too.",
    ],
  ]);
});
