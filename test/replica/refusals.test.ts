import { describe, expect, test } from 'vitest';
import { profiles } from '../../src/replica/index.ts';
import { asked, fetched, Story } from './story.ts';

const { kafka_2_8_LateReplies, kafka_3_5, kip320, takesLateAnswers } = profiles;

describe('the epoch that a fetch names', () => {
  test('is still there after an empty reply, so that the leader still sees a divergence (K12, KAFKA-15510)', () => {
    const story = new Story(kafka_3_5);
    const log = Array.from({ length: 12 }, (_, i) => ({ id: i + 1, epoch: 4 }));
    const epochCache = [{ epoch: 4, start: 0 }];
    for (const id of ['A', 'B']) {
      story.set(id, { disk: { log, epochCache }, memory: { leaderEpoch: 4, hw: 12 } });
    }
    for (let round = 0; round < 2; round++) {
      story.play(['SendFetch', 'B']);
      expect(story.cluster.observe().network).toMatchObject([{ offset: 12, lastFetchedEpoch: 4 }]);
      story.play(['HandleFetch', 'A', 'B']);
      expect(story.cluster.observe().network).toMatchObject([{ error: 'none', records: [], hw: 12 }]);
      story.play(['HandleFetchResponse', 'B']);
    }
    // A log of another epoch from offset 10 on: the next fetch is told to cut.
    story.set('A', { disk: { log: log.slice(0, 10), epochCache: [...epochCache, { epoch: 5, start: 10 }] } });
    story.play(...fetched('A', 'B'));
    expect(story.at('B')).toMatchObject({ log: log.slice(0, 10), hw: 10 });
  });
});

describe('a refusal is held against the epoch that was in the request (K16, KAFKA-9654)', () => {
  /** B has fetched in epoch 4 of leader A, which is in epoch 5 already. */
  function refused(profile = kafka_2_8_LateReplies): Story {
    const story = new Story(profile);
    const state = story.cluster.observe();
    state.controller = { epoch: 5, leader: 'A', isr: ['A', 'B'] };
    state.replicas.A!.memory.leaderEpoch = 5;
    state.replicas.B!.memory.leaderEpoch = 4;
    story.cluster.reset(state);
    story.play(['SendFetch', 'B'], ['HandleFetch', 'A', 'B']);
    expect(story.cluster.observe().network).toMatchObject([{ leaderEpoch: 4, error: 'FENCED_LEADER_EPOCH' }]);
    return story;
  }

  test('fenced for epoch 4, and now in epoch 5: it goes on, and fetches again', () => {
    const story = refused();
    story.play(['BecomeFollower', 'B', 5], ['HandleFetchResponse', 'B']);
    expect(story.at('B')).toMatchObject({ leaderEpoch: 5, fetchState: 'fetching' });
    story.play(...fetched('A', 'B'));
    expect(story.at('A').remoteLeo.B).toBe(0);
  });

  test('fenced for epoch 4, and still in it: it gives up, until a new epoch comes', () => {
    const story = refused();
    story.play(['HandleFetchResponse', 'B']);
    expect(story.at('B').fetchState).toBe('failed');
    expect(story.whyNot('SendFetch', 'B')).toBe('B is failed, not fetching');
    story.play(['BecomeFollower', 'B', 5]);
    expect(story.at('B').fetchState).toBe('fetching');
  });

  test('unknown: the leader has not heard of it yet, and it fetches again', () => {
    const story = new Story(kafka_3_5);
    story.set('B', { memory: { leaderEpoch: 2 } });
    story.play(['SendFetch', 'B'], ['HandleFetch', 'A', 'B']);
    expect(story.cluster.observe().network).toMatchObject([{ error: 'UNKNOWN_LEADER_EPOCH' }]);
    story.play(['HandleFetchResponse', 'B']);
    expect(story.at('B').fetchState).toBe('fetching');
    expect(story.whyNot('SendFetch', 'B')).toBeNull();
  });

  test('an answer about epochs that was asked for in epoch 1 cuts nothing in epoch 3; in 2.1.0 it did (KAFKA-7786)', () => {
    const records = [1, 2].map((id) => ({ id, epoch: 1 }));
    for (const [profile, fetchState, log] of [
      [kip320, 'truncating', records],
      [takesLateAnswers, 'fetching', []],
    ] as const) {
      const story = new Story(profile);
      const epochCache = [{ epoch: 1, start: 0 }];
      const state = story.cluster.observe();
      state.controller = { epoch: 3, leader: 'A', isr: ['A', 'B'] };
      story.cluster.reset(state);
      story.set('B', { disk: { log: records, epochCache }, memory: { fetchState: 'truncating' } });
      // A's log is empty when it answers, and has the records again when B hears of epoch 3.
      story.play(['SendOffsetsForLeaderEpoch', 'B'], ['HandleOffsetsForLeaderEpoch', 'A', 'B']);
      story.play(['BecomeLeader', 'A', 3], ['BecomeFollower', 'B', 3]);
      story.set('A', { disk: { log: records, epochCache: [...epochCache, { epoch: 3, start: 2 }] } });
      if (story.whyNot('HandleOffsetsForLeaderEpochResponse', 'B') === null) {
        story.play(['HandleOffsetsForLeaderEpochResponse', 'B']);
      }
      expect(story.at('B')).toMatchObject({ fetchState, log });
      if (fetchState === 'truncating') {
        story.play(...asked('A', 'B'));
        expect(story.at('B')).toMatchObject({ fetchState: 'fetching', log: records });
      }
    }
  });

  test('a request without an epoch is not compared', () => {
    const story = new Story(kip320, { profileOf: { A: kip320, B: profiles.kip279 } });
    story.set('A', { memory: { leaderEpoch: 5 } });
    story.play(['SendFetch', 'B'], ['HandleFetch', 'A', 'B']);
    expect(story.cluster.observe().network).toMatchObject([{ leaderEpoch: 1, error: 'none' }]);
  });
});
