import { parse } from '../tla/index.ts';

export type Switches = Readonly<Record<string, string | boolean>>;

/** Pure: the records of Profiles.tla by their names there, each a whole one or another one with exceptions. */
export function readProfiles(text: string): Map<string, Switches> {
  const found = new Map<string, Switches>();
  const bare = text.replace(/\\\*.*$/gm, '').replace(/\(\*[\s\S]*?\*\)/g, '');
  for (const [, name = '', body = ''] of bare.matchAll(/^(\w+)\s*==\s*(\[[^\]]*\]|\w+)\s*$/gm)) {
    const switches = switchesOf(body, found);
    if (Object.keys(switches).length > 0) found.set(name, switches);
  }
  return found;
}

function switchesOf(body: string, known: ReadonlyMap<string, Switches>): Switches {
  const [, base, exceptions = ''] = /^\[\s*(\w+)\s+EXCEPT([\s\S]*)\]$/.exec(body) ?? [];
  if (base !== undefined) return { ...known.get(base), ...fields(exceptions, /!\.(\w+)\s*=\s*("[^"]*"|TRUE|FALSE)/g) };
  if (!body.startsWith('[')) return { ...known.get(body) };
  return fields(body, /(\w+)\s*\|->\s*("[^"]*"|TRUE|FALSE)/g);
}

function fields(text: string, pattern: RegExp): Switches {
  return Object.fromEntries([...text.matchAll(pattern)].map(([, field = '', value = '']) => [field, plain(value)]));
}

function plain(text: string): string | boolean {
  const value = parse(text);
  return value.kind === 'bool' || value.kind === 'string' ? value.value : text;
}
