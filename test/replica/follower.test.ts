import { describe, expect, test } from 'vitest';
import { type Profile, profiles } from '../../src/replica/index.ts';
import { asked, fetched, Story } from './story.ts';

const { kafka_0_10_2, kafka_1_1_0, kafka_1_1_1, kafka_2_0_0, kafka_2_0_1, kafka_2_1, kip320 } = profiles;

describe('fetching', () => {
  test("the follower's high watermark lags the leader's by one fetch", () => {
    const story = new Story(kip320);
    story.play(['Write', 'A', 'all'], ...fetched('A', 'B'));
    expect([story.at('A').hw, story.at('B').hw, story.log('B')]).toEqual([0, 0, ['1@1']]);

    story.play(['SendFetch', 'B'], ['HandleFetch', 'A', 'B']);
    expect(story.cluster.observe().network).toEqual([
      {
        type: 'FetchResponse',
        follower: 'B',
        leader: 'A',
        incarnation: 0,
        leaderEpoch: 1,
        offset: 1,
        lastFetchedEpoch: -1,
        knownHw: -1,
        error: 'none',
        diverging: { epoch: -1, endOffset: -1 },
        endOffset: 1,
        hw: 0,
        records: [],
      },
    ]);
    expect([story.at('A').hw, story.at('B').hw]).toEqual([1, 0]);

    story.play(['HandleFetchResponse', 'B'], ...fetched('A', 'B'));
    expect([story.at('A').hw, story.at('B').hw]).toEqual([1, 1]);
  });

  test('each record that begins an epoch adds a cache entry', () => {
    const story = new Story(kip320);
    story.play(['Write', 'A', '1'], ['Write', 'A', '1']);
    story.play(['Elect', 'B'], ['BecomeLeader', 'B', 2], ['Elect', 'A'], ['BecomeLeader', 'A', 3]);
    story.play(['Write', 'A', '1'], ['BecomeFollower', 'B', 3], ...asked('A', 'B'), ...fetched('A', 'B'));
    expect(story.log('B')).toEqual(['1@1', '2@1', '3@3']);
    expect(story.at('B').epochCache).toEqual([
      { epoch: 1, start: 0 },
      { epoch: 3, start: 2 },
    ]);
  });

  test('up to 0.10.2 no epoch is recorded in a cache', () => {
    const story = new Story(kafka_0_10_2);
    story.play(['Write', 'A', '1'], ...fetched('A', 'B'));
    expect([story.at('A').epochCache, story.at('B').epochCache]).toEqual([[], []]);
  });

  test("a follower takes the leader's high watermark also if its own is higher", () => {
    const story = new Story(kip320);
    story.play(['Write', 'A', '1'], ...fetched('A', 'B'));
    story.set('B', { memory: { hw: 1 } });
    story.play(...fetched('A', 'B'));
    expect([story.at('B').hw, story.at('B').checkpoint]).toEqual([0, 0]);
  });

  test('one request at a time, and only to a leader that is up', () => {
    const story = new Story(kip320);
    story.play(['SendFetch', 'B']);
    expect(story.whyNot('SendFetch', 'B')).toBe('B has a FetchRequest under way already');
    expect(story.whyNot('HandleFetch', 'B', 'B')).toBe('the FetchRequest of B is for A, not for B');
    expect(story.whyNot('HandleFetchResponse', 'B')).toBe('no FetchResponse is under way to B');
    story.play(['Crash', 'A']);
    expect(story.cluster.observe().network).toEqual([]);
    expect(story.whyNot('SendFetch', 'B')).toBe('B cannot reach A, which is down');
    expect(story.whyNot('SendFetch', 'A')).toBe('A is down, not a follower');
    expect(story.whyNot('SendOffsetsForLeaderEpoch', 'B')).toBe('B is fetching, not truncating');
  });

  test('a lost message is sent again', () => {
    const story = new Story(kip320);
    story.play(['Write', 'A', '1'], ['SendFetch', 'B'], ['HandleFetch', 'A', 'B'], ['LoseMessage', 'B']);
    expect(story.whyNot('LoseMessage', 'B')).toBe('B has nothing under way');
    story.play(...fetched('A', 'B'));
    expect(story.log('B')).toEqual(['1@1']);
  });
});

describe('out of range: a follower ahead of its leader', () => {
  /** A lost its log, which was not flushed, but leads on in the same epoch: B, with one record, asks for offset 1. */
  function ahead(profile: Profile): Story {
    const story = new Story(profile, { resumeSameEpoch: true });
    story.play(['Write', 'A', '1'], ...fetched('A', 'B'));
    story.play(['PowerLoss', 'A', 0], ['Restart', 'A'], ['BecomeLeader', 'A', 1]);
    story.play(['SendFetch', 'B'], ['HandleFetch', 'A', 'B']);
    expect(story.cluster.observe().network).toMatchObject([{ error: 'OFFSET_OUT_OF_RANGE', endOffset: 0, hw: -1 }]);
    expect(story.at('A').remoteLeo).toEqual({ A: -1, B: -1 });
    story.play(['HandleFetchResponse', 'B']);
    return story;
  }

  test('halts up to 2.0.0, and is not seen again', () => {
    const story = ahead(kafka_2_0_0);
    expect(story.at('B')).toMatchObject({ role: 'halted', fetchState: 'idle', log: [{ id: 1, epoch: 1 }] });
    expect(story.whyNot('Restart', 'B')).toBe('B is halted, not down');
    expect(story.whyNot('Crash', 'B')).toBe('B is halted');
    expect(story.cluster.read('B', 0)).toEqual({ error: 'BROKER_NOT_AVAILABLE' });
  });

  test('cuts to the end of the leader since 2.0.1 (KAFKA-7414)', () => {
    const story = ahead(kafka_2_0_1);
    expect(story.at('B')).toMatchObject({ role: 'follower', fetchState: 'fetching', log: [], epochCache: [] });
  });
});

describe('becoming a follower', () => {
  test('up to 0.10.2 cuts to the own high watermark at once (KAFKA-1211)', () => {
    const story = new Story(kafka_0_10_2);
    story.play(['Write', 'A', '1'], ...fetched('A', 'B'), ['Elect', 'B'], ['BecomeLeader', 'B', 2]);
    story.play(['BecomeFollower', 'A', 2]);
    expect(story.at('A')).toMatchObject({ role: 'follower', leader: 'B', leaderEpoch: 2, fetchState: 'fetching' });
    expect(story.log('A')).toEqual([]);
  });

  test('since 0.11 asks first, and forgets what it knew as a leader', () => {
    const story = new Story(kafka_1_1_1);
    story.play(['Write', 'A', 'all'], ...fetched('A', 'B'), ['Elect', 'B']);
    story.play(['BecomeFollower', 'A', 2]);
    expect(story.at('A')).toMatchObject({
      fetchState: 'truncating',
      log: [{ id: 1, epoch: 1 }],
      isr: [],
      remoteLeo: { A: -1, B: -1 },
      epochStart: -1,
      pending: [],
    });
  });

  test('with an empty cache asks up to 2.0.1, and goes to its high watermark without a request since 2.1', () => {
    for (const [profile, fetchState] of [
      [kafka_2_0_1, 'truncating'],
      [kafka_2_1, 'fetching'],
    ] as const) {
      const story = new Story(profile, { replicas: ['A', 'B', 'C'] });
      story.play(['Elect', 'B'], ['BecomeFollower', 'C', 2]);
      expect(story.at('C').fetchState).toBe(fetchState);
    }
  });

  test('1.1.0 keeps all it has if neither side has an epoch, 1.1.1 cuts to its high watermark (KAFKA-6857)', () => {
    for (const [profile, log] of [
      [kafka_1_1_0, ['1@1']],
      [kafka_1_1_1, []],
    ] as const) {
      const story = new Story({ ...profile, epochCache: false });
      story.play(['Write', 'A', '1'], ['Elect', 'B'], ['BecomeLeader', 'B', 2], ['Write', 'B', '1']);
      story.play(['BecomeFollower', 'A', 2], ...asked('B', 'A'));
      expect(story.log('A')).toEqual(log);
    }
  });

  test('what makes a follower start anew: leader changed, epoch skipped (K20, KAFKA-7164), epoch changed (KIP-320)', () => {
    const anew = (profile: Profile, from: number, to: number): boolean => {
      const story = new Story(profile);
      const state = story.cluster.observe();
      state.controller = { epoch: to, leader: 'A', isr: ['A', 'B'] };
      state.replicas.B!.memory.leaderEpoch = from;
      state.replicas.B!.disk.epochCache = [{ epoch: 1, start: 0 }];
      story.cluster.reset(state);
      story.play(['SendFetch', 'B'], ['BecomeFollower', 'B', to]);
      const { fetchState, leaderEpoch } = story.at('B');
      expect(leaderEpoch).toBe(to);
      // A fetcher that goes on keeps what it has under way.
      expect(story.cluster.observe().network.length).toBe(fetchState === 'truncating' ? 0 : 1);
      return fetchState === 'truncating';
    };
    expect([anew(kafka_2_0_0, 4, 5), anew(kafka_2_0_0, 4, 6)]).toEqual([false, false]);
    expect([anew(kafka_2_0_1, 4, 5), anew(kafka_2_0_1, 4, 6)]).toEqual([false, true]);
    expect([anew(kafka_2_1, 4, 5), anew(kafka_2_1, 4, 6)]).toEqual([true, true]);
  });

  test('hears nothing twice', () => {
    const story = new Story(kip320);
    expect(story.whyNot('BecomeFollower', 'B', 1)).toBe('B has heard of epoch 1 already');
    expect(story.whyNot('BecomeFollower', 'B', 2)).toBe('there is no news of epoch 2 for B to hear');
    story.play(['Elect', 'B']);
    expect(story.whyNot('BecomeFollower', 'B', 2)).toBe('B is the leader of epoch 2 itself');
    expect(story.whyNot('BecomeLeader', 'A', 2)).toBe('A is not the leader of epoch 2: that is B');
  });
});

describe('a reply that comes late (KAFKA-18723)', () => {
  /** C has asked A for records; before the reply is there it hears that B leads. */
  function late(profile: Profile): Story {
    const story = new Story(profile, { replicas: ['A', 'B', 'C'] });
    story.play(['Write', 'A', '1'], ['SendFetch', 'C'], ['HandleFetch', 'A', 'C'], ['Elect', 'B']);
    story.play(['BecomeFollower', 'C', 2]);
    return story;
  }

  test('is not there any more where the connection is gone', () => {
    expect(late(profiles.kafka_3_5).whyNot('HandleFetchResponse', 'C')).toMatch(/^no FetchResponse is under way to C/);
  });

  test('from the old leader is dropped: another thread has the partition', () => {
    const story = late(profiles.kafka_2_8_LateReplies);
    story.play(['HandleFetchResponse', 'C']);
    expect(story.log('C')).toEqual([]);
  });

  test('from one that leads again is appended', () => {
    const story = late(profiles.kafka_2_8_LateReplies);
    story.play(['Elect', 'A'], ['BecomeFollower', 'C', 3], ['HandleFetchResponse', 'C']);
    expect(story.log('C')).toEqual(['1@1']);
  });
});

describe('truncating inside a fetch', () => {
  /** A has m2 alone, and crashes; B leads, and knows nothing yet of who has m1. */
  function diverging(profile: Profile): Story {
    const story = new Story(profile, { replicas: ['A', 'B', 'C'] });
    story.play(['Write', 'A', '1'], ...fetched('A', 'B'), ['Write', 'A', '1'], ['Crash', 'A']);
    story.play(['Elect', 'B'], ['BecomeLeader', 'B', 2], ['Write', 'B', '1']);
    story.play(['Restart', 'A'], ['BecomeFollower', 'A', 2], ...fetched('B', 'A'));
    return story;
  }

  test.each([
    ['kafka_2_8', profiles.kafka_2_8],
    ['kafka_3_5', profiles.kafka_3_5],
  ])('leaves the high watermark at that of the leader: %s', (_, profile) => {
    const story = diverging(profile);
    expect([story.log('A'), story.at('A').hw, story.at('A').checkpoint]).toEqual([['1@1'], 0, 0]);
  });
});

describe('truncating', () => {
  test('a refused follower asks again', () => {
    const story = new Story(kafka_2_0_1);
    story.play(['Write', 'A', '1'], ['Elect', 'B'], ['BecomeFollower', 'A', 2], ...asked('B', 'A'));
    expect(story.at('A')).toMatchObject({ fetchState: 'truncating', log: [{ id: 1, epoch: 1 }] });
    story.play(['BecomeLeader', 'B', 2], ...asked('B', 'A'));
    expect(story.at('A')).toMatchObject({ fetchState: 'fetching', log: [] });
  });

  test('the epoch of an answer does not travel to a follower before 2.0', () => {
    const story = new Story(kafka_2_0_1, { profileOf: { A: kafka_1_1_1, B: kafka_2_0_1 } });
    story.play(['Write', 'A', '1'], ['Elect', 'B'], ['BecomeLeader', 'B', 2], ['BecomeFollower', 'A', 2]);
    story.play(['SendOffsetsForLeaderEpoch', 'A'], ['HandleOffsetsForLeaderEpoch', 'B', 'A']);
    expect(story.cluster.observe().network).toMatchObject([
      { type: 'OffsetsForLeaderEpochResponse', asked: 1, error: 'none', epoch: -1, endOffset: 0 },
    ]);
  });

  test('cuts records, their cache entries, the flushed mark and, since 2.4, the high watermark', () => {
    for (const [lowersHw, hw] of [
      [true, 1],
      [false, 2],
    ] as const) {
      const story = new Story({ ...kip320, lowersHw });
      story.play(['Write', 'A', '1'], ...fetched('A', 'B'), ['Write', 'A', '1'], ['Flush', 'A']);
      story.set('A', { memory: { hw: 2 }, disk: { checkpoint: 2 } });
      story.play(['Elect', 'B'], ['BecomeLeader', 'B', 2], ['BecomeFollower', 'A', 2], ...asked('B', 'A'));
      expect(story.at('A')).toMatchObject({ flushed: 1, hw, checkpoint: hw, epochCache: [{ epoch: 1, start: 0 }] });
      expect(story.log('A')).toEqual(['1@1']);
    }
  });

  test('an entry at the log end is cleared since 2.6.1; before, the same question came for ever (KAFKA-10706)', () => {
    for (const [profile, epochs] of [
      [profiles.kafka_2_1, [1, 3]],
      [profiles.kafka_2_7, [1]],
    ] as const) {
      const story = new Story(profile);
      const log = [{ id: 1, epoch: 1 }];
      const entries = (...list: number[]) => list.map((epoch, i) => ({ epoch, start: i }));
      const state = story.cluster.observe();
      state.controller = { epoch: 4, leader: 'A', isr: ['A', 'B'] };
      story.cluster.reset(state);
      story.set('A', { disk: { log: [...log, { id: 2, epoch: 2 }], epochCache: [...entries(1, 2, 4)] } });
      story.set('B', { disk: { log, epochCache: entries(1, 3) }, memory: { leaderEpoch: 3 } });
      story.play(['BecomeLeader', 'A', 4], ['BecomeFollower', 'B', 4], ...asked('A', 'B'));
      expect(story.at('B').fetchState).toBe('truncating');
      expect(story.at('B').epochCache.map(({ epoch }) => epoch)).toEqual(epochs);
      story.play(...asked('A', 'B'));
      expect(story.at('B').fetchState).toBe(profile === profiles.kafka_2_7 ? 'fetching' : 'truncating');
    }
  });
});
