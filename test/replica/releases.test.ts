import { describe, expect, test } from 'vitest';
import { profiles } from '../../src/replica/index.ts';
import { fetched, Story, type Told } from './story.ts';

const { kafka_2_8_0, kafka_2_8, kafka_3_5, kafka_3_9 } = profiles;

/** m1 on A alone; then B leads epoch 2 and writes m2 at the same offset, and A follows. */
const FORKED: readonly Told[] = [
  ['Write', 'A', 'all'],
  ['Elect', 'B'],
  ['BecomeLeader', 'B', 2],
  ['Write', 'B', 'all'],
  ['BecomeFollower', 'A', 2],
];

describe('truncation inside Fetch (KAFKA-10554)', () => {
  test('a follower fetches at once, and says which epoch its log ends with', () => {
    const story = new Story(kafka_2_8);
    story.play(...FORKED);
    expect([story.at('A').fetchState, story.log('A')]).toEqual(['fetching', ['1@1']]);
    expect(story.whyNot('SendOffsetsForLeaderEpoch', 'A')).toBe('A is fetching, not truncating');
    story.play(['SendFetch', 'A']);
    expect(story.cluster.observe().network).toMatchObject([{ offset: 1, lastFetchedEpoch: 1 }]);
  });

  test('the leader answers where the logs part, without records, and does not count the fetch', () => {
    const story = new Story(kafka_2_8);
    story.play(...FORKED, ['SendFetch', 'A'], ['HandleFetch', 'B', 'A']);
    expect(story.cluster.observe().network).toMatchObject([
      { error: 'none', diverging: { epoch: 1, endOffset: 0 }, records: [], endOffset: 1 },
    ]);
    expect([story.at('B').remoteLeo, story.at('B').hw]).toEqual([{ A: -1, B: -1 }, 0]);
  });

  test('the follower cuts, and its next fetch brings what the leader has', () => {
    const story = new Story(kafka_2_8);
    story.play(...FORKED, ...fetched('B', 'A'));
    expect([story.log('A'), story.at('A').fetchState]).toEqual([[], 'fetching']);
    story.play(...fetched('B', 'A'));
    expect(story.log('A')).toEqual(['2@2']);
  });

  test('2.8.0 counted the fetch of a log that differs, and committed what one replica had (KAFKA-13141)', () => {
    const story = new Story(kafka_2_8_0);
    story.play(...FORKED, ['SendFetch', 'A']);
    const { acknowledged } = story.play(['HandleFetch', 'B', 'A']);
    expect([story.at('B').remoteLeo, story.at('B').hw]).toEqual([{ A: 1, B: -1 }, 1]);
    expect(acknowledged).toEqual([{ offset: 0, id: 2, acks: 'all' }]);
    expect(story.log('A')).toEqual(['1@1']);
  });

  test('a follower whose log ends with an epoch that its leader never had goes back to the one below', () => {
    const story = new Story(kafka_2_8);
    story.play(['Write', 'A', 'all'], ...fetched('A', 'B'));
    story.play(['Elect', 'B'], ['BecomeLeader', 'B', 2], ['Write', 'B', 'all']);
    story.play(['Elect', 'A'], ['BecomeLeader', 'A', 3], ['Write', 'A', 'all'], ['BecomeFollower', 'B', 3]);
    expect(story.log('B')).toEqual(['1@1', '2@2']);
    story.play(['SendFetch', 'B'], ['HandleFetch', 'A', 'B']);
    expect(story.cluster.observe().network).toMatchObject([{ diverging: { epoch: 1, endOffset: 1 } }]);
    story.play(['HandleFetchResponse', 'B'], ...fetched('A', 'B'));
    expect(story.log('B')).toEqual(['1@1', '3@3']);
  });

  test('an epoch that the leader does not know yet is out of range', () => {
    const story = new Story({ ...kafka_2_8, fenced: false });
    story.play(['Write', 'A', 'all'], ['Elect', 'B'], ['BecomeLeader', 'B', 2], ['Write', 'B', 'all']);
    story.play(['Elect', 'A'], ['BecomeFollower', 'B', 3], ['SendFetch', 'B'], ['HandleFetch', 'A', 'B']);
    expect(story.cluster.observe().network).toMatchObject([{ error: 'OFFSET_OUT_OF_RANGE', endOffset: 1 }]);
  });

  test('a follower with an empty cache has nothing to tell, and cuts to its high watermark', () => {
    const story = new Story(kafka_2_8);
    story.play(['Elect', 'B'], ['BecomeLeader', 'B', 2]);
    story.set('A', { disk: { log: [{ id: 9, epoch: 1 }], epochCache: [] } });
    story.play(['BecomeFollower', 'A', 2], ['SendFetch', 'A']);
    expect(story.log('A')).toEqual([]);
    expect(story.cluster.observe().network).toMatchObject([{ offset: 0, lastFetchedEpoch: -1 }]);
  });

  test('until 3.4.0 the high watermark came before the cut, and stayed where the log ends then (KAFKA-14704)', () => {
    const shared: readonly Told[] = [
      ['Write', 'A', 'all'],
      ...fetched('A', 'B'),
      ['Elect', 'B'],
      ['BecomeLeader', 'B', 2],
    ];
    for (const [profile, hw] of [
      [kafka_2_8, 1],
      [kafka_3_5, 0],
    ] as const) {
      const story = new Story(profile);
      // m1 is on both; A alone has m2, B has committed m1 by leaving A out of the ISR.
      story.play(...shared, ['Write', 'A', 'all'], ['ShrinkIsr', 'B', 'A'], ['BecomeFollower', 'A', 2]);
      expect([story.log('A'), story.at('A').hw, story.at('B').hw]).toEqual([['1@1', '2@1'], 0, 1]);
      story.play(...fetched('B', 'A'));
      expect([story.log('A'), story.at('A').hw]).toEqual([['1@1'], hw]);
    }
  });
});

describe("what Kafka's running code showed", () => {
  test('a high watermark above the log end means nothing to a new leader', () => {
    const story = new Story(profiles.kafka_2_0_1);
    story.set('B', { memory: { hw: 3 }, disk: { log: [{ id: 9, epoch: 1 }] } });
    story.play(['Elect', 'B'], ['BecomeLeader', 'B', 2]);
    expect([story.at('B').hw, story.at('B').checkpoint]).toEqual([0, 0]);
  });

  test('in 1.1.0 a reply carries the high watermark that the fetch has moved (KAFKA-5758), in 1.1.1 the one before', () => {
    for (const [profile, hw] of [
      [profiles.kafka_1_1_0, 1],
      [profiles.kafka_1_1_1, 0],
    ] as const) {
      const story = new Story(profile);
      story.play(['Write', 'A', 'all'], ...fetched('A', 'B'), ['SendFetch', 'B'], ['HandleFetch', 'A', 'B']);
      expect([story.at('A').hw, story.cluster.observe().network]).toMatchObject([1, [{ hw }]]);
    }
  });

  test('up to 2.3 a leader that answers "out of range" forgets how far the follower was', () => {
    for (const [profile, known] of [
      [profiles.kafka_2_1, -1],
      [profiles.kafka_2_7, 0],
    ] as const) {
      const story = new Story(profile);
      story.play(...fetched('A', 'B'));
      story.set('B', { disk: { log: [{ id: 9, epoch: 1 }] } });
      story.play(['SendFetch', 'B'], ['HandleFetch', 'A', 'B']);
      expect(story.cluster.observe().network).toMatchObject([{ error: 'OFFSET_OUT_OF_RANGE' }]);
      expect(story.at('A').remoteLeo.B).toBe(known);
    }
  });

  test('since 3.7 the high watermark moves when the ISR has become large enough', () => {
    const story = new Story(kafka_3_9, { minIsr: 2 });
    story.play(['Write', 'A', '1'], ...fetched('A', 'B'), ['ShrinkIsr', 'A', 'B'], ['SendFetch', 'B']);
    story.play(['HandleFetch', 'A', 'B']);
    expect(story.at('A').hw).toBe(0);
    story.play(['ExpandIsr', 'A', 'B']);
    expect(story.at('A').hw).toBe(1);
  });
});

describe('the high watermark under min.insync.replicas (KIP-966)', () => {
  test('advances up to 3.6, and waits since 3.7', () => {
    for (const [profile, hw] of [
      [kafka_3_5, 1],
      [kafka_3_9, 0],
    ] as const) {
      const story = new Story(profile, { minIsr: 2 });
      story.play(['Write', 'A', '1'], ['ShrinkIsr', 'A', 'B']);
      expect(story.at('A').hw).toBe(hw);
    }
  });
});
