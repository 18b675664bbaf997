import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { instrument } from '../../src/page/index.ts';

const SOURCE = `
/** Which. */
export function which(n: number): string {
  // A comment.
  if (n < 0) return 'negative';
  else if (n === 0) return 'nothing';
  for (const m of [1, 2]) if (m === n) return m === 1 ? 'one' : 'two';
  switch (n) {
    case 3:
      return 'three';
    default: {
      const text = n > 9 ? (n > 99 ? 'very many' : 'many') : 'some';
      return text;
    }
  }
}

function whyNot(): null {
  return null;
}
`;

/** The pieces of the source that run, as the marks tell. */
function ran(n: number): { result: string; texts: string[] } {
  const { code, parts } = instrument(SOURCE, 'mark', (fn) => fn.startsWith('whyNot'));
  const script = ts.transpile(code, { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.CommonJS });
  const hit = new Set<number>();
  const exported: { which?: (n: number) => string } = {};
  new Function('mark', 'exports', script)((index: number) => hit.add(index), exported);
  const result = exported.which!(n);
  return { result, texts: [...hit].map((index) => SOURCE.slice(parts[index]!.start, parts[index]!.end)) };
}

describe('a source that tells what ran', () => {
  test('does what it did, and marks each statement and arm that runs', () => {
    expect(ran(-1).result).toBe('negative');
    expect(ran(-1).texts.slice(1)).toEqual(["return 'negative';"]);
    expect(ran(0).texts.slice(1)).toEqual(["if (n === 0) return 'nothing';", "return 'nothing';"]);
    expect(ran(2).result).toBe('two');
    expect(ran(2).texts.slice(-2)).toEqual(["return m === 1 ? 'one' : 'two';", "'two'"]);
    expect(ran(3).texts.at(-1)).toBe("return 'three';");
    expect(ran(50).result).toBe('many');
    expect(ran(50).texts.slice(-3)).toEqual(["(n > 99 ? 'very many' : 'many')", "'many'", 'return text;']);
    expect(ran(5).texts.slice(-2)).toEqual(["'some'", 'return text;']);
  });

  test('knows of each part which function it is in, its comment included', () => {
    const { parts } = instrument(SOURCE, 'mark', (fn) => fn.startsWith('whyNot'));
    expect(new Set(parts.map(({ fn }) => fn))).toEqual(new Set(['which']));
    expect(SOURCE.slice(parts[0]!.fnStart).startsWith('/** Which. */\nexport function')).toBe(true);
    expect(SOURCE.slice(0, parts[0]!.fnEnd).endsWith('}\n}')).toBe(true);
  });
});
