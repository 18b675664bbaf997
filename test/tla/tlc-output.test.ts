import { describe, expect, test } from 'vitest';
import { apply, bool, fn, int, model, parse, record, set, str, tuple, type Value } from '../../src/tla/index.ts';
import { statesOf } from './tlc-states.ts';

const EMPTY = tuple([]);

function column(fixture: string, variable: string): (Value | undefined)[] {
  return statesOf(fixture).map((state) => state.get(variable));
}

describe('layout is no signal (tlaplus#1051)', () => {
  const r = ['r1', 'r2', 'r3'].map(model);

  test('field names with _ make TLC leave one long line', () => {
    const states = statesOf('t05-wrap/Wrap.out');
    const cache = [record({ epoch: int(0), start_offset: int(0) }), record({ epoch: int(7), start_offset: int(100) })];
    const replica = record({
      hw: int(0),
      leader_epoch: int(12),
      leader_id: model('None'),
      isr_members: set(r),
      epoch_cache: tuple(cache),
    });
    expect(states).toHaveLength(3);
    expect([...states[0]!.keys()]).toEqual(['step_no', 'replica_state', 'local_logs']);
    expect(states[0]!.get('replica_state')).toEqual(fn(r.map((id) => [id, replica])));
    expect(states[2]!.get('local_logs')).toEqual(
      fn([
        [r[0]!, tuple([record({ epoch: int(-1), rec_key: str('k') }), record({ epoch: int(0), rec_key: str('k') })])],
        [r[1]!, EMPTY],
        [r[2]!, EMPTY],
      ]),
    );
  });

  test('names without _ are wrapped, with blanks inside the brackets', () => {
    const states = statesOf('t05-wrap/WrapB.out');
    const replica = record({
      hw: int(-1),
      epoch: int(12),
      leader: model('None'),
      isr: set(r),
      cache: tuple([record({ epoch: int(0), start: int(0) }), record({ epoch: int(7), start: int(100) })]),
      note: str('text, with [brackets] and <<angles>>'),
    });
    expect(states).toEqual([
      new Map([
        ['replicas', fn(r.map((id) => [id, replica]))],
        ['step', int(0)],
      ]),
      new Map([
        ['replicas', fn(r.map((id) => [id, replica]))],
        ['step', int(1)],
      ]),
    ]);
  });
});

describe('functions on strings (modelator#130)', () => {
  const f = column('t06-record-keys/Keys.out', 'f');

  test('a key that is no name stays a key', () => {
    expect(f[0]).toEqual(
      fn([
        [str('topic-0'), int(0)],
        [str('topic 1'), int(0)],
      ]),
    );
    expect(f[2]).toEqual(
      fn([
        [str(''), int(1)],
        [str('0'), int(1)],
        [str('IF'), int(1)],
      ]),
    );
  });

  test('a key that looks like syntax stays a key', () => {
    expect(f[1]).toEqual(
      fn([
        [str('a, b |-> 1'), str('a, b |-> 1')],
        [str('c]'), str('c]')],
      ]),
    );
    expect(apply(f[1]!, str('c]'))).toEqual(str('c]'));
  });

  test('a record is the function on its field names, however it was built', () => {
    expect(f[3]).toEqual(
      fn([
        [str('x'), int(1)],
        [str('y'), EMPTY],
      ]),
    );
    expect(parse('[x |-> 1, y |-> <<>>]')).toEqual(parse('("y" :> << >> @@ "x" :> 1)'));
  });

  test('the empty function, printed as << >>, is the empty sequence', () => {
    expect(f[4]).toEqual(EMPTY);
    expect(fn([])).toEqual(EMPTY);
    expect(record({})).toEqual(EMPTY);
  });
});

describe('every kind of value that TLC prints (modelator#156, vscode-tlaplus#43)', () => {
  const v = column('t07-value-zoo/Zoo.out', 'v');

  test('an interval is the set of its integers', () => {
    expect(v[0]).toEqual(set([1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(int)));
    expect(v[12]).toEqual(set([]));
    expect(parse('5..1')).toEqual(set([]));
    expect(parse('{-1..1, 0..0}')).toEqual(set([set([int(-1), int(0), int(1)]), set([int(0)])]));
  });

  test('a function on 1..n is a sequence, on any other integers it is not', () => {
    expect(v[1]).toEqual({ kind: 'tuple', elements: [int(1), int(4), int(9)] });
    expect(v[2]).toEqual({
      kind: 'function',
      entries: [
        [int(0), int(0)],
        [int(1), int(1)],
        [int(2), int(2)],
      ],
    });
    expect(v[3]).toEqual({ kind: 'function', entries: [[int(2), int(3)]] });
    expect(v[4]).toEqual({
      kind: 'function',
      entries: [
        [int(-2), int(-6)],
        [int(-1), int(-5)],
      ],
    });
  });

  test('sets of sets, of tuples and of records', () => {
    expect(v[5]).toEqual(set([set([]), set([int(1)]), set([int(2)]), set([int(1), int(2)])]));
    expect(v[6]).toEqual(set([EMPTY, tuple([int(1)]), tuple([int(2), tuple([int(3)])])]));
    expect(v[7]).toEqual(set([record({ a: int(1) }), record({ a: int(2) })]));
    expect(v[8]).toEqual(set([tuple([int(0), int(0)])]));
  });

  test('True1 is a model value and not TRUE', () => {
    expect(v[9]).toEqual(set([model('mv'), model('A_1'), model('True1')]));
    expect(v[11]).toEqual(tuple([bool(true), set([]), EMPTY, str(''), fn([[model('mv'), tuple([set([set([])])])]])]));
  });

  test('the least integer of TLC, and one that TLC has not', () => {
    expect(v[10]).toEqual({ kind: 'int', value: -2147483648n });
    expect(parse('-9007199254740993')).toEqual({ kind: 'int', value: -9007199254740993n });
  });
});
