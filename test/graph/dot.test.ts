import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DotError, readGraph, readGraphFile, type StateGraph } from '../../src/graph/index.ts';
import { print } from '../../src/tla/index.ts';
import { ROOT } from '../support/spec.ts';

/**
 * Written by TLC 2.18 with `-dump dot`, with and without `actionlabels` and `colorize`; later-release.dot and (with
 * `constrained`) out-of-the-model.dot by the sources of tlaplus as of commit cc6b616c (April 2026).
 */
const FIXTURES = join(ROOT, 'test/fixtures/graph');

async function read(text: string | Uint8Array, chunkBytes = 1 << 20): Promise<StateGraph> {
  const bytes = Buffer.from(text as Uint8Array);
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
  }
  return readGraph(chunks(), 'given.dot');
}

/** All that a graph says, states by their ids. */
function told(graph: StateGraph) {
  const states = Array.from({ length: graph.stateCount }, (_, state) => ({
    id: String(graph.idOf(state)),
    values: Object.fromEntries([...graph.stateAt(state)].map(([name, value]) => [name, print(value)])),
    steps: [...graph.stepsFrom(state)].map((step) => {
      const { action, to } = graph.stepAt(step);
      return `${action} ${graph.idOf(to)}`;
    }),
  }));
  return { states, initial: graph.initial.map((state) => String(graph.idOf(state))) };
}

describe('the graph that TLC dumps', () => {
  test('has states of one variable, several initial ones, and steps in the order of the file', async () => {
    expect(told(await readGraphFile(join(FIXTURES, 'one-variable.dot')))).toEqual({
      initial: ['8555041310664932202', '6473759907666083715', '4831579610053655588'],
      states: [
        {
          id: '8555041310664932202',
          values: { n: '1' },
          steps: ['Up 6473759907666083715', 'Twice 4831579610053655588'],
        },
        {
          id: '6473759907666083715',
          values: { n: '2' },
          steps: ['Up 4831579610053655588', 'Twice 507366925334820433'],
        },
        {
          id: '4831579610053655588',
          values: { n: '3' },
          steps: ['Up 507366925334820433', 'Twice 2148452178619250166'],
        },
        { id: '507366925334820433', values: { n: '4' }, steps: ['Up 2148452178619250166'] },
        { id: '2148452178619250166', values: { n: '5' }, steps: [] },
      ],
    });
  });

  test('of a later release has tooltips, which make no state initial', async () => {
    const { initial, states } = told(await readGraphFile(join(FIXTURES, 'later-release.dot')));
    expect(initial).toEqual(['9076660538510636741']);
    expect(states.map(({ values, steps }) => [values.x, values.s, steps])).toEqual([
      ['0', '{}', ['Go 2825059204100813404']],
      ['1', '{0}', ['Go -8651668396917941229']],
      ['2', '{0, 1}', ['Go 6966264281158325658']],
      ['3', '{0, 1, 2}', ['Back 2825059204100813404']],
    ]);
    const text = readFileSync(join(FIXTURES, 'later-release.dot'), 'utf8');
    const dashed = '9076660538510636741 -> 9076660538510636741 [style="dashed",color="lightgray"];\n';
    expect(told(await read(text.replace('{rank', `${dashed}{rank`)))).toEqual(told(await read(text)));
  });

  test('has strings that look like its own layout', async () => {
    const graph = await readGraphFile(join(FIXTURES, 'strings-that-look-like-layout.dot'));
    expect(told(graph).states.map(({ values }) => values.s)).toEqual([
      '"a\\"b"',
      '"c\\\\d"',
      '"e\\n/\\\\ n = 1"',
      '"plain ] => \\""',
      '"-> 5 [label="',
      '"f\\\\"',
    ]);
    expect(graph.stepCount).toBe(11);
  });

  test('may have colours and a legend', async () => {
    const graph = await readGraphFile(join(FIXTURES, 'colours-and-legend.dot'));
    expect([graph.stateCount, graph.stepCount, graph.actions]).toEqual([5, 7, ['Up', 'Twice']]);
  });

  test('may show what a constraint cuts off, and why, in a second line of the label; an action may begin with a digit', async () => {
    const graph = await readGraphFile(join(FIXTURES, 'out-of-the-model.dot'));
    expect([graph.stateCount, graph.stepCount, graph.actions]).toEqual([12, 18, ['A(1)', 'A(2)', '1stB']]);
    expect(told(graph).states[2]).toEqual({ id: '1329602961537775951', values: { x: '2', y: '0' }, steps: [] });
  });

  test('has no names of actions unless they were asked for', async () => {
    const graph = await readGraphFile(join(FIXTURES, 'no-action-labels.dot'));
    expect([graph.stateCount, graph.stepCount, graph.actions]).toEqual([5, 7, ['']]);
  });

  test.each([1, 2, 3, 7, 64, 1000])('is the same read in pieces of %i bytes', async (chunkBytes) => {
    for (const file of ['strings-that-look-like-layout.dot', 'out-of-the-model.dot']) {
      const text = readFileSync(join(FIXTURES, file));
      expect(told(await read(text, chunkBytes))).toEqual(told(await read(text)));
    }
  });
});

const head = 'strict digraph DiskGraph {\nsubgraph cluster_graph {\n';
const tail = '}\n}';

test('ids of 64 bits are exact, and numbers that differ in one bit are two', async () => {
  const ids = ['9223372036854775807', '9223372036854775806', '-9223372036854775808', '-5', '5', '-1000000000', '0'];
  const graph = await read(head + ids.map((id, index) => `${id} [label="x = ${index}"];\n`).join('') + tail);
  expect(Array.from(ids, (_, state) => String(graph.idOf(state)))).toEqual(ids);
});

test('equal lines are kept once, however many states share them', async () => {
  const lines = Array.from({ length: 100 }, (_, n) => `${n + 1} [label="/\\\\ x = {1, 2, 3}\\n/\\\\ y = ${n % 4}"];\n`);
  const graph = await read(head + lines.join('') + tail);
  expect([graph.stateCount, graph.lineCount]).toEqual([100, 5]);
  expect(graph.lineOf(0, 0)).toBe(graph.lineOf(99, 0));
  expect(graph.lineOf(0, 1)).not.toBe(graph.lineOf(1, 1));
});

test('a line that begins like the one in the state before is another line', async () => {
  const graph = await read(
    `${head}1 [label="/\\\\ x = 1\\n/\\\\ y = 1"];\n2 [label="/\\\\ x = 11\\n/\\\\ y = 1"];\n${tail}`,
  );
  expect([...graph.stateAt(1)].map(([name, value]) => `${name} = ${print(value)}`)).toEqual(['x = 11', 'y = 1']);
});

test('a state that is written twice counts once', async () => {
  const graph = await read(`${head}1 [label="x = 1"];\n1 [label="x = 1"];\n${tail}`);
  expect(graph.stateCount).toBe(1);
});

describe('what is no whole graph is told with line, column and remedy', () => {
  test.each([
    ['', 'given.dot: the graph is empty. Was TLC stopped? Make the dump again.'],
    [
      'digraph G {\n}',
      'given.dot, line 1, column 1: expected "strict digraph …", as TLC\'s -dump dot begins, found "digraph G {".',
    ],
    ['5 -> 6;\n', 'given.dot, line 1, column 1: expected "strict digraph …" first.'],
    [
      `${head}5 [label="x = 1"];\n`,
      'given.dot: the graph stops after line 3, before its last brace. Was TLC stopped? Make the dump again.',
    ],
    [`${head}5 [label="x = 1\n${tail}`, 'given.dot, line 3, column 16: expected the quote that ends the label.'],
    [`${head}5 -> 6 [label="A\nB\n${tail}`, 'given.dot, line 3, column 19: expected the quote that ends the label.'],
    [`${head}5 -> [label="x"];\n${tail}`, 'given.dot, line 3, column 6: expected the number of a state.'],
    [`${head}5 (label="x = 1");\n${tail}`, 'given.dot, line 3, column 3: expected " [label=\\"".'],
    [
      `${head}12345678901234567890 [label="x = 1"];\n${tail}`,
      'given.dot, line 3, column 1: expected a number of at most 64 bits.',
    ],
    [
      `${head}1 [label="/\\\\ x = 1\\n/\\\\ y = 1"];\n2 [label="x = 1"];\n${tail}`,
      'given.dot, line 4, column 11: expected 2 variables, as the states before have, found 1.',
    ],
    [
      `${head}1 [label="x = 1"];\n2 [label="/\\\\ x = 1\\n/\\\\ y = 1"];\n${tail}`,
      'given.dot, line 4, column 26: expected 1 variables, as the states before have, found more.',
    ],
    [
      `${head}1 [label="x = 1"];\n1 -> 2 [label="A"];\n${tail}`,
      'given.dot: a step leads to state 2, which is not shown. Make the dump again.',
    ],
    [`${head}1 [label="<<1, 2>>"];\n${tail}`, 'given.dot: expected "variable = value" in a state, found "<<1, 2>>".'],
  ])('%#', async (text, message) => {
    await expect(read(text)).rejects.toBeInstanceOf(DotError);
    await expect(read(text)).rejects.toMatchObject({ message });
  });

  test('a value that is none is told when it is asked for', async () => {
    const graph = await read(`${head}1 [label="x = [a |->"];\n${tail}`);
    expect(() => graph.stateAt(0)).toThrow(/^given\.dot: "x = \[a \|->" is no value of a variable: /);
  });

  test('a file that is not there', async () => {
    await expect(readGraphFile('/no/such.dot')).rejects.toMatchObject({
      message: '/no/such.dot: there is no such file.',
    });
  });
});

/** A graph with any states and steps, as TLC would write it. */
const anyGraph = fc
  .uniqueArray(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), { minLength: 1, maxLength: 12 })
  .chain((ids) =>
    fc.record({
      ids: fc.constant(ids),
      texts: fc.array(fc.tuple(fc.string(), fc.nat(3)), { minLength: ids.length, maxLength: ids.length }),
      steps: fc.array(fc.tuple(fc.nat(ids.length - 1), fc.constantFrom('A', 'B', 'Long'), fc.nat(ids.length - 1))),
      chunkBytes: fc.integer({ min: 1, max: 200 }),
    }),
  );

test('any graph is read as it was written, whatever its strings, ids and pieces', async () => {
  const inTla = (text: string) => text.replace(/[\\"]/g, '\\$&').replace(/[\n\r\t\f]/g, ' ');
  const inDot = (text: string) => text.replace(/[\\"]/g, '\\$&').replace(/\n/g, '\\n');
  await fc.assert(
    fc.asyncProperty(anyGraph, async ({ ids, texts, steps, chunkBytes }) => {
      const state = (index: number) => `/\\ s = "${inTla(texts[index]![0])}"\n/\\ n = ${texts[index]![1]}`;
      const text = `${head}${ids.map((id, index) => `${id} [label="${inDot(state(index))}"];\n`).join('')}${steps
        .map(
          ([from, action, to]) => `${ids[from]} -> ${ids[to]} [label="${action}",color="black",fontcolor="black"];\n`,
        )
        .join('')}${tail}`;
      const graph = await read(text, chunkBytes);
      expect(Array.from(ids, (_, index) => graph.idOf(index))).toEqual(ids);
      for (const [index, [s, n]] of texts.entries()) {
        const expected = {
          s: { kind: 'string', value: s.replace(/[\n\r\t\f]/g, ' ') },
          n: { kind: 'int', value: BigInt(n) },
        };
        expect(Object.fromEntries(graph.stateAt(index))).toEqual(expected);
        const out = steps.filter(([from]) => from === index).map(([from, action, to]) => ({ from, action, to }));
        expect([...graph.stepsFrom(index)].map((step) => graph.stepAt(step))).toEqual(out);
      }
    }),
    { numRuns: Number(process.env.FC_RUNS ?? 100) },
  );
});
