import { describe } from 'vitest';
import { tells } from './support.ts';

describe('machines and disks', () => {
  tells([
    [
      'a follower crashes',
      'FastRestartTold',
      7,
      'Crash(B)',
      "B crashes. Its log is on disk and stays. A's reply to B's fetch is lost with the connection.",
    ],
    [
      'the leader crashes, with the only copy',
      'FastRestartTold',
      10,
      'Crash(A)',
      'A, the leader, crashes. Its log is on disk and stays. m1 is on no live replica now, although its producer was told that it is stored.',
    ],
    [
      'power goes, with the end of the log',
      'HardFailuresTold',
      9,
      'PowerLoss(B, 1)',
      'B loses power and keeps 1 of 2 records: the rest had not reached the disk. m2 is gone, although its producer was told that it is stored. A still has it.',
    ],
    [
      'power goes, all is on disk',
      'HardFailuresTold',
      10,
      'PowerLoss(A, 2)',
      'A, the leader, loses power. Its whole log had reached the disk. m1 and m2 are on no live replica now, although their producers were told that they are stored.',
    ],
    [
      'power goes, with the whole log',
      'EmptiedLeader',
      7,
      'PowerLoss(B, 0)',
      "B loses power. Nothing of its log had reached the disk. m1 is gone, although its producer was told that it is stored. A still has it. A's reply to B's fetch is lost with the connection.",
    ],
    [
      'power goes, with the last copy',
      'last-copy-destroyed',
      4,
      'PowerLoss(A, 1)',
      'A, the leader, loses power and keeps 1 of 2 records: the rest had not reached the disk. m2 is gone, although its producer was told that it is stored. No log has it any more. That was the last in-sync copy: no protocol could keep m2. m1 is on no live replica now, although its producer was told that it is stored.',
    ],
    [
      'a restart',
      'FastRestartTold',
      8,
      'Restart(B)',
      'B starts again. Its log ends at 1, and the high watermark on disk is 0.',
    ],
    [
      'a restart with epochs that have no record',
      'EmptiedLeader',
      8,
      'Restart(B)',
      'B starts again. Its log ends at 0, and the high watermark on disk is 0. Epochs without a record go from its cache: e1.',
    ],
    [
      'a restart with a high watermark past the end',
      'high-watermark-past-the-end',
      14,
      'Restart(B)',
      'B starts again. Its log ends at 1, so its high watermark is 1 too, although 2 is on disk.',
    ],
    [
      'a restart that the controller missed',
      'same-epoch-resumed',
      6,
      'Restart(A)',
      'A starts again. Its log ends at 0, and the high watermark on disk is 0. Epochs without a record go from its cache: e1. The controller has missed that it was away, and lets it lead on in epoch e1 (KAFKA-1120).',
    ],
    [
      'a checkpoint',
      'lazy-checkpoint-and-isr',
      4,
      'CheckpointHighWatermark(A)',
      'A writes its high watermark to disk: 2, where 0 was.',
    ],
    [
      'a flush',
      'lazy-checkpoint-and-isr',
      21,
      'Flush(A)',
      'A flushes its log: m1, m2 and m3 would survive a loss of power now.',
    ],
    [
      'a request is lost',
      'lazy-checkpoint-and-isr',
      6,
      'LoseMessage(B)',
      "A connection breaks: B's fetch from offset 0 is lost, and B will try again.",
    ],
    [
      'a reply is lost',
      'lazy-checkpoint-and-isr',
      9,
      'LoseMessage(B)',
      "A connection breaks: A's reply to B's fetch is lost, and B will try again.",
    ],
  ]);
});
