import { describe, expect, test } from 'vitest';
import { profiles } from '../../src/replica/index.ts';
import { fetched, Story } from './story.ts';

const { kafka_0_10_2, kip320 } = profiles;

/** A has two records that B has too, and both know that they are committed. */
function committed(config = {}): Story {
  const story = new Story(kip320, config);
  story.play(['Write', 'A', 'all'], ['Write', 'A', 'all'], ...fetched('A', 'B'), ...fetched('A', 'B'));
  story.play(...fetched('A', 'B'));
  return story;
}

describe('crash and restart', () => {
  test('a crash throws the memory away, and the connections', () => {
    const story = committed();
    story.play(['SendFetch', 'B'], ['Crash', 'A']);
    expect(story.cluster.observe().network).toEqual([]);
    expect(story.cluster.observe().replicas.A).toEqual({
      incarnation: 0,
      disk: {
        log: [
          { id: 1, epoch: 1 },
          { id: 2, epoch: 1 },
        ],
        flushed: 0,
        epochCache: [{ epoch: 1, start: 0 }],
        epochFile: [{ epoch: 1, start: 0 }],
        checkpoint: 2,
      },
      memory: {
        role: 'down',
        leaderEpoch: 0,
        leader: 'none',
        hw: 0,
        fetchState: 'idle',
        isr: [],
        remoteLeo: { A: -1, B: -1 },
        remoteHw: { A: -1, B: -1 },
        isrProposal: { isr: [], joining: 'none', inIncarnation: 0, answer: 'none' },
        epochStart: -1,
        pending: [],
      },
    });
  });

  test('a restart reads the high watermark from the checkpoint', () => {
    const story = committed();
    story.play(['Crash', 'B'], ['Restart', 'B']);
    expect(story.at('B')).toMatchObject({ role: 'starting', hw: 2, leaderEpoch: 0, leader: 'none' });
    expect(story.cluster.observe().replicas.B!.incarnation).toBe(1);
  });

  test('K17: but not above the log end (KAFKA-3978)', () => {
    for (const [checkpoint, hw] of [
      [0, 0],
      [1, 1],
      [2, 2],
      [9, 2],
    ] as const) {
      const story = committed();
      story.play(['Crash', 'B']);
      story.set('B', { disk: { checkpoint } });
      story.play(['Restart', 'B']);
      expect(story.at('B')).toMatchObject({ hw, checkpoint });
    }
  });

  test('recovery learns from the records what epochs the file has lost (LogSegment.recover)', () => {
    const story = committed();
    story.play(['Crash', 'B']);
    const log = [1, 3, 3].map((epoch, i) => ({ id: i + 1, epoch }));
    story.set('B', { disk: { log, epochFile: [{ epoch: 1, start: 0 }] } });
    story.play(['Restart', 'B']);
    const whole = [
      { epoch: 1, start: 0 },
      { epoch: 3, start: 1 },
    ];
    expect(story.at('B')).toMatchObject({ epochCache: whole, epochFile: whole });
  });

  test('but none below the last entry of the file, which goes only afterwards if it has no record', () => {
    const story = committed();
    story.play(['Crash', 'B']);
    story.set('B', { disk: { epochFile: [{ epoch: 2, start: 2 }] } });
    story.play(['Restart', 'B']);
    expect(story.at('B')).toMatchObject({ epochCache: [], epochFile: [] });
  });

  test.each([
    ['in the old message format records tell no epoch', { recordsCarryEpoch: false }],
    ['where epochs are kept in memory alone, nothing is recovered', { cacheOnDisk: false }],
    ['a release without epochs has none', { epochCache: false }],
  ])('%s', (_, changes) => {
    const story = new Story({ ...kip320, ...changes });
    story.play(['Write', 'A', 'all'], ...fetched('A', 'B'), ['Crash', 'B']);
    story.set('B', { disk: { epochFile: [], epochCache: [] } });
    story.play(['Restart', 'B']);
    expect(story.at('B')).toMatchObject({ epochCache: [], epochFile: [] });
  });

  test('a lazy checkpoint lags until its own step', () => {
    const story = committed({ lazyCheckpoint: true });
    expect([story.at('B').hw, story.at('B').checkpoint]).toEqual([2, 0]);
    story.play(['Crash', 'B'], ['Restart', 'B']);
    expect(story.at('B').hw).toBe(0);

    story.play(['CheckpointHighWatermark', 'A']);
    expect(story.at('A').checkpoint).toBe(2);
    expect(story.whyNot('CheckpointHighWatermark', 'A')).toBe('the checkpoint of A is up to date');
    expect(committed().whyNot('CheckpointHighWatermark', 'A')).toBe(
      'the checkpoint of A follows its high watermark at once',
    );
  });

  test('a leader that died stays away until another is elected, or resumes unnoticed (KAFKA-1120)', () => {
    const noticed = committed();
    noticed.play(['Crash', 'A']);
    expect(noticed.whyNot('Restart', 'A')).toBe(
      'A cannot return before the controller has noticed that its leader died',
    );
    noticed.play(['Elect', 'B'], ['Restart', 'A']);

    const missed = committed({ resumeSameEpoch: true });
    missed.play(['PowerLoss', 'A', 0], ['Restart', 'A'], ['BecomeLeader', 'A', 1], ['Write', 'A', '1']);
    expect([missed.log('A'), missed.log('B')]).toEqual([['3@1'], ['1@1', '2@1']]);
  });

  test('one that is down does nothing', () => {
    const story = committed();
    story.play(['Crash', 'B']);
    for (const action of ['Crash', 'Flush', 'Elect'] as const) expect(story.whyNot(action, 'B')).toBe('B is down');
    expect(story.whyNot('PowerLoss', 'B', 2)).toBe('B is down');
    expect(story.whyNot('BecomeFollower', 'B', 1)).toBe('B is down');
    expect(story.whyNot('Restart', 'A')).toBe('A is leader, not down');
  });
});

describe('loss of power', () => {
  test('any last part of what was not flushed may go', () => {
    const story = committed();
    story.play(['Write', 'A', '1'], ['Flush', 'A'], ['Write', 'A', '1']);
    expect(story.whyNot('PowerLoss', 'A', 2)).toBe('A keeps from 3 (flushed) to 4 records, not 2');
    expect(story.whyNot('PowerLoss', 'A', 5)).toBe('A keeps from 3 (flushed) to 4 records, not 5');
    expect(story.whyNot('Flush', 'B')).toBeNull();
    story.play(['PowerLoss', 'A', 3]);
    expect(story.at('A')).toMatchObject({ role: 'down', flushed: 3, hw: 0 });
    expect(story.log('A')).toEqual(['1@1', '2@1', '3@1']);
    story.play(['Flush', 'B']);
    expect(story.whyNot('Flush', 'B')).toBe('B has flushed its whole log');
  });

  test('what was left then is on the disk', () => {
    const story = committed();
    story.play(['PowerLoss', 'B', 1]);
    expect(story.at('B')).toMatchObject({ flushed: 1, log: [{ id: 1, epoch: 1 }] });
  });

  test('epoch entries without a record go when the log is opened', () => {
    const story = committed();
    story.play(['Elect', 'B'], ['BecomeLeader', 'B', 2], ['Write', 'B', '1'], ['PowerLoss', 'B', 2]);
    expect(story.at('B').epochCache).toEqual([
      { epoch: 1, start: 0 },
      { epoch: 2, start: 2 },
    ]);
    story.play(['Elect', 'A'], ['Restart', 'B']);
    expect(story.at('B').epochCache).toEqual([{ epoch: 1, start: 0 }]);
  });
});

describe('messages die with the role of their sender', () => {
  test('a crashed follower does not get the answer to its earlier life', () => {
    const story = new Story(kip320);
    story.play(['Write', 'A', '1'], ['SendFetch', 'B'], ['HandleFetch', 'A', 'B'], ['Crash', 'B'], ['Restart', 'B']);
    expect(story.cluster.observe().network).toEqual([]);
    story.play(['BecomeFollower', 'B', 1], ['SendFetch', 'B']);
    expect(story.cluster.observe().network).toMatchObject([{ incarnation: 1, leaderEpoch: 1, offset: 0 }]);
  });

  test('a follower of a new leader forgets the answer of the old one', () => {
    const story = new Story(kafka_0_10_2, { replicas: ['A', 'B', 'C'] });
    story.play(['Write', 'A', '1'], ['SendFetch', 'C'], ['HandleFetch', 'A', 'C'], ['Elect', 'B']);
    expect(story.cluster.observe().network.length).toBe(1);
    story.play(['BecomeFollower', 'C', 2]);
    expect(story.cluster.observe().network).toEqual([]);
  });
});

describe('an epoch file that is flushed later', () => {
  test.each([
    ['says another epoch', { epoch: 1, start: 0 }],
    ['says another offset', { epoch: 2, start: 1 }],
  ])('is behind the cache if it %s', (_, entry) => {
    const story = new Story(profiles.flushesEpochsLater);
    const state = story.cluster.observe();
    state.replicas.B!.disk.epochCache = [{ epoch: 2, start: 0 }];
    state.replicas.B!.disk.epochFile = [entry];
    story.cluster.reset(state);
    story.play(['FlushEpochFile', 'B']);
    expect(story.at('B').epochFile).toEqual([{ epoch: 2, start: 0 }]);
    expect(story.whyNot('FlushEpochFile', 'B')).toBe('the epoch file of B is up to date');
  });
});
