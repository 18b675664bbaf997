import { beforeAll, describe, expect, test } from 'vitest';
import { compare } from '../../explorer/model/compare.ts';
import type { Library } from '../../explorer/model/data.ts';
import { parseRoute, printRoute } from '../../explorer/model/route.ts';
import { Session, withConstants } from '../../explorer/model/session.ts';
import { sessionOf, triedOf } from '../../explorer/model/tried.ts';
import { stepOf } from '../../src/replay/index.ts';
import { equal } from '../../src/tla/index.ts';
import { openLibrary } from './library.ts';

let library: Library;
beforeAll(async () => {
  library = await openLibrary();
});
const told = () => library.open('fast-restart-told')!;

describe('a session', () => {
  test('along a recorded trace has its states', () => {
    for (const name of library.names) {
      const opened = library.open(name)!;
      const session = Session.along(opened.trace, opened.last);
      expect(session.steps.length, name).toBe(opened.last);
      const wrong: string[] = [];
      for (const [index, state] of session.states.entries()) {
        for (const [variable, value] of state) {
          const recorded = opened.state(index).get(variable);
          if (recorded === undefined || !equal(value, recorded)) wrong.push(`${name} ${index} ${variable}`);
        }
      }
      expect(wrong).toEqual([]);
    }
  });

  test('says what can happen, and why the rest cannot', () => {
    const choices = Session.along(told().trace, 0).choices();
    const of = (action: string) => choices.find((choice) => choice.action === action)!;
    expect(of('SendFetch').possible).toEqual([{ action: 'SendFetch', args: ['B'] }]);
    expect(of('Restart').possible).toEqual([]);
    expect(of('Restart').reasons).toEqual(['A is leader, not down', 'B is follower, not down']);
    expect(of('HandleFetch')).toEqual({ action: 'HandleFetch', possible: [], reasons: [] });
  });

  test('breaks when the record is lost, and not before', () => {
    for (let steps = 0; steps < 11; steps++)
      expect(Session.along(told().trace, steps).broken(), `${steps}`).toEqual([]);
    const before = Session.along(told().trace, 11);
    expect(before.broken()).toEqual([]);
    const after = before.take(stepOf(told().action(12)!)!)!;
    expect(after.broken().map(({ property }) => property)).toEqual(['CommittedSurvives', 'AckedSurvives']);
    expect(after.undo().broken()).toEqual([]);
    expect(after.undo().steps).toHaveLength(11);
  });

  test('refuses what the protocol does not allow', () => {
    expect(Session.along(told().trace, 0).take({ action: 'Restart', args: ['A'] })).toBeNull();
    expect(Session.along(told().trace, 0).take({ action: 'Fly', args: [] })).toBeNull();
  });

  test('of three replicas runs as well', () => {
    const constants = withConstants(told().trace.constants!, { replicas: ['A', 'B', 'C'], rule: 'Kip320', minIsr: 2 });
    const session = Session.begin(constants);
    expect(session.opened.world(0).replicas.map(({ name }) => name)).toEqual(['A', 'B', 'C']);
    expect(session.config.minIsr).toBe(2);
  });

  test('goes through a URL and comes back', () => {
    const session = Session.along(told().trace, 9);
    const hash = printRoute({ mode: 'try', tried: triedOf(session, 'fast-restart-told', 'Kip101') });
    const read = sessionOf(library, parseRoute(hash)!.tried!);
    expect(read.problem).toBeNull();
    expect(read.session?.steps).toEqual(session.steps);
    expect(read.session?.opened.sentence(9)).toBe(told().sentence(9));
  });

  test('along any recorded trace goes through a URL and comes back: mixed rules, eligible leaders and all', () => {
    for (const name of library.names) {
      const opened = library.open(name)!;
      const session = Session.along(opened.trace, opened.last);
      const read = sessionOf(
        library,
        parseRoute(printRoute({ mode: 'try', tried: triedOf(session, name, undefined) }))!.tried!,
      );
      expect(read.problem, name).toBeNull();
      const [one, other] = [session.states.at(-1)!, read.session!.states.at(-1)!];
      for (const [variable, value] of one) expect(equal(value, other.get(variable)!), `${name} ${variable}`).toBe(true);
    }
  });

  test('from a link that no longer works goes as far as it can, and says so', () => {
    const read = sessionOf(library, parseRoute('#try?rule=Kip101&replicas=A.B&do=SendFetch.B~Restart.A')!.tried!);
    expect(read.session?.steps).toHaveLength(1);
    expect(read.problem).toBe('This link could be followed for 1 steps: Restart(A) is not possible after them.');
    const unknown = sessionOf(library, parseRoute('#try?rule=Kip9&replicas=A.B')!.tried!);
    expect(unknown.session).toBeNull();
    expect(unknown.problem).toContain('There is no profile "Kip9"');
  });
});

describe('a schedule under two rules', () => {
  test('of the data loss is saved by KIP-101, which asks first', () => {
    const { outcome, moments, other } = compare(told().trace, 'Kip101');
    expect(outcome).toEqual({
      good: true,
      text: 'Saved. Under KIP-101 a consumer reads m1 back from B, and all logs agree.',
    });
    expect(moments.filter(({ kind }) => kind === 'putIn').map(({ right }) => other.action(right)?.name)).toEqual([
      'SendOffsetsForLeaderEpoch',
      'HandleOffsetsForLeaderEpoch',
      'HandleOffsetsForLeaderEpochResponse',
    ]);
  });

  test('of the data loss is not saved by itself', () => {
    expect(compare(told().trace, 'Kafka_0_10_2').outcome).toEqual({
      good: false,
      text: 'Under Kafka 0.10.2 it breaks too: m1, committed at offset 0, is not in the log of the leader B.',
    });
  });

  test('goes through all steps of both sides, in order, one at a time', () => {
    for (const name of library.names) {
      const opened = library.open(name)!;
      for (const rule of ['Kip101', 'Kafka_2_8']) {
        const { moments, other, result } = compare(opened.trace, rule);
        const last = moments.at(-1)!;
        expect([last.left, last.right], `${name} ${rule}`).toEqual([
          opened.last,
          result.kind === 'refused' ? last.right : other.last,
        ]);
        for (const [at, { left, right }] of moments.entries()) {
          const before = moments[at - 1] ?? { left, right };
          expect([left - before.left, right - before.right].every((step) => step === 0 || step === 1)).toBe(true);
        }
      }
    }
  });
});
