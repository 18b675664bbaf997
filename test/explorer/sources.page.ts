import { beforeAll, describe, expect, test } from 'vitest';
import type { Library } from '../../explorer/model/data.ts';
import { codeBlocks } from '../../explorer/model/ran/code.ts';
import { allParts } from '../../explorer/model/ran/registry.ts';
import { whatRan } from '../../explorer/model/ran/what-ran.ts';
import { BRANCHES, HELPERS, USED_WHERE } from '../../explorer/model/spec/counterparts.ts';
import { type Definition, definitionOf, linesThatBeginWith } from '../../explorer/model/spec/definitions.ts';
import { branchesOf, partOf, specBlocks } from '../../explorer/model/spec/spec-blocks.ts';
import { actions } from '../../src/replica/index.ts';
import { openLibrary } from './library.ts';

let library: Library;
let sources: Readonly<Record<string, string>>;
beforeAll(async () => {
  library = await openLibrary();
  sources = library.data.sources;
});

/** Every step of every trace and run, with what ran in it. */
function* steps() {
  for (const name of [...library.names, ...library.data.runs.map((run) => run.name)]) {
    const opened = library.open(name)!;
    for (let index = 1; index <= opened.last; index++) {
      yield { place: `${name} ${index}`, action: opened.action(index)!.name, ran: whatRan(opened, index) };
    }
  }
}

describe('what is highlighted', () => {
  test('is found in the sources, each piece once', () => {
    expect(BRANCHES.length).toBeGreaterThan(20);
    for (const branch of BRANCHES) {
      const definition = definitionOf(branch.definition, sources);
      expect(definition, branch.definition).not.toBeNull();
      expect(linesThatBeginWith(definition!, branch.spec), `${branch.definition}: ${branch.spec}`).toHaveLength(1);
    }
    for (const { file, code } of [...BRANCHES, ...Object.values(USED_WHERE).flat()]) {
      expect(sources[file]!.split(code).length - 1, `${file}: ${code}`).toBe(1);
      expect(partOf({ file, code }, sources), `${file}: ${code}`).not.toBeNull();
    }
  });

  test('names definitions and functions that there are', () => {
    const functions = new Set(allParts().map(({ fn }) => fn));
    expect(Object.keys(HELPERS).filter((fn) => !functions.has(fn))).toEqual([]);
    const names = [...Object.values(HELPERS).flat(), ...Object.keys(USED_WHERE), ...Object.keys(actions)];
    expect(names.filter((name) => definitionOf(name, sources) === null)).toEqual([]);
  });

  test('begins with the action itself, on both sides, in every step', () => {
    for (const { place, action, ran } of steps()) {
      const [code] = codeBlocks(ran, sources);
      expect(code?.fn, place).toBe(action.charAt(0).toLowerCase() + action.slice(1));
      expect(specBlocks(action, ran, sources)[0]?.name, place).toBe(action);
    }
  });

  test('is one branch of each choice', () => {
    const taken = new Set<string>();
    for (const { place, action, ran } of steps()) {
      for (const block of specBlocks(action, ran, sources)) {
        for (const group of choicesIn(block, ran)) {
          const names = group.filter((one) => one.taken).map(({ from }) => block.lines[from]!.trim());
          expect(names, `${place} ${block.name}`).toHaveLength(1);
          taken.add(`${block.name} ${names[0]}`);
        }
      }
    }
    // And not always the same one.
    expect(taken.size).toBeGreaterThan(14);
  });

  test('leaves out what did not run: the mend asks, the old rule does not', () => {
    const told = library.open('fast-restart-told')!;
    const text = codeBlocks(whatRan(told, 9), sources)[0]!
      .pieces.filter(({ kind }) => kind === 'ran')
      .map((piece) => piece.text);
    expect(text.join('')).toContain("memory.fetchState = 'fetching';");
    expect(text.join('')).not.toContain("memory.fetchState = 'truncating';");
    const mended = library.open('fast-restart-kip101')!;
    const index = mended.trace.actions.findIndex((action) => action?.name === 'BecomeFollower');
    const asks = codeBlocks(whatRan(mended, index), sources)[0]!.pieces.filter(({ kind }) => kind === 'ran');
    expect(asks.map((piece) => piece.text).join('')).toContain("memory.fetchState = 'truncating';");
  });

  test('is the source as it is: the pieces of a function make up its text', () => {
    for (const { ran } of steps()) {
      for (const { file, pieces } of codeBlocks(ran, sources)) {
        expect(sources[file]).toContain(pieces.map(({ text }) => text).join(''));
      }
      break;
    }
  });
});

/** Branches that exclude each other: those at the top, and those within one that was taken. */
function choicesIn(definition: Definition, ran: Parameters<typeof codeBlocks>[0]) {
  const branches = branchesOf(definition, new Set(ran), sources);
  const inside = (inner: (typeof branches)[number], outer: (typeof branches)[number]) =>
    inner !== outer && outer.from <= inner.from && inner.to <= outer.to;
  const parentOf = (one: (typeof branches)[number]) => branches.findLast((outer) => inside(one, outer));
  const parents = [undefined, ...branches.filter(({ taken }) => taken)];
  return parents
    .map((parent) => branches.filter((one) => parentOf(one) === parent))
    .filter((group) => group.length > 0);
}
