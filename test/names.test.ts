import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { variableOrder } from '../src/claims/index.ts';
import { ghosts, mapping } from '../src/replay/index.ts';
import { actions, profiles } from '../src/replica/index.ts';
import { parse } from '../src/tla/index.ts';

function spec(name: string): string {
  return readFileSync(fileURLToPath(new URL(`../spec/${name}.tla`, import.meta.url)), 'utf8');
}

function lowerFirst(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

describe('names on both sides', () => {
  it('has an action of src/replica for each disjunct of the specification, and no other', () => {
    const next = /^Next ==\n((?: {4}.*\n)+)/m.exec(spec('MC'))?.[1] ?? '';
    const disjuncts = next.split('\n').flatMap((line) => /(\w+)(?:\([^)]*\))?$/.exec(line.trim())?.[1] ?? []);
    expect(disjuncts).toHaveLength(23);
    expect(Object.keys(actions).sort()).toEqual([...disjuncts].sort());
  });

  it('maps each variable of the specification once, in its order', () => {
    expect([...Object.keys(mapping), ...Object.keys(ghosts)]).toEqual(variableOrder());
  });

  it('knows the same profiles, with the same switches', () => {
    expect(profiles).toEqual(evaluatedProfiles(spec('Profiles')));
  });

  it('lists every profile in MC', () => {
    const listed = [...spec('MC').matchAll(/(\w+) \|-> \1\b/g)].map(([, name = '']) => lowerFirst(name));
    expect(listed.sort()).toEqual(Object.keys(profiles).sort());
  });
});

type Switches = Record<string, string | boolean>;

/** The records of Profiles.tla, each a whole one or another one with exceptions. */
function evaluatedProfiles(text: string): Record<string, Switches> {
  const found: Record<string, Switches> = {};
  const bare = text.replace(/\\\*.*$/gm, '').replace(/\(\*[\s\S]*?\*\)/g, '');
  for (const [, name = '', body = ''] of bare.matchAll(/^(\w+)\s*==\s*(\[[^\]]*\]|\w+)\s*$/gm)) {
    found[lowerFirst(name)] = switchesOf(body, found);
  }
  return found;
}

function switchesOf(body: string, known: Record<string, Switches>): Switches {
  const other = (name: string): Switches => known[lowerFirst(name)] ?? {};
  const [, base, exceptions] = /^\[\s*(\w+)\s+EXCEPT([\s\S]*)\]$/.exec(body) ?? [];
  if (base !== undefined) {
    const changes = [...(exceptions ?? '').matchAll(/!\.(\w+)\s*=\s*("[^"]*"|TRUE|FALSE)/g)];
    return {
      ...other(base),
      ...Object.fromEntries(changes.map(([, field = '', value = '']) => [field, plain(value)])),
    };
  }
  if (!body.startsWith('[')) return { ...other(body) };
  return Object.fromEntries(
    [...body.matchAll(/(\w+)\s*\|->\s*("[^"]*"|TRUE|FALSE)/g)].map(([, field = '', value = '']) => [
      field,
      plain(value),
    ]),
  );
}

function plain(text: string): string | boolean {
  const value = parse(text);
  return value.kind === 'bool' || value.kind === 'string' ? value.value : text;
}
