import { describe, expect, test } from 'vitest';
import { ItfError, parseItf } from '../../src/trace/index.ts';

const WHAT = 'An ITF trace is one JSON object with "vars" and "states".';
const CORRECT = 'Correct it there, or record the trace again.';
const AGAIN = 'Copy the file or record the trace again.';

function errorOf(text: string): ItfError {
  try {
    parseItf(text, { file: 't.itf.json' });
  } catch (error) {
    expect(error).toBeInstanceOf(ItfError);
    return error as ItfError;
  }
  throw new Error('no error');
}

/** Two states of x; the second as given. */
const withX = (json: string) => `{"vars":["x"],"states":[{"x":0},{"x":${json}}]}`;

describe('a text that is no JSON', () => {
  const cases: [what: string, text: string, message: string][] = [
    ['empty', '', `the file is empty. ${AGAIN}`],
    ['blank', ' \n', `the file is empty. ${AGAIN}`],
    [
      'binary',
      '\u001f\uFFFD\u0008\u0000',
      `line 1, column 1: expected a JSON object, found binary data (U+001F). ${WHAT} If this one is packed, unpack it first.`,
    ],
    [
      'not text in UTF-8',
      '\uFFFD\uFFFD{}',
      `line 1, column 1: expected a JSON object, found binary data (U+FFFD). ${WHAT} If this one is packed, unpack it first.`,
    ],
    ['a page', '<!DOCTYPE html>', `line 1, column 1: expected a JSON object, found "<". ${WHAT}`],
    ['output of TLC', 'TLC2 Version 2.18', `line 1, column 1: expected a JSON object, found "TLC2". ${WHAT}`],
    ['two documents', '{}\n{}', 'line 2, column 1: expected the end of the file, found "{". A file holds one trace.'],
    [
      'a key without quotes',
      '{"vars": [],\n  states: []}',
      `line 2, column 3: expected a key in double quotes, found "states". ${CORRECT}`,
    ],
    ['a comma too much', '{"vars": ["a",]}', `line 1, column 15: vars[1]: expected a value, found "]". ${CORRECT}`],
    ['no comma', '{"vars": ["a" "b"]}', `line 1, column 15: vars: expected "," or "]", found "b". ${CORRECT}`],
    ['a word', '{"vars": undefined}', `line 1, column 10: vars: expected a value, found "undefined". ${CORRECT}`],
    ['NaN', '{"loop": NaN}', `line 1, column 10: loop: expected a value, found "NaN". ${CORRECT}`],
    ['a number with 0 in front', '{"loop": 01}', `line 1, column 11: expected "," or "}", found "1". ${CORRECT}`],
    [
      'a wrong escape',
      '{"vars": ["\\x"]}',
      `line 1, column 12: vars[0]: expected an escape such as \\n or \\u00e9, found "\\\\". ${CORRECT}`,
    ],
    [
      'a raw line break',
      '{"vars": ["a\nb"]}',
      `line 1, column 13: vars[0]: expected the end of the string, or an escape such as \\n, found the control character U+000A. ${CORRECT}`,
    ],
    [
      'a key twice',
      '{"vars": [],\n "vars": []}',
      'line 2, column 2: expected each key once, found "vars". One of the two values would be lost.',
    ],
  ];
  test.each(cases)('%s', (_what, text, message) => {
    expect(errorOf(text).message).toBe(`t.itf.json: ${message}`);
  });

  test('nested without end: no stack overflow', () => {
    expect(errorOf(withX('['.repeat(100_000))).message).toBe(
      't.itf.json: line 1, column 1556: states[1].x[0][0][0][0][0][0][0][0][0]…[0][0][0][0]: expected a value nested less deeply, found "[". No trace of a specification is so deep.',
    );
    expect(errorOf(withX(`${'['.repeat(600)}${']'.repeat(600)}`)).message).toBe(
      't.itf.json: states[1].x[0][0][0][0][0][0][0][0][0]…[0][0][0][0]: expected at most 500 values in each other, found more. No state of a specification is so deep.',
    );
  });
});

describe('a file that is cut', () => {
  test('is told from one that is no JSON, with what it ends inside', () => {
    const text = '{\n "vars": ["log"],\n "states": [\n  {"log": [{"epoch": {"#bigint": "12';
    const error = errorOf(text);
    expect(error.message).toBe(
      `t.itf.json: the file is cut: it ends inside states[0].log[0].epoch["#bigint"] (line 4, column 37). ${AGAIN}`,
    );
    expect(error).toMatchObject({
      name: 'ItfError',
      file: 't.itf.json',
      path: 'states[0].log[0].epoch["#bigint"]',
      line: 4,
      column: 37,
      advice: AGAIN,
    });
  });

  test('at any place', () => {
    const whole =
      '{"#meta":{"n":-1.5e+3,"t":true,"f":false,"z":null},"vars":["x"],"states":[{"x":{"#set":["a\\u00e9\\n",-7]}}]}';
    for (let length = 1; length < whole.length; length++) {
      expect(errorOf(whole.slice(0, length)).message).toMatch(/^t\.itf\.json: the file is cut: it ends inside /);
    }
    expect(parseItf(whole).vars).toEqual(['x']);
  });
});

describe('JSON that is no trace', () => {
  const cases: [what: string, text: string, message: string][] = [
    ['a list', '[1, 2]', `expected a JSON object, found a list of 2. ${WHAT}`],
    [
      'a list of traces',
      '[{"vars": [], "states": [{}]}, {"vars": [], "states": [{}]}]',
      'expected one trace, found a list of 2. Put each into a file of its own.',
    ],
    ['in a list', '[{"vars": [], "states": [{}]}, 3]', `[1]: expected a JSON object, found 3. ${WHAT}`],
    [
      'a key of another kind in a list',
      '[{"vars": [1], "states": [{}]}]',
      `[0].vars[0]: expected a name, found 1. ${WHAT}`,
    ],
    ['a text', '"ITF"', `expected a JSON object, found "ITF". ${WHAT}`],
    ['a number', '42', `expected a JSON object, found 42. ${WHAT}`],
    [
      'another object',
      '{"name": "leader-epoch"}',
      `vars: expected a list of the names of the variables, found nothing. ${WHAT}`,
    ],
    [
      'no states',
      '{"vars": []}',
      `states: expected a list of states, one object each, of at least one, found nothing. ${WHAT}`,
    ],
    [
      'an empty trace',
      '{"vars": [], "states": []}',
      `states: expected a list of states, one object each, of at least one, found an empty list. ${WHAT}`,
    ],
    [
      'vars of another kind',
      '{"vars": {"x": 1}, "states": [{}]}',
      `vars: expected a list of the names of the variables, found an object with "x". ${WHAT}`,
    ],
    ['a name of another kind', '{"vars": ["x", 1], "states": [{}]}', `vars[1]: expected a name, found 1. ${WHAT}`],
    [
      'a state of another kind',
      '{"vars": [], "states": [{}, [1]]}',
      `states[1]: expected a state, an object, found a list of 1. ${WHAT}`,
    ],
    [
      'params of another kind',
      '{"vars": [], "params": "N", "states": [{}]}',
      `params: expected a list of the names of the constants, found "N". ${WHAT}`,
    ],
    [
      'a loop of another kind',
      '{"vars": [], "loop": "1", "states": [{}]}',
      `loop: expected the index of a state, found "1". ${WHAT}`,
    ],
    [
      'a loop between states',
      '{"vars": [], "loop": 0.5, "states": [{}]}',
      `loop: expected the index of a state, found 0.5. ${WHAT}`,
    ],
    [
      'notes of another kind',
      '{"#meta": [], "vars": [], "states": [{}]}',
      `["#meta"]: expected an object, found an empty list. ${WHAT}`,
    ],
    [
      'another format',
      '{"#meta": {"format": "TLC"}, "vars": [], "states": [{}]}',
      '["#meta"].format: expected "ITF", found "TLC". Convert the trace to ITF first.',
    ],
    [
      'notes of a state of another kind',
      '{"vars": [], "states": [{"#meta": 0}]}',
      'states[0]["#meta"]: expected an object, found 0. It holds notes about the state, by name.',
    ],
    [
      'a state without a variable',
      '{"vars": ["b", "a"], "states": [{"a": 1, "b": 1}, {"b": 1}]}',
      'states[1].a: expected the value of a variable, found nothing. The trace declares "a" as a variable, so each state has it.',
    ],
    [
      'no value of a constant',
      '{"vars": [], "params": ["N"], "states": [{}, {"N": 1}]}',
      'states[0].N: expected the value of a constant, found nothing. The trace declares "N" as a constant, so the first state has it.',
    ],
    [
      'a constant that changes',
      '{"vars": [], "params": ["N"], "states": [{"N": 1}, {}, {"N": 2}]}',
      'states[2].N: expected the value of state 0, found 2. A constant does not change; if it is a variable, it belongs into "vars".',
    ],
    [
      'a name of an action that is none',
      '{"vars": [], "states": [{}, {"mbt::actionTaken": 1}]}',
      'states[1]["mbt::actionTaken"]: expected a text, found 1. It is the name of the action, or "" when unknown.',
    ],
    [
      'choices that are none',
      '{"vars": [], "states": [{}, {"mbt::actionTaken": "A", "mbt::nondetPicks": [1]}]}',
      'states[1]["mbt::nondetPicks"]: expected an object, found a list of 1. It holds one option for each choice, by name.',
    ],
  ];
  test.each(cases)('%s', (_what, text, message) => {
    expect(errorOf(text).message).toBe(`t.itf.json: ${message}`);
  });
});

describe('a value that is none', () => {
  const cases: [json: string, message: string][] = [
    ['null', 'states[1].x: expected a value, found null. TLA+ has no null.'],
    ['[0, 0.5]', 'states[1].x[1]: expected a value, found 0.5. TLA+ has integers only.'],
    ['{"a b": [null]}', 'states[1].x["a b"][0]: expected a value, found null. TLA+ has no null.'],
    ['{"#set": 1}', 'states[1].x["#set"]: expected a list, found 1. ITF writes {"#set":[…]}.'],
    ['{"#tup": {}}', 'states[1].x["#tup"]: expected a list, found an empty object. ITF writes {"#tup":[…]}.'],
    [
      '{"#map": [[1]]}',
      'states[1].x["#map"][0]: expected [key, value], found a list of 1. ITF writes {"#map":[[key,value],…]}.',
    ],
    [
      '{"#map": [[{"#set":[1,2]},1],[3,3],[{"#set":[2,1]},2]]}',
      'states[1].x["#map"][2]: expected each key once, found an equal one before it. One of the two would be lost.',
    ],
    [
      '{"#unserializable": 1}',
      'states[1].x["#unserializable"]: expected a text, found 1. ITF writes {"#unserializable":"Int"}.',
    ],
    [
      '{"#seq": []}',
      'states[1].x["#seq"]: expected one of #bigint, #tup, #set, #map and #unserializable, found "#seq". A field that starts with # goes into a "#map".',
    ],
    [
      '{"#set": [], "a": 1}',
      'states[1].x: expected "#set" as the only key of its object, found 2 keys. A field that starts with # goes into a "#map".',
    ],
  ];
  test.each(cases)('%s', (json, message) => {
    expect(errorOf(withX(json)).message).toBe(`t.itf.json: ${message}`);
  });
});

test('without the name of a file the message starts with the place', () => {
  expect(() => parseItf(withX('null'))).toThrow(/^states\[1\]\.x: expected a value/);
  const error = errorOf('{"vars": 1}');
  expect([error.file, error.path, error.line, error.expected]).toEqual([
    't.itf.json',
    'vars',
    undefined,
    'a list of the names of the variables',
  ]);
});

test('a byte order mark is no garbage', () => {
  expect(parseItf(`\uFEFF${withX('1')}`).states).toHaveLength(2);
});
