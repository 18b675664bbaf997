import { describe, expect, test } from 'vitest';
import {
  bool,
  fn,
  int,
  model,
  parse,
  parseState,
  record,
  set,
  str,
  TlaLimitError,
  TlaSyntaxError,
  tuple,
} from '../../src/tla/index.ts';

describe('parse', () => {
  test('reads the escapes of TLC, and takes any other character for itself', () => {
    expect(parse(String.raw`"a\"b\\c\td\ne\ff\rg"`)).toEqual(str('a"b\\c\td\ne\ff\rg'));
    expect(parse(String.raw`"C:\dir\q"`)).toEqual(str('C:\\dir\\q'));
    expect(parse('"two\nlines, naïve 本"')).toEqual(str('two\nlines, naïve 本'));
  });

  test('takes a name in any letters for a model value', () => {
    expect(parse('{é1, Ω_2, 2nd, TRUE, FALSE}')).toEqual(
      set([model('é1'), model('Ω_2'), model('2nd'), bool(true), bool(false)]),
    );
  });

  test('closes two tuples at >>>>, whatever stands before', () => {
    expect(parse('<<<<>>,<<-1>>>>')).toEqual(tuple([tuple([]), tuple([int(-1)])]));
    expect(parse('(<<1>> :> <<<<2>>>>)')).toEqual(fn([[tuple([int(1)]), tuple([tuple([int(2)])])]]));
  });

  test('of an argument given twice the left one counts, as in f @@ g', () => {
    expect(parse('(1 :> "left" @@ 1 :> "right" @@ 2 :> "other")')).toEqual(tuple([str('left'), str('other')]));
    expect(parse('[a |-> 1] @@ ("a" :> 2 @@ "b" :> 3)')).toEqual(record({ a: int(1), b: int(3) }));
  });

  test('reads the objects of JSON as TLC prints them: without fields, and with any names', () => {
    expect(parse('[a |-> [], b |-> [ ]]')).toEqual(record({ a: tuple([]), b: tuple([]) }));
    expect(parse('[1 |-> 2, topic-0 |-> "a", @time |-> [a.b |-> 1, two words\n |->\n  {[$ref |-> 3]}]]')).toEqual(
      record({
        '1': int(2),
        'topic-0': str('a'),
        '@time': record({ 'a.b': int(1), 'two words': set([record({ $ref: int(3) })]) }),
      }),
    );
  });

  test('reads parentheses that only group', () => {
    expect(parse('((  -1 ) :> ( ((TRUE)) ))')).toEqual(fn([[int(-1), bool(true)]]));
  });

  test('needs no line breaks and minds none', () => {
    const state = parseState('/\\ log =\n   ( a :>\n  [ x |-> 1,\r\n\ty |-> << >> ] @@ b\n:> {} )/\\hw=-1');
    expect([...state]).toEqual([
      [
        'log',
        fn([
          [model('a'), record({ x: int(1), y: tuple([]) })],
          [model('b'), set([])],
        ]),
      ],
      ['hw', int(-1)],
    ]);
  });

  test('reads a state of one variable, which TLC prints without /\\', () => {
    expect(parseState('x = "/\\\\ y = 1"')).toEqual(new Map([['x', str('/\\ y = 1')]]));
  });

  test('reads whatever an ALIAS calls its fields', () => {
    const fields = [
      ['x', int(1)],
      ['log[1].term', int(2)],
      ['a b', tuple([int(3)])],
    ] as const;
    expect([...parseState('/\\ x = 1\n/\\ log[1].term = 2\n/\\ a b = <<3>>\n')]).toEqual(fields);
    expect([...parseState('log[1].term = "x = 1"\n')]).toEqual([['log[1].term', str('x = 1')]]);
    expect([...parseState('/\\ x  = 1')]).toEqual([['x', int(1)]]);
  });

  test('reads no text as no variable (vscode-tlaplus#255: -difftrace with a step that changes nothing)', () => {
    expect(parseState(' \n')).toEqual(new Map());
  });
});

describe('a syntax error says where, what was expected and what is there', () => {
  const cases: [text: string, message: string][] = [
    ['', 'line 1, column 1: expected a value, found the end of the text'],
    ['{1,\n 2', 'line 2, column 3: expected , or }, found the end of the text'],
    ['<<1, 2>', 'line 1, column 7: expected a TLA+ value, found ">"'],
    ['[a |-> 1, b = 2]', 'line 1, column 13: expected |->, found "="'],
    ['[a |-> 1, a |-> 2]', 'line 1, column 11: expected each field once, found "a"'],
    ['[{1} |-> 2]', 'line 1, column 2: expected a field name, found "{"'],
    ['[a |-> 1, {1} |-> 2]', 'line 1, column 11: expected a field name, found "{"'],
    ['(1 :> 2 @@ 3)', 'line 1, column 12: expected a function beside @@, found "3"'],
    ['(1 :> 2', 'line 1, column 8: expected :>, @@ or ), found the end of the text'],
    ['1 2', 'line 1, column 3: expected the end of the value, found "2"'],
    ['- x', 'line 1, column 3: expected digits, found "x"'],
    ['1_000', 'line 1, column 1: expected a TLA+ value, found "1_000"'],
    ['{\n  "abc', 'line 2, column 3: expected a string that ends with ", found the end of the text inside it'],
    ['{"a" "b"}', 'line 1, column 6: expected , or }, found the string "b"'],
    ['"\uD83D\uDE00" \uD83D\uDE00', 'line 1, column 6: expected a TLA+ value, found "\uD83D\uDE00"'],
  ];
  test.each(cases)('%j', (text, message) => {
    expect(() => parse(text)).toThrow(message);
    expect(() => parse(text)).toThrow(TlaSyntaxError);
  });

  test('in a state, too', () => {
    expect(() => parseState('x = 1\ny = 2')).toThrow('line 2, column 1: expected the end of the state, found "y"');
    expect(() => parseState('/\\ x = 1\n/\\ x = 2')).toThrow(
      'line 2, column 4: expected each variable once, found "x"',
    );
    expect(() => parseState('/\\ x = 1 }')).toThrow(
      'line 1, column 10: expected /\\ or the end of the state, found "}"',
    );
    expect(() => parseState('/\\ "x" = 1')).toThrow('line 1, column 4: expected a variable, found the string "x"');
  });

  test('has the place as numbers', () => {
    const error = errorOf(() => parse('<<\n1 :'));
    expect(error).toMatchObject({ name: 'TlaSyntaxError', line: 2, column: 3, expected: ', or >>' });
  });
});

describe('what is too much is refused, with an error of its own', () => {
  test('intervals of more than a million elements together', () => {
    const text = `{${Array.from({ length: 11 }, (_, index) => `${index}..${index + 99_000}`).join(', ')}}`;
    expect(() => parse(text)).toThrow(TlaLimitError);
    expect(parse('1..100000')).toMatchObject({ kind: 'set', elements: { length: 100_000 } });
    expect(parse('-1..99999999999999999999')).toEqual(model('-1..99999999999999999999'));
  });

  test.each(['<<', '{', '(', '[a |-> ', '(1 :> ', '({} :> ', '{1, ', '(((1 :> '])(
    'brackets without end: %s',
    (open) => {
      expect(() => parse(open.repeat(100_000))).toThrow(TlaLimitError);
      expect(() => parse(open.repeat(100_000))).toThrow(/expected at most 500 brackets in each other, found more$/);
    },
  );

  test('but 500 levels are read', () => {
    const text = `${'<<'.repeat(500)}${'>>'.repeat(500)}`;
    expect(parse(text)).toMatchObject({ kind: 'tuple' });
  });
});

function errorOf(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}
