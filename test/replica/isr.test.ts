import { describe, expect, test } from 'vitest';
import { type Profile, profiles } from '../../src/replica/index.ts';
import { fetched, Story, type Told } from './story.ts';

const leavesTheIsr: Told[] = [
  ['ShrinkIsr', 'A', 'B'],
  ['AlterPartition', 'A'],
  ['HandleAlterPartitionResponse', 'A'],
];

/** A alone has committed m1; B has caught up, and A has asked to let it join; then B lost its log, and is back. */
function joinsWithNothing(profile: Profile): Story {
  const story = new Story(profile);
  story.play(...leavesTheIsr, ['Write', 'A', 'all'], ...fetched('A', 'B'));
  story.play(['SendFetch', 'B'], ['HandleFetch', 'A', 'B'], ['ExpandIsr', 'A', 'B']);
  story.play(['PowerLoss', 'B', 0], ['Restart', 'B'], ['AlterPartition', 'A']);
  return story;
}

describe('a leader that asks the controller for another ISR (KIP-497)', () => {
  test('waits for whoever is in the old one or in the new', () => {
    const story = new Story(profiles.asksForIsr);
    story.play(['ShrinkIsr', 'A', 'B'], ['Write', 'A', 'all'], ['AlterPartition', 'A']);
    // The controller has confirmed it; A has not heard of that.
    expect(story.cluster.observe().controller.isr).toEqual(['A']);
    expect([story.at('A').isr, story.at('A').hw]).toEqual([['A', 'B'], 0]);

    const { acknowledged } = story.play(['HandleAlterPartitionResponse', 'A']);
    expect([story.at('A').isr, story.at('A').hw]).toEqual([['A'], 1]);
    expect(acknowledged).toEqual([{ offset: 0, id: 1, acks: 'all' }]);
  });

  /** B wants to join A, which is alone, and has not the record that A writes then. */
  function proposesB(profile: Profile): Story {
    const story = new Story(profile);
    story.play(
      ...leavesTheIsr,
      ['SendFetch', 'B'],
      ['HandleFetch', 'A', 'B'],
      ['ExpandIsr', 'A', 'B'],
      ['Write', 'A', '1'],
    );
    expect(story.at('A').isrProposal.isr).toEqual(['A', 'B']);
    return story;
  }

  test('waits for who is about to join, too; where only the confirmed ISR counts it does not', () => {
    expect(proposesB(profiles.asksForIsr).at('A').hw).toBe(0);
    expect(proposesB(profiles.countsConfirmedIsr).at('A').hw).toBe(1);
  });

  test('has the old ISR again when it is refused, for another one leads', () => {
    const story = new Story(profiles.asksForIsr);
    story.play(['ShrinkIsr', 'A', 'B'], ['Elect', 'B'], ['AlterPartition', 'A'], ['HandleAlterPartitionResponse', 'A']);
    expect(story.at('A').isr).toEqual(['A', 'B']);
    expect(story.cluster.observe().controller).toEqual({ epoch: 2, leader: 'B', isr: ['A', 'B'] });
  });

  test('is refused who has lost its log since: the broker epoch is another one (KIP-903)', () => {
    const story = joinsWithNothing(profiles.asksForIsr);
    expect(story.at('A').isrProposal).toMatchObject({ joining: 'B', inIncarnation: 0, answer: 'refused' });
    expect(story.cluster.observe().controller.isr).toEqual(['A']);
  });

  test('gets it where broker epochs are not compared (KAFKA-14139)', () => {
    const story = joinsWithNothing(profiles.anyBrokerEpoch);
    expect(story.at('A').isrProposal).toMatchObject({ joining: 'B', answer: 'confirmed' });
    expect(story.cluster.observe().controller.isr).toEqual(['A', 'B']);
  });
});

test('a fetch that diverges lets nobody in, though the leader once counted a fetch from there', () => {
  const story = new Story(profiles.kafka_3_5, { replicas: ['A', 'B', 'C'] });
  story.play(['Write', 'A', '1'], ...fetched('A', 'C'), ...fetched('A', 'C'));
  // B leads for a while, and A hears nothing of it: C has another record now.
  story.play(['Elect', 'B'], ['BecomeLeader', 'B', 2], ['BecomeFollower', 'C', 2], ...fetched('B', 'C'));
  story.play(['Write', 'B', '1'], ...fetched('B', 'C'));
  expect(story.log('C')).toEqual(['2@2']);
  story.play(['Elect', 'A'], ['BecomeLeader', 'A', 3], ['Write', 'A', '1'], ['ShrinkIsr', 'A', 'C']);
  story.play(['BecomeFollower', 'C', 3], ['SendFetch', 'C'], ['HandleFetch', 'A', 'C']);
  expect(story.at('A').remoteLeo.C).toBe(1);
  expect(story.whyNot('ExpandIsr', 'A', 'C')).toBe('A is not handling a fetch of C');
});

describe('eligible leader replicas (KIP-966)', () => {
  /** m1 is committed on both; then B lags, and leaves. */
  function lagging(): Story {
    const story = new Story(profiles.kafka_4_4, { minIsr: 2, eligibleLeaders: true });
    story.play(['Write', 'A', 'all'], ...fetched('A', 'B'), ...fetched('A', 'B'));
    story.play(['Write', 'A', '1'], ['ShrinkIsr', 'A', 'B']);
    return story;
  }

  test('who leaves an ISR that is too small then is one, and can be elected', () => {
    const story = lagging();
    expect(story.cluster.observe().elr).toEqual(['B']);
    story.play(['PowerLoss', 'A', 0], ['PartitionOffline']);
    expect(story.cluster.observe()).toMatchObject({ controller: { leader: 'none', isr: [] }, elr: ['A', 'B'] });

    story.play(['Elect', 'B'], ['BecomeLeader', 'B', 3]);
    expect(story.cluster.observe()).toMatchObject({ controller: { leader: 'B', isr: ['B'] }, elr: ['A'] });
    expect(story.log('B')).toEqual(['1@1']);
  });

  test('who stopped without a word is none when it is back', () => {
    const story = lagging();
    story.play(['PowerLoss', 'A', 0], ['PartitionOffline'], ['Restart', 'A']);
    expect(story.cluster.observe().elr).toEqual(['B']);
    expect(story.whyNot('Elect', 'A')).toBe('A is not in the ISR {}');
  });

  test('a member of the ISR cannot be back before it was taken out', () => {
    const story = lagging();
    story.play(['Crash', 'B'], ['Restart', 'B'], ['Crash', 'A']);
    expect(story.cluster.observe().elr).toEqual([]);
    expect(story.whyNot('Restart', 'A')).toMatch(/^A cannot return before the controller has /);
  });

  test('is taken for clean, so nobody need elect it uncleanly', () => {
    const story = lagging();
    story.play(['Crash', 'A']);
    expect(story.whyNot('ElectUnclean', 'B')).toBe('B can be elected cleanly: it is an eligible leader replica');
  });

  test('nobody is one who leaves an ISR that is large enough without it', () => {
    const three = { replicas: ['A', 'B', 'C'], minIsr: 2, eligibleLeaders: true };
    const story = new Story(profiles.kafka_4_4, three);
    story.play(['Write', 'A', '1'], ['ShrinkIsr', 'A', 'C']);
    expect(story.cluster.observe()).toMatchObject({ controller: { isr: ['A', 'B'] }, elr: [] });
    story.play(['ShrinkIsr', 'A', 'B']);
    expect(story.cluster.observe()).toMatchObject({ controller: { isr: ['A'] }, elr: ['B'] });
  });

  test('an ISR that is large enough has none beside it', () => {
    const story = lagging();
    story.play(...fetched('A', 'B'), ['SendFetch', 'B'], ['HandleFetch', 'A', 'B'], ['ExpandIsr', 'A', 'B']);
    expect(story.cluster.observe()).toMatchObject({ controller: { isr: ['A', 'B'] }, elr: [] });
  });
});
