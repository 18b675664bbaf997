import { describe, expect, test } from 'vitest';
import { profiles } from '../../src/replica/index.ts';
import { Story } from './story.ts';

const three = { replicas: ['A', 'B', 'C'] };

function controller(story: Story) {
  return story.cluster.observe().controller;
}

describe('elections', () => {
  test('go to a live member of the ISR, and the dead drop out', () => {
    const story = new Story(profiles.kip320, three);
    story.play(['Crash', 'A']);
    expect(story.whyNot('Elect', 'A')).toBe('A is down');
    story.play(['Elect', 'C']);
    expect(controller(story)).toEqual({ epoch: 2, leader: 'C', isr: ['B', 'C'] });
  });

  test('may move leadership from a live leader, or elect it again when a follower is dead', () => {
    const story = new Story(profiles.kip320, three);
    expect(story.whyNot('Elect', 'A')).toBe('A leads already, and no member of the ISR is dead');
    story.play(['Elect', 'B']);
    expect(controller(story)).toEqual({ epoch: 2, leader: 'B', isr: ['A', 'B', 'C'] });
    story.play(['Crash', 'C'], ['Elect', 'B']);
    expect(controller(story)).toEqual({ epoch: 3, leader: 'B', isr: ['A', 'B'] });
  });

  test('pass over who is not in sync', () => {
    const story = new Story(profiles.kip320);
    story.play(['ShrinkIsr', 'A', 'B']);
    expect(story.whyNot('Elect', 'B')).toBe('B is not in the ISR {A}');
  });

  test('are unclean only if the whole ISR is down', () => {
    const story = new Story(profiles.kip320);
    story.play(['ShrinkIsr', 'A', 'B']);
    expect(story.whyNot('ElectUnclean', 'B')).toBe('A of the ISR can be elected');
    story.play(['Crash', 'A'], ['ElectUnclean', 'B']);
    expect(controller(story)).toEqual({ epoch: 2, leader: 'B', isr: ['B'] });
  });

  test('take a partition offline in an epoch of its own, until a member of the ISR returns', () => {
    const story = new Story(profiles.kip320);
    expect(story.whyNot('PartitionOffline')).toBe('A and B of the ISR can be elected');
    story.play(['ShrinkIsr', 'A', 'B'], ['Crash', 'A'], ['PartitionOffline']);
    expect(controller(story)).toEqual({ epoch: 2, leader: 'none', isr: ['A'] });
    expect(story.whyNot('PartitionOffline')).toBe('the partition is offline already');
    expect(story.whyNot('BecomeFollower', 'B', 2)).toBe('epoch 2 has no leader for B to follow');
    story.play(['Restart', 'A'], ['Elect', 'A'], ['BecomeLeader', 'A', 3]);
    expect(controller(story)).toEqual({ epoch: 3, leader: 'A', isr: ['A'] });
  });
});

describe('news of an election', () => {
  test('comes in any order to one that runs, where old news is about', () => {
    const story = new Story(profiles.kip320, { ...three, oldNews: true });
    story.play(['Elect', 'B'], ['Elect', 'C']);
    expect(story.cluster.observe().oldNews).toEqual([
      { epoch: 1, leader: 'A', isr: ['A', 'B', 'C'] },
      { epoch: 2, leader: 'B', isr: ['A', 'B', 'C'] },
    ]);
    story.play(['BecomeLeader', 'B', 2], ['BecomeFollower', 'A', 3]);
    expect(story.whyNot('BecomeFollower', 'A', 2)).toBe('A has heard of epoch 3 already');
    expect(story.at('B')).toMatchObject({ role: 'leader', leaderEpoch: 2 });
  });

  test('is only the newest for one that has just started, or where no old news is about', () => {
    const story = new Story(profiles.kip320, { ...three, oldNews: true });
    story.play(['Elect', 'B'], ['Crash', 'A'], ['Restart', 'A'], ['Elect', 'C']);
    expect(story.whyNot('BecomeFollower', 'A', 2)).toBe('A has just started and is told the newest');
    story.play(['BecomeFollower', 'A', 3]);

    const only = new Story(profiles.kip320, three);
    only.play(['Elect', 'B'], ['Elect', 'C']);
    expect(only.cluster.observe().oldNews).toEqual([]);
    expect(only.whyNot('BecomeLeader', 'B', 2)).toBe('there is no news of epoch 2 for B to hear');
  });

  test('brings the ISR as it is now', () => {
    const story = new Story(profiles.kip320, { ...three, resumeSameEpoch: true });
    story.play(['ShrinkIsr', 'A', 'C'], ['Crash', 'A'], ['Restart', 'A'], ['BecomeLeader', 'A', 1]);
    expect(story.at('A').isr).toEqual(['A', 'B']);
  });
});
