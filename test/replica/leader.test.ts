import { describe, expect, test } from 'vitest';
import { type Profile, profiles } from '../../src/replica/index.ts';
import { asked, fetched, Story } from './story.ts';

const { kafka_2_0_0, kafka_2_0_1, kafka_2_1, kip279, kip320 } = profiles;
const three = { replicas: ['A', 'B', 'C'] };

describe('where the high watermark waits until followers know it (KIP-101, fix 1)', () => {
  test('a leader of three tells what all in-sync replicas have, and its own while it has not heard of one', () => {
    const story = new Story(profiles.delayedHighWatermark, three);
    const told = (follower: string) => {
      story.play(['SendFetch', follower], ['HandleFetch', 'A', follower]);
      const [reply] = story.cluster.observe().network;
      story.play(['HandleFetchResponse', follower]);
      return reply;
    };
    story.play(['Write', 'A', 'all']);
    expect([told('B'), told('B')]).toMatchObject([{ hw: 0 }, { hw: 0 }]);
    expect([told('C'), told('C')]).toMatchObject([{ hw: 0 }, { hw: 1 }]);
  });
});

describe('the high watermark of a leader', () => {
  test('is where all in-sync replicas are', () => {
    const story = new Story(kip320, three);
    story.play(['Write', 'A', '1'], ['Write', 'A', '1'], ...fetched('A', 'B'), ...fetched('A', 'B'));
    expect([story.at('A').hw, story.at('A').remoteLeo]).toEqual([0, { A: -1, B: 2, C: -1 }]);
    story.play(...fetched('A', 'C'), ...fetched('A', 'C'));
    expect([story.at('A').hw, story.at('A').remoteLeo]).toEqual([2, { A: -1, B: 2, C: 2 }]);
  });

  test('never goes back', () => {
    const story = new Story(kip320);
    story.play(['Write', 'A', '1'], ...fetched('A', 'B'), ...fetched('A', 'B'));
    expect(story.at('A').hw).toBe(1);
    story.set('B', { disk: { log: [] } });
    story.play(...fetched('A', 'B'));
    expect([story.at('A').hw, story.at('A').remoteLeo.B]).toEqual([1, 0]);
  });

  test('does not wait for a follower that has left the ISR', () => {
    const story = new Story(kip320);
    story.play(['Write', 'A', 'all']);
    expect(story.play(['ShrinkIsr', 'A', 'B']).acknowledged).toEqual([{ offset: 0, id: 1, acks: 'all' }]);
    expect([story.at('A').hw, story.at('A').isr]).toEqual([1, ['A']]);
    expect(story.cluster.observe().controller).toEqual({ epoch: 1, leader: 'A', isr: ['A'] });
  });

  test('of a leader elected alone covers all it has', () => {
    const story = new Story(kip320);
    story.play(['Write', 'A', '1'], ...fetched('A', 'B'), ['Crash', 'A'], ['Elect', 'B'], ['BecomeLeader', 'B', 2]);
    expect([story.at('B').hw, story.at('B').epochStart, story.at('B').checkpoint]).toEqual([1, 1, 1]);
  });

  test('of one elected among others stays until they have fetched', () => {
    const story = new Story(kip320);
    story.play(['Write', 'A', '1'], ...fetched('A', 'B'), ['Elect', 'B'], ['BecomeLeader', 'B', 2]);
    expect([story.at('B').hw, story.at('B').remoteLeo]).toEqual([0, { A: -1, B: -1 }]);
  });
});

describe('being elected', () => {
  test('notes the epoch at once since 2.0.1, with the first record before (KAFKA-7415)', () => {
    for (const [profile, epochCache] of [
      [kafka_2_0_0, []],
      [kafka_2_0_1, [{ epoch: 2, start: 0 }]],
    ] as const) {
      const story = new Story(profile);
      story.play(['Elect', 'B'], ['BecomeLeader', 'B', 2]);
      expect(story.at('B').epochCache).toEqual(epochCache);
      story.play(['Write', 'B', '1']);
      expect(story.at('B').epochCache).toEqual([{ epoch: 2, start: 0 }]);
    }
  });

  test('again, a leader keeps what it knows of its followers and who waits', () => {
    const story = new Story(kip320, three);
    story.play(['Write', 'A', 'all'], ...fetched('A', 'B'), ...fetched('A', 'B'), ['Crash', 'C'], ['Elect', 'A']);
    expect(story.at('A').pending).toEqual([0]);
    expect(story.play(['BecomeLeader', 'A', 2]).acknowledged).toEqual([{ offset: 0, id: 1, acks: 'all' }]);
    expect(story.at('A')).toMatchObject({ leaderEpoch: 2, isr: ['A', 'B'], epochStart: 1, hw: 1, pending: [] });
    expect(story.at('A').remoteLeo).toEqual({ A: -1, B: 1, C: -1 });
  });

  test('gives up its own fetch, and refuses what others still ask of a leader gone by', () => {
    const story = new Story(kip279, three);
    story.play(['SendFetch', 'B'], ['SendFetch', 'C'], ['Elect', 'B'], ['BecomeLeader', 'B', 2]);
    expect(story.cluster.observe().network).toMatchObject([{ type: 'FetchRequest', follower: 'C', leader: 'A' }]);
    story.play(['BecomeFollower', 'A', 2], ['HandleFetch', 'A', 'C']);
    expect(story.cluster.observe().network).toMatchObject([
      { type: 'FetchResponse', error: 'NOT_LEADER', endOffset: -1, hw: -1, records: [] },
    ]);
  });
});

describe('producing', () => {
  test('acks=1 is told at once, acks=all when the high watermark has passed', () => {
    const story = new Story(kip320);
    expect(story.play(['Write', 'A', '1']).acknowledged).toEqual([{ offset: 0, id: 1, acks: '1' }]);
    expect(story.play(['Write', 'A', 'all']).acknowledged).toEqual([]);
    story.play(...fetched('A', 'B'), ['SendFetch', 'B']);
    expect(story.at('A').pending).toEqual([1]);
    expect(story.play(['HandleFetch', 'A', 'B']).acknowledged).toEqual([{ offset: 1, id: 2, acks: 'all' }]);
    expect(story.at('A').pending).toEqual([]);
  });

  test('an ISR below min.insync.replicas refuses acks=all, not acks=1', () => {
    const story = new Story(kip320, { minIsr: 2 });
    story.play(['ShrinkIsr', 'A', 'B']);
    expect(story.whyNot('Write', 'A', 'all')).toBe('A has 1 in-sync replicas, and acks=all needs 2');
    expect(story.whyNot('Write', 'A', '1')).toBeNull();
    expect(story.whyNot('Write', 'B', '1')).toBe('B is follower, not a leader');
  });

  test('if the ISR became too small while a producer waited, it is told so and not "stored"', () => {
    const story = new Story(kip320, { minIsr: 2 });
    story.play(['Write', 'A', 'all']);
    expect(story.play(['ShrinkIsr', 'A', 'B'])).toEqual({
      acknowledged: [],
      refused: [{ offset: 0, id: 1, acks: 'all', error: 'NOT_ENOUGH_REPLICAS_AFTER_APPEND' }],
    });
    expect([story.at('A').hw, story.at('A').pending]).toEqual([1, []]);
  });

  test('who waits at a leader that is replaced is told so', () => {
    const story = new Story(kip320);
    story.play(['Write', 'A', 'all'], ['Elect', 'B']);
    expect(story.play(['BecomeFollower', 'A', 2])).toEqual({
      acknowledged: [],
      refused: [{ offset: 0, id: 1, acks: 'all', error: 'NOT_LEADER' }],
    });
  });

  test('a zombie still takes writes, and commits none that the others lack', () => {
    const story = new Story(kip320);
    story.play(['Elect', 'B'], ['BecomeLeader', 'B', 2], ['Write', 'A', 'all'], ['Write', 'B', 'all']);
    expect([story.log('A'), story.at('A').hw]).toEqual([['1@1'], 0]);
    expect([story.log('B'), story.at('B').hw]).toEqual([['2@2'], 0]);
  });
});

describe('the ISR', () => {
  test('is compared and set: the attempt of a zombie fails', () => {
    const story = new Story(kip320, three);
    story.play(['Elect', 'B']);
    expect(story.whyNot('ShrinkIsr', 'A', 'C')).toBe('A leads in epoch 1, but the controller is at 2');
    expect(story.whyNot('ExpandIsr', 'A', 'C')).toBe('A leads in epoch 1, but the controller is at 2');
    expect(story.whyNot('ShrinkIsr', 'B', 'C')).toBe('B is follower, not a leader');
    expect(story.whyNot('ShrinkIsr', 'A', 'A')).toBe('A does not take itself out of the ISR');
  });

  test('is joined by a follower that fetched from the high watermark, at the controller too', () => {
    const story = new Story(kip320);
    story.play(['Write', 'A', '1'], ['ShrinkIsr', 'A', 'B']);
    expect(story.whyNot('ExpandIsr', 'A', 'B')).toBe('A is not handling a fetch of B');
    story.play(['SendFetch', 'B'], ['HandleFetch', 'A', 'B']);
    expect(story.whyNot('ExpandIsr', 'A', 'B')).toBe('B fetches from 0, below the high watermark 1 of A');
    story.play(['HandleFetchResponse', 'B'], ['SendFetch', 'B'], ['HandleFetch', 'A', 'B'], ['ExpandIsr', 'A', 'B']);
    expect(story.at('A').isr).toEqual(['A', 'B']);
    expect(story.cluster.observe().controller.isr).toEqual(['A', 'B']);
    expect(story.whyNot('ExpandIsr', 'A', 'B')).toBe('B is in the ISR of A already');
    expect(story.whyNot('ExpandIsr', 'A', 'A')).toBe('A is in the ISR of A already');
  });

  test('is not joined by a replica that has gone since it fetched (KAFKA-14139)', () => {
    const story = new Story(kip320);
    story.play(['Write', 'A', '1'], ...fetched('A', 'B'), ['ShrinkIsr', 'A', 'B'], ['SendFetch', 'B']);
    story.play(['HandleFetch', 'A', 'B'], ['PowerLoss', 'B', 0]);
    expect(story.at('A').remoteLeo.B).toBe(1);
    expect(story.whyNot('ExpandIsr', 'A', 'B')).toBe('A is not handling a fetch of B');
  });

  test("since 2.0.1 only from the start of the leader's epoch on (KAFKA-7128)", () => {
    // C is out of the ISR and empty. B, elected, has one record and a high watermark of 0 yet.
    const joins = (profile: Profile): string | null => {
      const story = new Story(profile, three);
      story.play(['ShrinkIsr', 'A', 'C'], ['Write', 'A', '1'], ...fetched('A', 'B'), ...fetched('A', 'B'));
      story.set('B', { memory: { hw: 0 }, disk: { checkpoint: 0 } });
      story.play(['Elect', 'B'], ['BecomeLeader', 'B', 2], ['BecomeFollower', 'C', 2]);
      if (story.at('C').fetchState === 'truncating') story.play(...asked('B', 'C'));
      story.play(['SendFetch', 'C'], ['HandleFetch', 'B', 'C']);
      return story.whyNot('ExpandIsr', 'B', 'C');
    };
    expect(joins(kafka_2_0_0)).toBeNull();
    expect(joins(kafka_2_1)).toBe('C fetches from 0, below the start 1 of the epoch of B');
  });

  test('K13: leader epoch started at 100, high watermark 90: 95 may not join, 100 may (KAFKA-7128)', () => {
    const log = Array.from({ length: 120 }, (_, i) => ({ id: i + 1, epoch: 1 }));
    for (const [offset, reason] of [
      [95, 'C fetches from 95, below the start 100 of the epoch of A'],
      [100, null],
    ] as const) {
      const story = new Story(kip320, three);
      const memory = { isr: ['A', 'B'], hw: 90, epochStart: 100, remoteLeo: { A: -1, B: 90, C: -1 } };
      story.set('A', { disk: { log }, memory });
      story.set('C', { disk: { log: log.slice(0, offset) } });
      story.play(['SendFetch', 'C'], ['HandleFetch', 'A', 'C']);
      expect(story.whyNot('ExpandIsr', 'A', 'C')).toBe(reason);
    }
  });
});

describe('fencing (KIP-320)', () => {
  /** What leader A, in epoch 2, answers to B that fetches in `epoch`. */
  function answer(of: Profile, epoch: number, followerProfile = of): string {
    const story = new Story(of, { profileOf: { A: of, B: followerProfile } });
    story.set('A', { memory: { leaderEpoch: 2 } });
    story.set('B', { memory: { leaderEpoch: epoch } });
    story.play(['SendFetch', 'B'], ['HandleFetch', 'A', 'B']);
    expect(story.at('A').remoteLeo.B).toBe(epoch === 2 || !of.fenced || !followerProfile.fenced ? 0 : -1);
    return (story.cluster.observe().network[0] as { error: string }).error;
  }

  test('a leader refuses who is in an older epoch or in a newer one, and does not count its fetch', () => {
    expect(answer(kip320, 1)).toBe('FENCED_LEADER_EPOCH');
    expect(answer(kip320, 2)).toBe('none');
    expect(answer(kip320, 3)).toBe('UNKNOWN_LEADER_EPOCH');
  });

  test('without it, or if only one side knows it, nothing is compared', () => {
    expect([answer(kip279, 1), answer(kip279, 3)]).toEqual(['none', 'none']);
    expect([answer(kip320, 1, kip279), answer(kip279, 1, kip320)]).toEqual(['none', 'none']);
  });

  test('covers the question where to truncate too', () => {
    const story = new Story(kip320, three);
    story.play(['Write', 'A', '1'], ...fetched('A', 'C'), ['Elect', 'B'], ['BecomeLeader', 'B', 2]);
    story.play(['BecomeFollower', 'C', 2], ['SendOffsetsForLeaderEpoch', 'C']);
    story.set('B', { memory: { leaderEpoch: 3 } });
    story.play(['HandleOffsetsForLeaderEpoch', 'B', 'C']);
    expect(story.cluster.observe().network).toMatchObject([{ error: 'FENCED_LEADER_EPOCH', epoch: -1, endOffset: -1 }]);
    story.play(['HandleOffsetsForLeaderEpochResponse', 'C']);
    expect(story.at('C')).toMatchObject({ fetchState: 'failed', log: [{ id: 1, epoch: 1 }] });
    expect(story.whyNot('SendOffsetsForLeaderEpoch', 'C')).toBe('C is failed, not truncating');
  });
});
