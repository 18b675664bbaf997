import { describe, expect, test } from 'vitest';
import { profiles } from '../../src/replica/index.ts';
import { asked, fetched, Story, type Told } from './story.ts';

const { kafka_0_10_2, kafka_2_0_1, kip101, kip320 } = profiles;

describe('data loss on fast restart (KIP-101 scenario 1, KAFKA-1211; spec/models/FastRestartTold.tla)', () => {
  const restart: Told[] = [
    ['Write', 'A', 'all'],
    ...fetched('A', 'B'),
    ['SendFetch', 'B'],
    ['HandleFetch', 'A', 'B'],
    ['Crash', 'B'],
    ['Restart', 'B'],
    ['BecomeFollower', 'B', 1],
  ];
  const leaderDies: Told[] = [
    ['Crash', 'A'],
    ['Elect', 'B'],
    ['BecomeLeader', 'B', 2],
  ];

  test('0.10.2 loses the acknowledged record', () => {
    const story = new Story(kafka_0_10_2);
    const acknowledged = restart.flatMap((step) => story.play(step).acknowledged);
    expect(acknowledged).toEqual([{ offset: 0, id: 1, acks: 'all' }]);
    expect(story.cluster.read('A', 0)).toEqual({ error: 'none', hw: 1, records: [{ id: 1, epoch: 1 }] });
    story.play(...leaderDies);
    expect(story.log('B')).toEqual([]);
    expect(story.cluster.read('B', 0)).toEqual({ error: 'none', hw: 0, records: [] });
  });

  test('KIP-101 keeps it, and it is read back', () => {
    const story = new Story(kip101);
    story.play(...restart, ...asked('A', 'B'), ...leaderDies);
    expect(story.log('B')).toEqual(['1@1']);
    expect(story.cluster.read('B', 0)).toEqual({ error: 'none', hw: 1, records: [{ id: 1, epoch: 1 }] });
    expect(story.at('B').epochCache).toEqual([
      { epoch: 1, start: 0 },
      { epoch: 2, start: 1 },
    ]);
  });

  test('KIP-101 keeps it also where the leader died before it could be asked', () => {
    const story = new Story(kip101);
    story.play(...restart, ...leaderDies);
    expect(story.log('B')).toEqual(['1@1']);
  });
});

describe('divergence after hard failures (KIP-101 scenario 2, KAFKA-3919; spec/models/HardFailuresTold.tla)', () => {
  const failures: Told[] = [
    ['Write', 'A', 'all'],
    ['Write', 'A', 'all'],
    ...fetched('A', 'B'),
    ...fetched('A', 'B'),
    ['PowerLoss', 'B', 1],
    ['PowerLoss', 'A', 2],
    ['Restart', 'B'],
    ['Elect', 'B'],
    ['BecomeLeader', 'B', 2],
    ['Write', 'B', 'all'],
    ['Restart', 'A'],
    ['BecomeFollower', 'A', 2],
  ];

  test('0.10.2 keeps a record that the leader does not have, for ever', () => {
    const story = new Story(kafka_0_10_2);
    story.play(...failures, ...fetched('B', 'A'));
    expect(story.log('A')).toEqual(['1@1', '2@1']);
    expect(story.log('B')).toEqual(['1@1', '3@2']);
  });

  test('KIP-101 cuts it, below the high watermark, and fetches the other', () => {
    const story = new Story(kip101);
    story.play(...failures);
    expect([story.at('A').hw, story.at('A').fetchState]).toEqual([2, 'truncating']);
    story.play(...asked('B', 'A'));
    expect([story.log('A'), story.at('A').hw]).toEqual([['1@1'], 1]);
    story.play(...fetched('B', 'A'));
    expect(story.log('A')).toEqual(['1@1', '3@2']);
    expect(story.log('B')).toEqual(['1@1', '3@2']);
    expect(story.at('A').epochCache).toEqual(story.at('B').epochCache);
  });
});

describe('fast leader change (KAFKA-6361)', () => {
  const changes: Told[] = [
    ['Write', 'A', '1'],
    ['Elect', 'B'],
    ['BecomeLeader', 'B', 2],
    ['Write', 'B', '1'],
    ['Elect', 'A'],
    ['BecomeLeader', 'A', 3],
    ['Write', 'A', '1'],
    ['BecomeFollower', 'B', 3],
    ...asked('A', 'B'),
  ];

  test('KIP-101 leaves two logs that differ at offset 0, KIP-279 of 2.0.1 does not', () => {
    const diverged = new Story(kip101);
    diverged.play(...changes, ...fetched('A', 'B'));
    expect([diverged.log('A'), diverged.log('B')]).toEqual([
      ['1@1', '3@3'],
      ['2@2', '3@3'],
    ]);

    const mended = new Story(kafka_2_0_1);
    mended.play(...changes, ...fetched('A', 'B'));
    expect(mended.log('B')).toEqual(['1@1', '3@3']);
  });
});

describe('the second round of KIP-279 (spec/models/SecondRoundTold.tla)', () => {
  test('A cuts to its own end of epoch 1, asks again, and agrees with B', () => {
    const story = new Story(kafka_2_0_1);
    story.play(['Write', 'A', 'all'], ...fetched('A', 'B'));
    story.play(['Elect', 'B'], ['BecomeLeader', 'B', 2], ['Write', 'B', 'all']);
    story.play(['Elect', 'A'], ['BecomeLeader', 'A', 3], ['Write', 'A', 'all']);
    story.play(['Elect', 'B'], ['BecomeLeader', 'B', 4], ['BecomeFollower', 'A', 4]);
    expect(story.log('A')).toEqual(['1@1', '3@3']);
    story.play(...asked('B', 'A'));
    expect([story.log('A'), story.at('A').fetchState]).toEqual([['1@1'], 'truncating']);
    story.play(...asked('B', 'A'));
    expect([story.log('A'), story.at('A').fetchState]).toEqual([['1@1'], 'fetching']);
    story.play(...fetched('B', 'A'));
    expect(story.log('A')).toEqual(['1@1', '2@2']);
  });
});

describe('what a consumer reads', () => {
  test('is below the high watermark of a leader', () => {
    const story = new Story(kip320);
    story.play(['Write', 'A', '1'], ...fetched('A', 'B'), ...fetched('A', 'B'), ['Write', 'A', '1']);
    expect(story.cluster.read('A', 0)).toEqual({ error: 'none', hw: 1, records: [{ id: 1, epoch: 1 }] });
    expect(story.cluster.read('A', 1)).toEqual({ error: 'none', hw: 1, records: [] });
    expect(story.cluster.read('A', 2)).toEqual({ error: 'none', hw: 1, records: [] });
    expect(story.cluster.read('A', 3)).toEqual({ error: 'OFFSET_OUT_OF_RANGE' });
    expect(story.cluster.read('A', -1)).toEqual({ error: 'OFFSET_OUT_OF_RANGE' });
    expect(story.cluster.read('B', 0)).toEqual({ error: 'NOT_LEADER' });
    story.play(['Crash', 'A']);
    expect(story.cluster.read('A', 0)).toEqual({ error: 'BROKER_NOT_AVAILABLE' });
  });
});
