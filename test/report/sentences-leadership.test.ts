import { describe } from 'vitest';
import { tells } from './support.ts';

describe('writes', () => {
  tells([
    [
      'acks=all waits for the followers',
      'FastRestartTold',
      1,
      'Write(A, all)',
      'A client writes m1 to A, which appends it at offset 0 in epoch e1. The producer (acks=all) has to wait until B has it too.',
    ],
    [
      'acks=1 is answered at once',
      'same-epoch-resumed',
      1,
      'Write(A, 1)',
      'A client writes m1 to A, which appends it at offset 0 in epoch e1. The producer (acks=1) is told at once that m1 is stored; no follower has it yet.',
    ],
    [
      'acks=all with nobody else in sync',
      'HardFailuresTold',
      14,
      'Write(B, all)',
      "A client writes m3 to B, which appends it at offset 1 in epoch e2. B is the only in-sync replica, so B's high watermark becomes 2, on disk too: m3 is committed, and its producer is told that it is stored.",
    ],
    [
      'acks=1 moves the high watermark, but is told once',
      'unclean-election',
      16,
      'Write(B, 1)',
      "A client writes m3 to B, which appends it at offset 1 in epoch e3. The producer (acks=1) is told at once that m3 is stored; no follower has it yet. B is the only in-sync replica, so B's high watermark becomes 2, on disk too: m3 is committed.",
    ],
    [
      'to a leader that was replaced',
      'same-leader-and-not-leader',
      10,
      'Write(A, all)',
      'A client writes m2 to A, which appends it at offset 1 in epoch e2. The producer (acks=all) has to wait until B has it too. A does not know yet that B leads in epoch e3.',
    ],
  ]);
});

describe('elections', () => {
  tells([
    [
      'the old leader is down',
      'FastRestartTold',
      11,
      'Elect(B)',
      'The controller elects B for epoch e2: it is alive and in sync. A, which is down, leaves the ISR. In sync now: B. B does not have m1, although its producer was told that it is stored. An election does not look at logs.',
    ],
    [
      'the old leader is alive',
      'FastLeaderChange',
      2,
      'Elect(B)',
      'The controller elects B for epoch e2: it is alive and in sync. A, which led before, is alive and has not heard of it.',
    ],
    [
      'the same leader again, without a dead follower',
      'refused-for-the-epoch',
      9,
      'Elect(A)',
      'The controller elects A again for epoch e2: it is alive and in sync. C, which is down, leaves the ISR. In sync now: A and B.',
    ],
    [
      'a replica that lacks a committed record',
      'NoUncleanElectionNeeded',
      10,
      'Elect(B)',
      'The controller elects B for epoch e2: it is alive and in sync. A, which led before, is alive and has not heard of it. B does not have m1, although its producer was told that it is stored. An election does not look at logs.',
    ],
    [
      'unclean',
      'unclean-election',
      14,
      'ElectUnclean(B)',
      'No in-sync replica (A) is up, so the controller elects B all the same, uncleanly, for epoch e3. What was committed and B does not have is given up: m2.',
    ],
    [
      'nobody left',
      'unclean-election',
      12,
      'PartitionOffline()',
      'All in-sync replicas (A) are down: in epoch e2 the partition has no leader, until one of them returns.',
    ],
  ]);
});

describe('a replica becomes leader', () => {
  tells([
    [
      'alone in sync, without a committed record',
      'FastRestartTold',
      12,
      'BecomeLeader(B, 2)',
      'B hears that it leads in epoch e2, and takes its log as it is, up to offset 0. B does not have m1, although its producer was told that it is stored.',
    ],
    [
      'alone in sync: what it has is committed',
      'FastRestartToldKip101',
      15,
      'BecomeLeader(B, 2)',
      "B hears that it leads in epoch e2, and takes its log as it is, up to offset 1. It notes that e2 begins at 1. B is the only in-sync replica, so B's high watermark becomes 1, on disk too: m1 is committed.",
    ],
    [
      'with others in sync',
      'SecondRoundTold',
      6,
      'BecomeLeader(B, 2)',
      'B hears that it leads in epoch e2, and takes its log as it is, up to offset 1. It notes that e2 begins at 1. Its high watermark stays 0 until A has fetched from it.',
    ],
    [
      'its epoch is noted only with a record',
      'Kip279AsReleased',
      3,
      'BecomeLeader(B, 2)',
      'B hears that it leads in epoch e2, and takes its log as it is, up to offset 0. It will note e2 only with its first record.',
    ],
    [
      'in place of an epoch without a record',
      'elected-twice-without-a-record',
      5,
      'BecomeLeader(B, 4)',
      'B, which has not stopped leading since e2, hears that it leads in epoch e4. In sync now: A and B. It notes that e4 begins at 0, in place of e2.',
    ],
    [
      'it led before',
      'FastLeaderChange',
      6,
      'BecomeLeader(A, 3)',
      'A, which has not stopped leading since e1, hears that it leads in epoch e3. In sync now: A and B. It notes that e3 begins at 1. Its high watermark stays 0 until B has fetched from it.',
    ],
    [
      'its fetcher had a message under way',
      'Kip279Unfenced',
      8,
      'BecomeLeader(B, 2)',
      "B hears that it leads in epoch e2, and takes its log as it is, up to offset 1. A's reply to B's fetch is no longer waited for. It notes that e2 begins at 1. Its high watermark stays 0 until A has fetched from it.",
    ],
    [
      'by old news',
      'refused-for-the-epoch',
      26,
      'BecomeLeader(B, 3)',
      'B hears that it leads in epoch e3, and takes its log as it is, up to offset 1. That is old news: A leads in epoch e4. It notes that e3 begins at 1. Its high watermark stays 0 until A has fetched from it.',
    ],
    [
      'in an epoch that is used twice',
      'same-epoch-resumed',
      7,
      'BecomeLeader(A, 1)',
      'A hears that it leads in epoch e1, and takes its log as it is, up to offset 0. That epoch was used before: B has records of it. It notes that e1 begins at 0.',
    ],
  ]);
});

describe('the in-sync replicas', () => {
  tells([
    [
      'one that lags leaves, and min.insync.replicas is missed',
      'lazy-checkpoint-and-isr',
      3,
      'ShrinkIsr(A, B)',
      `B lags behind, and A takes it out of the ISR. In sync now: A. A is the only in-sync replica, so A's high watermark becomes 2 (on disk it is still 0): m1 and m2 are committed, and the producer of m2 is told "not enough replicas" (min.insync.replicas).`,
    ],
    [
      'one that lags leaves, and the high watermark follows',
      'out-of-range-halts',
      2,
      'ShrinkIsr(A, B)',
      "B lags behind, and A takes it out of the ISR. In sync now: A. A is the only in-sync replica, so A's high watermark becomes 1, on disk too: m1 is committed, and its producer is told that it is stored.",
    ],
    [
      'one that is down leaves',
      'unclean-election',
      9,
      'ShrinkIsr(A, B)',
      'B is down, and A takes it out of the ISR. In sync now: A.',
    ],
    [
      'one that has caught up joins',
      'lazy-checkpoint-and-isr',
      19,
      'ExpandIsr(A, B)',
      "B has fetched up to 2 and A's high watermark is 2: B joins the ISR. In sync now: A and B.",
    ],
    [
      'one joins below the start of the epoch',
      'joins-below-the-epoch-start',
      14,
      'ExpandIsr(B, C)',
      "C has fetched up to 0 and B's high watermark is 0: C joins the ISR. In sync now: A, B and C. Nobody asks whether it has all that was there when B's epoch began at 1 (KAFKA-7128).",
    ],
  ]);
});
