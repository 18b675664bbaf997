import { describe, expect, it, test } from 'vitest';
import { judge, Run } from '../../src/replay/index.ts';
import type { WorldStep } from '../../src/systems/system.ts';

const REPLICAS = ['A', 'B', 'C'];

const asked = (follower: string, leader: string): WorldStep[] => [
  { action: 'SendOffsetsForLeaderEpoch', args: [follower] },
  { action: 'HandleOffsetsForLeaderEpoch', args: [leader, follower] },
  { action: 'HandleOffsetsForLeaderEpochResponse', args: [follower] },
];
const fetchIsHandled = (follower: string, leader: string): WorldStep[] => [
  { action: 'SendFetch', args: [follower] },
  { action: 'HandleFetch', args: [leader, follower] },
];
const fetched = (follower: string, leader: string): WorldStep[] => [
  ...fetchIsHandled(follower, leader),
  { action: 'HandleFetchResponse', args: [follower] },
];
const elected = (id: string, epoch: number): WorldStep[] => [
  { action: 'Elect', args: [id] },
  { action: 'BecomeLeader', args: [id, epoch] },
];

/** `cut`: how C, which follows B then, and B, which follows A then, come to have what their leader has, and A to know it of B. */
function schedule(cut: { readonly c: readonly WorldStep[]; readonly b: readonly WorldStep[] }): WorldStep[] {
  return [
    { action: 'Write', args: ['A', '1'], id: 1 },
    // A knows that C has the record. B has nothing, and leads for a while; A hears nothing of that.
    ...fetched('C', 'A'),
    ...fetchIsHandled('C', 'A'),
    ...elected('B', 2),
    { action: 'BecomeFollower', args: ['C', 2] },
    ...cut.c,
    // A leads again. It takes what it knew of C for what C has, and commits the record when B has it.
    ...elected('A', 3),
    { action: 'BecomeFollower', args: ['B', 3] },
    ...cut.b,
    ...elected('C', 4),
  ];
}

const byQuestion = schedule({
  c: asked('C', 'B'),
  b: [...asked('B', 'A'), ...fetched('B', 'A'), ...fetchIsHandled('B', 'A')],
});
const insideFetch = schedule({
  c: fetched('C', 'B'),
  b: [...fetched('B', 'A'), ...fetched('B', 'A'), ...fetchIsHandled('B', 'A')],
});

function broken(profile: string, steps: readonly WorldStep[]): string | null {
  const run = new Run({
    ...{
      replicas: REPLICAS,
      firstLeader: 'A',
      minIsr: 1,
      lazyCheckpoint: false,
      resumeSameEpoch: false,
      oldNews: false,
    },
    profileOf: Object.fromEntries(REPLICAS.map((id) => [id, profile])),
  });
  for (const step of steps) {
    const outcome = run.step(step);
    if (outcome.kind === 'refused') return `${step.action}(${step.args.join(', ')}): ${outcome.reason}`;
  }
  return judge('CommittedSurvives', run.observe(), run.ghosts);
}

// Found by a simulation of 20,000 steps. Kafka's classes of 2.0.1, 2.8.2, 3.4.0, 3.9.1 and 4.4.0 go the same way.
describe('a leader that is elected again, and has heard nothing of the epoch between', () => {
  const lost = 'm1, committed at offset 0, is not in the log of the leader C';

  test.each(['Kafka_2_0_1', 'Kafka_2_1', 'Kip320'])('commits what a follower has no longer, %s', (profile) => {
    expect(broken(profile, byQuestion)).toBe(lost);
  });

  test.each(['Kafka_2_8', 'Kafka_3_5', 'Kafka_3_9', 'Kafka_4_4'])(
    'commits what a follower has no longer, %s',
    (profile) => {
      expect(broken(profile, insideFetch)).toBe(lost);
    },
  );

  it('does not, if it has followed in that epoch', () => {
    const isDeposed = (step: WorldStep) => step.action === 'BecomeLeader' && step.args[0] === 'B';
    const heard = byQuestion.flatMap((step) =>
      isDeposed(step) ? [step, { action: 'BecomeFollower', args: ['A', 2] } as const] : [step],
    );
    expect(broken('Kip320', heard)).toBeNull();
  });
});
