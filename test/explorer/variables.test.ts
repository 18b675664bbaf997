import { expect, test } from 'vitest';
import { Opened } from '../../explorer/model/opened.ts';
import { type Node, variableTree } from '../../explorer/model/variables.ts';
import { parseItf } from '../../src/trace/index.ts';
import { CLUSTER_OF_OTHERS } from './fixtures.ts';

const trace = parseItf(CLUSTER_OF_OTHERS);

/** The marks of a step by path: `isr.b2.members.∋ - "b3"`. */
function marks(index: number): string[] {
  const before = index === 0 ? null : trace.states[index - 1]!;
  return variableTree(trace.vars, before, trace.states[index]!).flatMap((node) => leaves(node, ''));
}

function leaves(node: Node, above: string): string[] {
  const path = above + node.label;
  if (node.parts.length > 0) return node.parts.flatMap((part) => leaves(part, `${path}.`));
  if (node.change === 'same') return [];
  if (node.change === 'changed') return [`${path} ${node.before} -> ${node.text}`];
  return [`${path} ${node.change === 'added' ? '+' : '-'} ${node.text}`];
}

test('a member that goes from a nested set is marked there, and nowhere else', () => {
  expect(marks(1)).toEqual(['isr.b2.members.∋ - "b3"']);
});

test('a record field that goes and a sequence that shrinks are marked as removed', () => {
  expect(marks(2)).toEqual(['config.unclean - FALSE', 'queue.3 - "z"']);
});

test('a set in another order is no change', () => {
  expect(marks(1).some((mark) => mark.startsWith('seen'))).toBe(false);
});

test('a step in which nothing changes is a step all the same', () => {
  const opened = new Opened('others', trace);
  expect(marks(3)).toEqual([]);
  expect(opened.last).toBe(3);
  expect(opened.isStuttering(3)).toBe(true);
  expect(opened.sentence(3)).toBe('Nothing changes.');
});

test('what repeats for ever is known, and what comes before it', () => {
  const opened = new Opened('others', trace);
  expect([0, 1, 2, 3].map((index) => opened.inLoop(index))).toEqual([false, true, true, true]);
});

test('a trace of another specification says so', () => {
  const opened = new Opened('others', trace);
  expect(opened.config).toBeNull();
  expect(opened.problem).toContain('This is a trace of another specification: it has no variable log');
});

test('something that is added, and a value of another kind', () => {
  const of = (text: string) => parseItf(`{"vars":["v"],"states":[${text}]}`).states;
  const [one, other] = of('{"v":{"a":1}},{"v":{"a":{"#set":[1]},"b":[]}}') as [never, never];
  const [v] = variableTree(['v'], one, other);
  expect(leaves(v!, '')).toEqual(['v.a 1 -> {1}', 'v.b + <<>>']);
});
