import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ghosts, mapping, toObservation, toState } from '../../src/replay/index.ts';
import { profiles } from '../../src/replica/index.ts';
import { equal, parse, parseState } from '../../src/tla/index.ts';
import type { State } from '../../src/trace/index.ts';
import { recorded, recordedNames } from '../support/traces.ts';
import { Wanderer } from '../support/walk.ts';

/** `kafka_0_10_2` of src/replica is `Kafka_0_10_2` of the specification. */
const PROFILES = Object.keys(profiles).map((name) => name.charAt(0).toUpperCase() + name.slice(1));

describe('the mapping', () => {
  test('shows the fields of a system as values of the specification', () => {
    const shown = {
      log: { A: [{ id: 1, epoch: 1 }], B: [] },
      isr: { A: ['B', 'A'], B: [] },
      remoteLeo: { A: { A: -1, B: 0 }, B: { A: -1, B: -1 } },
      controller: { epoch: 1, leader: 'A', isr: ['A', 'B'] },
      network: [
        {
          type: 'OffsetsForLeaderEpochRequest',
          follower: 'B',
          leader: 'A',
          incarnation: 0,
          leaderEpoch: 1,
          asked: -1,
        },
      ],
      acked: [{ id: 1, acks: 'all' }],
    };
    const expected = parseState(`/\\ log = [A |-> <<[id |-> 1, epoch |-> 1]>>, B |-> <<>>]
/\\ isr = [A |-> {"A", "B"}, B |-> {}]
/\\ remoteLeo = [A |-> [A |-> -1, B |-> 0], B |-> [A |-> -1, B |-> -1]]
/\\ controller = [epoch |-> 1, leader |-> "A", isr |-> {"A", "B"}]
/\\ network = {[type |-> "OffsetsForLeaderEpochRequest", follower |-> "B", leader |-> "A", incarnation |-> 0, leaderEpoch |-> 1, asked |-> -1]}
/\\ acked = {[id |-> 1, acks |-> "all"]}`);
    expect(toState(shown)).toEqual(expected);
  });

  test('leaves out what a system does not show', () => {
    expect([...toState({ hw: { A: 0 }, somethingElse: 1 }).keys()]).toEqual(['hw']);
    expect(toObservation(new Map([['hw', parse('[A |-> 3]')]]))).toEqual({ hw: { A: 3 } });
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['a text for a number', { hw: { A: '1' } }, 'hw.A: expected an integer, found "1"'],
    ['a number that is no integer', { hw: { A: 0.5 } }, 'hw.A: expected an integer, found 0.5'],
    ['a list for an object', { role: ['leader'] }, 'role: expected an object, found ["leader"]'],
    ['an object for a list', { pending: { A: {} } }, 'pending.A: expected an array, found {}'],
    ['a record without a field', { log: { A: [{ id: 1 }] } }, 'log.A[0].epoch: expected an integer, found undefined'],
    [
      'a message of no known type',
      { network: [{ type: 'Hello' }] },
      'network[0]: expected one of FetchRequest, FetchResponse, OffsetsForLeaderEpochRequest, OffsetsForLeaderEpochResponse, found "Hello"',
    ],
  ])('tells the variable that has %s', (_, shown, message) => {
    expect(() => toState(shown)).toThrow(message);
  });

  test.each<[string, string, string, string]>([
    ['a sequence for a set', 'pending', '[A |-> <<1>>]', 'pending: expected a set, found '],
    ['a set for a sequence', 'log', '[A |-> {}]', 'log: expected a sequence, found '],
    ['a number for a text', 'role', '[A |-> 1]', 'role: expected a string, found '],
    ['a record without a field', 'controller', '[epoch |-> 1]', 'controller: expected leader, found '],
    ['no function at all', 'hw', '7', 'hw: expected a function, found '],
  ])('tells the variable of a trace that has %s', (_, variable, value, message) => {
    expect(() => toObservation(new Map([[variable, parse(value)]]))).toThrow(message);
  });

  test.each(recordedNames)('goes there and back for each state of %s', (name) => {
    const { states, vars } = recorded(name);
    const remembered = vars.includes('readable') ? ['readable'] : [];
    const names = [...Object.keys(mapping), ...Object.keys(ghosts), ...remembered];
    for (const state of states) {
      const back: State = toState(toObservation(state));
      expect([...back.keys()].toSorted()).toEqual(names.toSorted());
      for (const variable of names) expect(equal(back.get(variable)!, state.get(variable)!), variable).toBe(true);
    }
  });

  test('goes there and back for whatever the implementation shows', () => {
    const run = fc.record({
      profile: fc.constantFrom(...PROFILES),
      seed: fc.integer({ min: 0, max: 1_000_000 }),
      replicas: fc.constantFrom(['A', 'B'], ['A', 'B', 'C']),
      options: fc.record({
        minIsr: fc.constantFrom(1, 2),
        lazyCheckpoint: fc.boolean(),
        resumeSameEpoch: fc.boolean(),
        oldNews: fc.boolean(),
      }),
    });
    fc.assert(
      fc.property(run, (options) => {
        const wanderer = new Wanderer(options);
        for (let taken = 0; taken < 80 && wanderer.step() !== null; taken++) {
          const shown = { ...wanderer.run.observe(), ...wanderer.run.ghosts };
          expect(inOrder(toObservation(toState(shown)))).toEqual(inOrder(shown));
        }
      }),
      { numRuns: 60 },
    );
  });
});

/** Of sets, the order says nothing; and what was acknowledged twice was acknowledged. */
function inOrder(shown: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const sets = ['network', 'oldNews', 'acked', 'committed', 'destroyed'];
  const ordered = sets.map((name) => {
    const members = (shown[name] as readonly unknown[]).map((member): [string, unknown] => [textOf(member), member]);
    return [name, [...new Map(members.toSorted(([a], [b]) => (a < b ? -1 : 1))).values()]];
  });
  return { ...shown, ...Object.fromEntries(ordered) };
}

function textOf(member: unknown): string {
  return JSON.stringify(member, (_, part) =>
    typeof part === 'object' && part !== null && !Array.isArray(part) ? Object.entries(part).sort() : part,
  );
}
