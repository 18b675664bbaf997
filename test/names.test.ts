import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readProfiles, variableOrder } from '../src/claims/index.ts';
import { ghosts, mapping } from '../src/replay/index.ts';
import { actions, profiles } from '../src/replica/index.ts';

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
    const read = [...readProfiles(spec('Profiles'))].map(([name, switches]) => [lowerFirst(name), switches]);
    expect(profiles).toEqual(Object.fromEntries(read));
  });

  it('lists every profile by its name', () => {
    const listed = [...spec('Profiles').matchAll(/(\w+) \|-> \1\b/g)].map(([, name = '']) => lowerFirst(name));
    expect(listed.sort()).toEqual(Object.keys(profiles).sort());
  });
});
