import { describe, expect, test } from 'vitest';
import { apply, equal, int, model, parse, record, set, str, tuple, type Value } from '../../src/tla/index.ts';
import { normalizeUnits, parseItf, printItf, variantOf } from '../../src/trace/index.ts';

/** The value of x in a trace with nothing else; given as JSON text. */
function read(json: string): Value {
  return parseItf(`{"vars":["x"],"states":[{"x":${json}}]}`).states[0]!.get('x')!;
}

function write(value: Value): string {
  const text = printItf({ vars: ['x'], states: [new Map([['x', value]])], actions: [null], meta: {} });
  return /^ {6}"x": (.*)$/m.exec(text)![1]!;
}

describe('integers (modelator#276, apalache#2732, quint#1165)', () => {
  test('#bigint is exact at any size', () => {
    expect(read('{"#bigint":"-9007199254740993"}')).toEqual({ kind: 'int', value: -9007199254740993n });
    expect(read('{"#bigint":"1000000000000000000000000000001"}')).toEqual(int(1000000000000000000000000000001n));
    expect(read('{"#bigint":"-0"}')).toEqual(int(0));
  });

  test('a plain integer is the same value', () => {
    expect(equal(read('5'), read('{"#bigint":"5"}'))).toBe(true);
    expect(read('-9007199254740991')).toEqual(int(-9007199254740991n));
  });

  test('one above 2^53 - 1 is refused, never rounded', () => {
    expect(() => read('9007199254740993')).toThrow(
      'states[0].x: expected a plain integer of at most 2^53 - 1, found 9007199254740993. Its writer may have rounded it; write {"#bigint":"9007199254740993"} if it is right.',
    );
  });

  test.each(['1.5', '1.00000000000000000001', '9007199254740993.0', '1e3'])('%s is no integer as written', (json) => {
    expect(() => read(json)).toThrow(`states[0].x: expected a value, found ${json}. TLA+ has integers only.`);
  });

  test.each(['"1e3"', '"+1"', '""', '"0x10"', '" 1"', '5'])('{"#bigint":%s} is refused', (json) => {
    expect(() => read(`{"#bigint":${json}}`)).toThrow(
      `states[0].x["#bigint"]: expected decimal digits in quotes, with or without a minus, found ${json}. ITF writes {"#bigint":"-12"}.`,
    );
  });

  test('are always written as #bigint', () => {
    expect(write(int(5))).toBe('{"#bigint":"5"}');
  });
});

describe('keys and shapes (ADR-015)', () => {
  test('a set finds its entry in whatever order it is written', () => {
    const map = read('{"#map":[[{"#set":[2,1]},"x"],[{"a":1},"y"]]}');
    expect(apply(map, parse('{1, 2}'))).toEqual(str('x'));
    expect(apply(map, parse('[a |-> 1]'))).toEqual(str('y'));
  });

  test('a sequence, a tuple and a function on 1..n are equal', () => {
    const sequence = tuple([str('a'), str('b')]);
    expect(read('["a","b"]')).toEqual(sequence);
    expect(read('{"#tup":["a","b"]}')).toEqual(sequence);
    expect(read('{"#map":[[2,"b"],[1,"a"]]}')).toEqual(sequence);
  });

  test('a tuple of one is not its element', () => {
    expect(read('{"#tup":[{"#tup":[7]}]}')).toEqual(parse('<<<<7>>>>'));
  });

  test('a record and a function on strings are equal', () => {
    expect(read('{"x":1}')).toEqual(record({ x: int(1) }));
    expect(read('{"#map":[["x",1]]}')).toEqual(record({ x: int(1) }));
  });

  test('the empty function, sequence and record are one', () => {
    for (const json of ['[]', '{}', '{"#tup":[]}', '{"#map":[]}']) expect(read(json)).toEqual(tuple([]));
    expect(write(tuple([]))).toBe('[]');
  });

  test('a field that JSON or ITF would take for something else stays a field', () => {
    const odd = record([
      ['__proto__', int(1)],
      ['constructor', str('')],
    ]);
    expect(read(write(odd))).toEqual(odd);
    expect(write(record([['#set', int(1)]]))).toBe('{"#map":[["#set",{"#bigint":"1"}]]}');
  });
});

describe('values known by their text', () => {
  test('#unserializable is kept, equal only to the same text', () => {
    expect(read('{"#unserializable":"Int"}')).toEqual(model('Int'));
    expect(equal(read('{"#unserializable":"Int"}'), read('{"#unserializable":"Nat"}'))).toBe(false);
    expect(equal(read('{"#unserializable":"Int"}'), read('"Int"'))).toBe(false);
    expect(write(model('SUBSET Int'))).toBe('{"#unserializable":"SUBSET Int"}');
  });

  test('a model value is one of them', () => {
    expect(read(write(parse('{mv, "mv"}')))).toEqual(set([model('mv'), str('mv')]));
  });
});

describe('variants without a payload (quint#1411)', () => {
  const none = ['{"#tup":[]}', '{}', '"U_OF_UNIT"'].map((payload) => read(`{"tag":"None","value":${payload}}`));

  test('are None, however they are written', () => {
    expect(none.map(variantOf)).toEqual(Array(3).fill({ tag: 'None', payload: null }));
    expect(variantOf(read('{"tag":"Some","value":{"#bigint":"40"}}'))).toEqual({ tag: 'Some', payload: int(40) });
    expect(variantOf(read('{"tag":"Some"}'))).toBeNull();
    expect(variantOf(read('{"tag":1,"value":2}'))).toBeNull();
  });

  test('stay records as long as nobody asks for variants', () => {
    expect(none[2]).toEqual(record({ tag: str('None'), value: str('U_OF_UNIT') }));
    expect(none[0]).toEqual(record({ tag: str('None'), value: tuple([]) }));
  });

  test('are the same value for a comparer that normalizes them, at any depth', () => {
    const nested = none.map((value) => normalizeUnits(set([tuple([value])])));
    expect(nested).toEqual(Array(3).fill(set([tuple([none[0]!])])));
    expect(normalizeUnits(str('U_OF_UNIT'))).toEqual(str('U_OF_UNIT'));
  });
});
