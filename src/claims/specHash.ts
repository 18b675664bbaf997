import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Claim, specFolder } from './claims.ts';
import { readProfiles } from './profiles.ts';

/** The modules that every model is made of, besides Profiles. */
const MODULES = ['EpochCache', 'LeaderEpoch', 'MC'];
/** ... and what some have besides, by the module that they extend. */
const FURTHER_MODULES: Readonly<Record<string, readonly string[]>> = {
  Readers: ['Readers'],
  Liveness: ['Liveness'],
  TwoLogs: ['TwoLogs'],
  Clients: ['Clients'],
  Refinement: ['Refinement', 'Readers', 'ReplicatedLog'],
};

/**
 * What a trace of this claim depends on, in hex: the modules and the model with its configuration, without their comments, and the
 * switches of the profiles that the model names. A better comment, or a profile for another claim, makes no trace stale.
 */
export function specHash(claim: Claim, folder = specFolder): string {
  const read = (file: string): string => readFileSync(join(folder, file), 'utf8');
  const models = [`models/${claim.model}.tla`, `models/${claim.model}.cfg`];
  const extended = /^EXTENDS\s+(\w+)/m.exec(read(models[0]!))?.[1];
  const further = FURTHER_MODULES[extended ?? ''];
  if (further !== undefined) models.push(...further.map((name) => `${name}.tla`));
  else if (extended !== undefined && extended !== 'MC') models.push(`models/${extended}.tla`);
  const hash = createHash('sha256');
  for (const file of [...MODULES.map((name) => `${name}.tla`), ...models])
    hash.update(`${file}\0${withoutComments(read(file))}\0`);
  hash.update(profilesIn(models.map(read).join('\n'), read('Profiles.tla')));
  return hash.digest('hex');
}

/** The switches of each profile that a string of the model names; the whole text if it names none that can be read. */
function profilesIn(model: string, text: string): string {
  const profiles = readProfiles(text);
  const named = [...new Set([...model.matchAll(/"(\w+)"/g)].map(([, name = '']) => name))].sort();
  const found = named.flatMap((name) => {
    const switches = profiles.get(name);
    return switches === undefined ? [] : [[name, Object.entries(switches).sort()]];
  });
  return found.length === 0 ? text : JSON.stringify(found);
}

/**
 * Pure: the text of a module or a configuration without comments, blank lines and blanks at the ends of lines. All else keeps its
 * column, which has a meaning in TLA+.
 */
export function withoutComments(text: string): string {
  return text
    .replace(COMMENT_OR_STRING, (token) => (token.startsWith('"') ? token : token.replace(/[^\n]/g, ' ')))
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
    .join('\n');
}

/** Comments in parentheses may hold one more of their kind, which is as deep as anybody nests them. */
const COMMENT_OR_STRING = /\(\*(?:\(\*[\s\S]*?\*\)|[\s\S])*?\*\)|\\\*.*|"(?:\\.|[^"\\\n])*"/g;
