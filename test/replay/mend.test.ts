import { describe, expect, test } from 'vitest';
import { judges, mend } from '../../src/replay/index.ts';
import { print } from '../../src/tla/index.ts';
import type { Trace } from '../../src/trace/index.ts';
import { argument, idsIn, listedClaim, recorded, recordedNames, step, stepsOf } from '../support/traces.ts';

type Told = readonly (string | number)[];

/** What the world decides whatever the rule: faults, restarts, writes, elections and who hears of them. */
const OF_THE_WORLD = new Set([
  ...['Write', 'BecomeLeader', 'BecomeFollower', 'ShrinkIsr', 'ExpandIsr', 'Elect', 'ElectUnclean'],
  ...['PartitionOffline', 'Crash', 'PowerLoss', 'Restart'],
]);

function ofTheWorld(steps: readonly Told[]): readonly Told[] {
  return steps.filter(([action]) => OF_THE_WORLD.has(String(action)));
}

/** The trace with a step more at its end; the states do not matter to a mend. */
function followedBy(trace: Trace, ...steps: Told[]): Trace {
  const last = trace.states.at(-1) as Trace['states'][0];
  return {
    ...trace,
    states: [...trace.states, ...steps.map(() => last)],
    actions: [...trace.actions, ...steps.map(([name, ...args]) => ({ name: String(name), args: args.map(argument) }))],
  };
}

describe.each(recordedNames.filter((name) => listedClaim(name).mendedBy))('the schedule of %s', (name) => {
  const trace = recorded(name);
  const { mendedBy = '' } = listedClaim(name);
  const result = mend(trace, mendedBy);

  test(`under ${mendedBy} keeps the property, and comes to one log`, () => {
    expect(result).toMatchObject({ kind: 'caughtUp', profile: mendedBy, broken: null });
    const last = result.trace.states.at(-1);
    expect(idsIn(last, 'B')).toEqual(idsIn(last, 'A'));
    expect(result.kind === 'caughtUp' && result.readBack).toEqual(idsIn(last, 'A'));
  });

  test(`under ${mendedBy} keeps what was acknowledged, but for what a loss of power took from a log`, () => {
    const { states } = result.trace;
    const taken = stepsOf(result.trace).flatMap(([action, replica], index) => {
      const after = idsIn(states[index + 1], String(replica));
      return action === 'PowerLoss' ? idsIn(states[index], String(replica)).filter((id) => !after.includes(id)) : [];
    });
    const readBack = result.kind === 'caughtUp' ? result.readBack : [];
    expect(readBack).toEqual(expect.arrayContaining(result.acked.filter((id) => !taken.includes(id))));
  });

  test(`under ${mendedBy} has the same faults, writes and elections in the same order`, () => {
    const steps = stepsOf(result.trace);
    expect(result.origins).toHaveLength(steps.length);
    const scheduled = steps.filter((_, index) => result.origins[index] === 'schedule');
    expect(ofTheWorld(scheduled)).toEqual(ofTheWorld(stepsOf(trace)));
    // Whatever is missing of the schedule is told, with its place and a reason.
    const told = new Map(result.leftOut.map((left) => [left.index, [left.step.action, ...left.step.args]]));
    const rest = stepsOf(trace).filter((_, index) => !told.has(index + 1));
    expect(scheduled).toEqual(rest);
    for (const [index, left] of told) expect(left).toEqual(stepsOf(trace)[index - 1]);
    for (const { reason } of result.leftOut) expect(reason).toMatch(/\w{2,}/);
  });

  // Of brokers in the middle of an upgrade none has a profile that is the whole cluster's.
  const isMixed = trace.constants?.has('Upgraded') === true;
  test.runIf(!isMixed && listedClaim(name).property[0]! in judges)('under its own profile loses what it lost', () => {
    const own = mend(trace, listedClaim(name).profile);
    expect(own.broken).toMatchObject({
      index: trace.states.length - 1,
      what: expect.stringMatching(/\bm\d+\b/),
    });
    expect(own.leftOut).toEqual([]);
    expect(stepsOf(own.trace).slice(0, trace.states.length - 1)).toEqual(stepsOf(trace));
  });
});

describe('the schedule of KIP-101', () => {
  const told = recorded('fast-restart-told');

  test('under KIP-101, step by step', () => {
    const result = mend(told, 'Kip101');
    expect(stepsOf(result.trace).map((one, index) => [result.origins[index], ...one])).toEqual([
      ['schedule', 'Write', 'A', 'all'],
      ['schedule', 'SendFetch', 'B'],
      ['schedule', 'HandleFetch', 'A', 'B'],
      ['schedule', 'HandleFetchResponse', 'B'],
      ['schedule', 'SendFetch', 'B'],
      ['schedule', 'HandleFetch', 'A', 'B'],
      ['schedule', 'Crash', 'B'],
      ['schedule', 'Restart', 'B'],
      ['schedule', 'BecomeFollower', 'B', 1],
      ['putIn', 'SendOffsetsForLeaderEpoch', 'B'],
      ['putIn', 'HandleOffsetsForLeaderEpoch', 'A', 'B'],
      ['putIn', 'HandleOffsetsForLeaderEpochResponse', 'B'],
      ['schedule', 'Crash', 'A'],
      ['schedule', 'Elect', 'B'],
      ['schedule', 'BecomeLeader', 'B', 2],
      ['catchingUp', 'Restart', 'A'],
      ['catchingUp', 'BecomeFollower', 'A', 2],
      ['catchingUp', 'SendOffsetsForLeaderEpoch', 'A'],
      ['catchingUp', 'HandleOffsetsForLeaderEpoch', 'B', 'A'],
      ['catchingUp', 'HandleOffsetsForLeaderEpochResponse', 'A'],
      ['catchingUp', 'SendFetch', 'A'],
      ['catchingUp', 'HandleFetch', 'B', 'A'],
      ['catchingUp', 'ExpandIsr', 'B', 'A'],
    ]);
    expect(result).toMatchObject({
      kind: 'caughtUp',
      leader: 'B',
      acked: [1],
      readBack: [1],
      leftOut: [],
      broken: null,
    });
    expect(result.trace.meta).toMatchObject({
      claim: 'fast-restart-told',
      mended: 'fast-restart-told',
      profile: 'Kip101',
    });
    expect(print(result.trace.constants?.get('Profile') as never)).toBe('"Kip101"');
  });

  test('under its own rule is not mended, and says so', () => {
    expect(mend(told, 'Kafka_0_10_2')).toMatchObject({
      kind: 'stuck',
      reason: 'no step leads further',
      acked: [1],
      broken: { index: 12, what: 'm1, committed at offset 0, is not in the log of the leader B' },
    });
  });

  test('with a step that the world cannot take is refused, with the reason', () => {
    const result = mend(followedBy(told, ['Crash', 'A'], ['Restart', 'A']), 'Kip101');
    expect(result).toMatchObject({
      kind: 'refused',
      index: 13,
      step: step('Crash', 'A'),
      reason: 'A is down',
      leftOut: [],
    });
    expect(result.origins).not.toContain('catchingUp');
    expect(stepsOf(result.trace).at(-1)).toEqual(['BecomeLeader', 'B', 2]);
  });

  test.each([
    ['a message', ['HandleFetchResponse', 'B'], 'no FetchResponse is under way to B'],
    ['a loss of a message', ['LoseMessage', 'B'], 'B has nothing under way'],
    ['a checkpoint', ['CheckpointHighWatermark', 'B'], 'the checkpoint of B follows its high watermark at once'],
  ] as [string, Told, string][])('without %s that there is not tells what was left out, and why', (_, left, reason) => {
    const [action, ...args] = left;
    const result = mend(followedBy(told, left), 'Kip101');
    expect(result).toMatchObject({ kind: 'caughtUp', readBack: [1], broken: null });
    expect(result.leftOut).toEqual([{ index: 13, step: step(String(action), ...args), reason }]);
  });
});
