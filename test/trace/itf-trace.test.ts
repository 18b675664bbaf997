import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { int, model, parse, record, set, str, tuple } from '../../src/tla/index.ts';
import { type ActionTaken, parseItf, printItf, type Trace } from '../../src/trace/index.ts';
import { text, value } from '../tla/arbitrary.ts';

function fixture(name: string): string {
  return readFileSync(new URL(`../fixtures/itf/${name}`, import.meta.url), 'utf8');
}

const counter = (index: number) => new Map([['x', int(index)]]);

describe('variables, notes and constants (ADR-015)', () => {
  test('vars is the order of display, each once; #meta and mbt:: are none of them', () => {
    const trace = parseItf(`{
      "vars": ["b", "a", "m::x", "mbt::actionTaken", "mbt::actionTaken", "b", "#meta"],
      "states": [{"#meta": {"index": 0}, "m::x": 3, "a": 1, "b": 2, "mbt::actionTaken": "init", "unknown": null}]
    }`);
    expect(trace.vars).toEqual(['b', 'a', 'm::x']);
    expect([...trace.states[0]!]).toEqual([
      ['b', int(2)],
      ['a', int(1)],
      ['m::x', int(3)],
    ]);
  });

  test('a constant is given by state 0 and not needed later', () => {
    const trace = parseItf(fixture('apalache-params-lasso.itf.json'));
    expect(trace.constants).toEqual(new Map([['N', int(3)]]));
    expect(trace.loop).toBe(1);
    expect(trace.states[2]).toEqual(
      new Map([
        ['x', int(2)],
        ['seen', set([int(0), int(1)])],
        ['all', model('Int')],
      ]),
    );
    expect(trace.actions).toEqual([null, null, null]);
    expect(trace.meta).toEqual({
      varTypes: { N: 'Int', x: 'Int', seen: 'Set(Int)', all: 'Set(Int)' },
      description: 'Created by Apalache on Tue Nov 25 12:00:00 UTC 2025',
    });
    expect(parseItf(printItf(trace))).toEqual(trace);
  });

  test('null is nothing, as writers have it that keep a place for everything', () => {
    const nothing = '"#meta":null,"params":null,"loop":null';
    const trace = parseItf(`{${nothing},"vars":["x"],"states":[{"#meta":null,"x":0}]}`);
    expect(trace).toEqual(parseItf('{"#meta":{"format":null},"vars":["x"],"states":[{"x":0}]}'));
    expect(trace).toEqual({ vars: ['x'], states: [counter(0)], actions: [null], meta: {} });
  });

  test('a list of one trace is that trace, as Quint has written it (quint#1448)', () => {
    expect(parseItf('[{"vars":["x"],"states":[{"x":0}]}]').states).toEqual([counter(0)]);
  });

  test('notes are passed through, exact to the last bit of a fingerprint', () => {
    const meta =
      '{"format": "ITF", "claim": "fast-restart", "fp": 1234567890123456789, "ms": 1.5, "jar": {"sha": null}}';
    const trace = parseItf(`{"#meta": ${meta}, "vars": [], "states": [{}]}`);
    expect(trace.meta).toEqual({ claim: 'fast-restart', fp: 1234567890123456789n, ms: 1.5, jar: { sha: null } });
    expect(parseItf(printItf(trace))).toEqual(trace);
  });
});

describe('loop counts from 0, TLC from 1', () => {
  const withLoop = (loop: string) => parseItf(`{"vars":["x"],${loop}"states":[{"x":0},{"x":1},{"x":2}]}`);

  test.each([0, 1, 2])('back to index %i', (loop) => {
    const trace = withLoop(`"loop":${loop},`);
    expect(trace.loop).toBe(loop);
    expect(parseItf(printItf(trace))).toEqual(trace);
  });

  test('absent in a finite trace', () => {
    expect('loop' in withLoop('')).toBe(false);
  });

  test.each(['3', '-1', '99999999999999999999'])('%s is the index of no state', (loop) => {
    expect(() => withLoop(`"loop":${loop},`)).toThrow(
      `loop: expected the index of a state, 0 to 2, found ${loop}. ITF counts states from 0, TLC from 1.`,
    );
  });
});

describe('actions, as the tools of Quint write them', () => {
  test('a trace of Quint gives names and named choices', () => {
    const trace = parseItf(fixture('quint-mbt.itf.json'));
    expect(trace.vars).toEqual(['replica::log', 'leader', 'votes']);
    expect(trace.actions).toEqual([
      null,
      { name: 'elect', picks: new Map([['node', str('n1')]]) },
      {
        name: 'write',
        picks: new Map([
          ['node', str('n1')],
          ['amount', int(1)],
        ]),
      },
    ]);
    expect(trace.states[1]!.get('votes')).toEqual(record({ n1: int(2) }));
    expect(trace.states[0]!.get('votes')).toEqual(tuple([]));
    expect(parseItf(printItf(trace))).toEqual(trace);
  });

  test('arguments by position are one choice, args; unknown ones are none', () => {
    const actions: (ActionTaken | null)[] = [
      null,
      { name: 'Write', args: [str('A'), int(1)], location: 'line 7, col 17 to line 7, col 62 of module Par' },
      { name: 'Tick', args: [] },
      { name: 'Elect' },
      null,
    ];
    const trace: Trace = {
      vars: ['x'],
      states: [0, 1, 2, 3, 4].map(counter),
      actions,
      loop: 2,
      loopAction: { name: 'Restart', args: [str('B')], location: 'line 9' },
      meta: { description: 'five steps', claim: 'fast-restart' },
    };
    const written = printItf(trace);
    expect(parseItf(written)).toEqual(trace);
    expect(written).toBe(`{
  "#meta": {
    "format": "ITF",
    "format-description": "https://apalache-mc.org/docs/adr/015adr-trace.html",
    "description": "five steps",
    "claim": "fast-restart",
    "loopAction": {"mbt::actionTaken":"Restart","mbt::nondetPicks":{"args":{"tag":"Some","value":["B"]}},"location":"line 9"}
  },
  "vars": ["x","mbt::actionTaken","mbt::nondetPicks"],
  "loop": 2,
  "states": [
    {
      "#meta": {"index":0},
      "x": {"#bigint":"0"},
      "mbt::actionTaken": "init",
      "mbt::nondetPicks": {}
    },
    {
      "#meta": {"index":1,"location":"line 7, col 17 to line 7, col 62 of module Par"},
      "x": {"#bigint":"1"},
      "mbt::actionTaken": "Write",
      "mbt::nondetPicks": {"args":{"tag":"Some","value":["A",{"#bigint":"1"}]}}
    },
    {
      "#meta": {"index":2},
      "x": {"#bigint":"2"},
      "mbt::actionTaken": "Tick",
      "mbt::nondetPicks": {"args":{"tag":"Some","value":[]}}
    },
    {
      "#meta": {"index":3},
      "x": {"#bigint":"3"},
      "mbt::actionTaken": "Elect",
      "mbt::nondetPicks": {}
    },
    {
      "#meta": {"index":4},
      "x": {"#bigint":"4"},
      "mbt::actionTaken": "",
      "mbt::nondetPicks": {}
    }
  ]
}
`);
  });

  test('a choice without its option is taken for itself', () => {
    const picks = '{"args": {"#tup": [1]}, "node": "n1"}';
    const state = `{"x": 0, "mbt::actionTaken": "A", "mbt::nondetPicks": ${picks}}`;
    const trace = parseItf(`{"vars": ["x"], "states": [${state}, ${state}]}`);
    expect(trace.actions).toEqual([null, { name: 'A', args: [int(1)], picks: new Map([['node', str('n1')]]) }]);
  });
});

describe('round trip', () => {
  const action: fc.Arbitrary<ActionTaken | null> = fc.option(
    fc
      .record(
        {
          name: fc.constantFrom('init', 'Write', 'BecomeLeader'),
          args: fc.array(value, { maxLength: 3 }),
          picks: fc.array(fc.tuple(fc.constantFrom('node', '__proto__', 'amount'), value), {
            minLength: 1,
            maxLength: 2,
          }),
          location: text,
        },
        { requiredKeys: ['name'] },
      )
      .map(({ picks, ...rest }) => ({ ...rest, ...(picks ? { picks: new Map(picks) } : {}) })),
  );
  const names = fc.uniqueArray(fc.constantFrom('log', 'hw', 'm::x', '__proto__', 'é', 'isr'), { maxLength: 4 });
  // JSON text has no -0: what it can hold is what comes back from it.
  const json = fc.jsonValue({ maxDepth: 3, noUnicodeString: false }).map((value) => JSON.parse(JSON.stringify(value)));
  const meta = fc.dictionary(
    fc.constantFrom('claim', 'description', 'jar', 'fp'),
    fc.oneof(json, fc.bigInt({ min: 2n ** 60n })),
  );
  const trace: fc.Arbitrary<Trace> = fc.tuple(names, fc.integer({ min: 1, max: 4 })).chain(([vars, length]) =>
    fc
      .record({
        states: fc.array(fc.tuple(...vars.map(() => value)), { minLength: length, maxLength: length }),
        actions: fc.array(action, { minLength: length, maxLength: length }),
        loop: fc.option(fc.integer({ min: 0, max: length - 1 })),
        loopAction: action,
        constants: fc.array(fc.tuple(fc.constantFrom('N', 'Replicas'), value), { maxLength: 2 }),
        meta,
      })
      .map(({ states, actions, loop, loopAction, constants, meta }) => ({
        vars,
        states: states.map((values) => new Map(vars.map((name, index) => [name, values[index]!]))),
        actions: [null, ...actions.slice(1)],
        ...(loop !== null ? { loop } : {}),
        ...(loop !== null && loopAction !== null ? { loopAction } : {}),
        ...(constants.length > 0 ? { constants: new Map(constants) } : {}),
        meta: { ...meta },
      })),
  );

  test('what printItf writes, parseItf reads back', () => {
    fc.assert(
      fc.property(trace, (t) => {
        const written = printItf(t);
        expect(parseItf(written)).toEqual(t);
        expect(JSON.parse(written)).toMatchObject({ '#meta': { format: 'ITF' } });
      }),
    );
  });

  test('each state has the variables in their order, however its source had them', () => {
    const states = [
      new Map([
        ['a', int(2)],
        ['b', int(1)],
      ]),
    ];
    const written = printItf({ vars: ['b', 'a'], states, actions: [null], meta: {} });
    expect(Object.keys(JSON.parse(written).states[0])).toEqual(['#meta', 'b', 'a']);
    expect([...parseItf(written).states[0]!.keys()]).toEqual(['b', 'a']);
  });
});

describe('printItf refuses what is no trace: our own mistake', () => {
  const good: Trace = { vars: ['x'], states: [counter(0), counter(1)], actions: [null, { name: 'A' }], meta: {} };
  const cases: [change: Partial<Trace>, message: string][] = [
    [{ states: [], actions: [] }, 'a trace has at least one state'],
    [{ actions: [null] }, 'a trace has one action for each of 2 states, not 1'],
    [{ actions: [{ name: 'A' }, null] }, 'no action leads to state 0'],
    [{ actions: [null, { name: '' }] }, 'an action has a name, or is null'],
    [{ loop: 2 }, 'no state has index 2'],
    [{ loopAction: { name: 'A' } }, 'an action that closes the loop needs a loop'],
    [{ vars: ['x', 'x'] }, 'a trace names each variable once'],
    [{ vars: ['mbt::x'] }, '#meta and mbt:: are no variables: mbt::x'],
    [{ states: [counter(0), new Map([['y', parse('1')]])] }, 'state 1 has the variables y, not x'],
  ];
  test.each(cases)('%j', (change, message) => {
    expect(() => printItf({ ...good, ...change })).toThrow(new TypeError(message));
  });
});
