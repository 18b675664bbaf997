import { describe, expect, test } from 'vitest';
import { conclude } from '../../src/report/conclusion.ts';
import { tellSteps } from '../../src/report/steps.ts';
import { parse } from '../../src/tla/index.ts';
import { ending, fixture } from './support.ts';

function conclusionOf(name: string, property?: string): readonly string[] {
  return conclude(tellSteps(fixture(name)), property).lines;
}

describe('what a trace shows', () => {
  const cases: [property: string, fixture: string, conclusion: string][] = [
    [
      'CommittedSurvives',
      'FastRestartTold',
      'CommittedSurvives is broken: m1 was committed at offset 0 and its producer was told that it is stored, but the log of B, the leader of epoch e2, ends at offset 0. B lost it in step 9. Only A still has it, and is down.',
    ],
    [
      'CommittedSurvives',
      'Kip101NotForEver',
      'CommittedSurvives is broken: m1 was committed at offset 0 and its producer was told that it is stored, but the log of B, the leader of epoch e4, has m2·e2 there. B never had it. A still has it.',
    ],
    ['CommittedSurvives', 'unclean-election', 'CommittedSurvives is not broken in the last state.'],
    [
      'CommittedSurvivesAnything',
      'unclean-election',
      'CommittedSurvivesAnything is broken: m2 was committed at offset 1 and its producer was told that it is stored, but the log of B, the leader of epoch e3, has m3·e3 there. B never had it. No log has it any more.',
    ],
    [
      'AckedSurvives',
      'FastRestartTold',
      'AckedSurvives is broken: The producer of m1 asked for acks=all and was told that it is stored, but it is not in the log of B, the leader of epoch e2. B lost it in step 9.',
    ],
    [
      'FollowerAgrees',
      'HardFailuresTold',
      'FollowerAgrees is broken: A follows B in epoch e2 and has finished its truncation, but at offset 1 A has m2·e1 and B has m3·e2. They stay so: a follower only appends.',
    ],
    [
      'NoDivergence',
      'NoUncleanElectionNeeded',
      'NoDivergence is broken: At offset 0 A has m1·e1 and B has m2·e2, and both high watermarks (1 and 1) say that this is committed. No election was unclean.',
    ],
    [
      'LogMatching',
      'same-epoch-resumed',
      'LogMatching is broken: At offset 0 both A and B have a record of epoch e1, but not the same: m2·e1 and m1·e1.',
    ],
    ['NoDivergence', 'SecondRoundTold', 'NoDivergence is not broken in the last state.'],
    ['Termination', 'SecondRoundTold', 'Here the trace ends; its property is Termination.'],
  ];
  test.each(cases)('%s, %s', (property, name, conclusion) => {
    expect(conclusionOf(name, property)).toEqual([conclusion]);
  });

  test('logs that match at an offset, but not before it', () => {
    const trace = ending(fixture('SecondRoundTold'), 'log', () =>
      parse(
        '[A |-> <<[id |-> 1, epoch |-> 1], [id |-> 3, epoch |-> 3]>>, B |-> <<[id |-> 2, epoch |-> 2], [id |-> 3, epoch |-> 3]>>]',
      ),
    );
    expect(conclude(tellSteps(trace), 'LogMatching').lines).toEqual([
      'LogMatching is broken: At offset 1 both A and B have a record of epoch e3, but before it, at offset 0, A has m1·e1 and B has m2·e2.',
    ]);
  });

  test('epochs that go down along a log', () => {
    const trace = ending(fixture('SecondRoundTold'), 'log', () =>
      parse('[A |-> <<[id |-> 2, epoch |-> 2], [id |-> 1, epoch |-> 1]>>, B |-> <<[id |-> 9, epoch |-> 7]>>]'),
    );
    expect(conclude(tellSteps(trace), 'EpochsMonotone').lines).toEqual([
      'EpochsMonotone is broken: At offset 1 A has m1·e1, after one of e2. At offset 0 B has m9·e7, although no election has come so far.',
    ]);
  });

  test('a cache that gives a record another epoch', () => {
    const trace = ending(fixture('SecondRoundTold'), 'epochCache', () =>
      parse('[A |-> <<>>, B |-> <<[epoch |-> 1, start |-> 0]>>]'),
    );
    expect(conclude(tellSteps(trace), 'CacheMatchesLog').lines).toEqual([
      'CacheMatchesLog is broken: At offset 0 A has m1·e1, for which its epoch cache has no epoch. At offset 1 A has m2·e2, for which its epoch cache has no epoch. At offset 1 B has m2·e2, for which its epoch cache has epoch e1.',
    ]);
  });
});

describe('without a property', () => {
  test('all that is broken is told', () => {
    expect(conclusionOf('FastRestartTold').map((line) => line.split(':')[0])).toEqual([
      'CommittedSurvives is broken',
      'AckedSurvives is broken',
    ]);
  });

  test('nothing may be broken', () => {
    expect(conclusionOf('FastRestartToldKip101')).toEqual(['Nothing is broken in the last state.']);
  });
});
