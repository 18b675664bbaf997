import { expect, test } from 'vitest';
import { int, model, str, tuple } from '../../src/tla/index.ts';
import { isOfToolbox, parseToolbox } from '../../src/trace/index.ts';

const exported = `<<
[
 _TEAction |-> [
   position |-> 1,
   name |-> "Initial predicate",
   location |-> "Unknown location"
 ],
 hw |-> (r1 :> 0 @@ r2 :> 0),
 log |-> <<>>
],
[
 _TEAction |-> [
   position |-> 2,
   name |-> "Write",
   location |-> "line 14, col 6 to line 16, col 19 of module Log"
 ],
 hw |-> (r1 :> 1 @@
  r2 :> 0),
 log |-> <<"m1">>
]
>>
`;
const bare = '<< [ x |-> 1 ], [ x |-> 2 ] >>';

test('a trace that the Toolbox exported is read, with its actions', () => {
  expect(isOfToolbox(exported)).toBe(true);
  const { actions, states, vars, ...rest } = parseToolbox(exported);
  expect(vars).toEqual(['hw', 'log']);
  expect(actions).toEqual([null, { name: 'Write', location: 'line 14, col 6 to line 16, col 19 of module Log' }]);
  expect(states.map((state) => state.get('log'))).toEqual([tuple([]), tuple([str('m1')])]);
  expect(states[1]?.get('hw')).toEqual({
    kind: 'function',
    entries: [
      [model('r1'), int(1)],
      [model('r2'), int(0)],
    ],
  });
  expect(rest).toEqual({ meta: { source: 'the Toolbox' } });
});

test.each([
  ['by Windows', exported.replaceAll('\n', '\r\n')],
  ['with the mark of a byte order', `\uFEFF${exported}`],
])('the same, written %s', (_how, text) => {
  expect(isOfToolbox(text)).toBe(true);
  expect(parseToolbox(text)).toEqual(parseToolbox(exported));
});

test('states without actions are a trace as well', () => {
  const { actions, states } = parseToolbox(bare);
  expect([actions, states]).toEqual([
    [null, null],
    [new Map([['x', int(1)]]), new Map([['x', int(2)]])],
  ]);
});

test.each([
  ['is printed by a specification', `${bare}\nState 1: <Initial predicate>\nx = 1\n\n<<[x |-> 1]>>`],
  ['has no states', '<<"reached", "LaterLeader">>'],
  ['is JSON', '[{"x":1}]'],
])('what %s is none', (_what, text) => {
  expect(isOfToolbox(text)).toBe(false);
});

test.each([
  ['<<>>', 'a.tla: expected a sequence of states, found none.'],
  ['[x |-> 1]', 'a.tla: expected a sequence of states, found a record.'],
  ['<<[x |-> 1], 2>>', 'a.tla: expected a record as state 2, found an integer.'],
  ['<<[x |-> 1], [y |-> 1]>>', 'a.tla: expected the variables x in state 2, found y.'],
  ['<<[_TEAction |-> [name |-> "A"]]>>', 'a.tla: expected names of variables, found none.'],
  ['<<[x |-> 1],\n [x |-> ]>>', 'a.tla: line 2, column 9: expected a value, found "]".'],
])('%s is told', (text, message) => {
  const advice = 'The Toolbox exports a trace as a sequence of states, each of them a record.';
  expect(() => parseToolbox(text, { file: 'a.tla' })).toThrow(`${message} ${advice}`);
});
