import { copyFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Claim, modelConfig } from '../claims/index.ts';
import type { Place } from './syntaxTree.ts';

/** What the specification's text is held against: a claim's model, in its own bound or in another one. */
export interface Model {
  readonly claim: Claim;
  /** Constants of the configuration that have another value, as TLA+ text. */
  readonly constants: Readonly<Record<string, string>>;
}

/** `kip320-clean`, or `kip320-clean with MaxRecords = 1`. */
export function nameOf({ claim, constants }: Model): string {
  const changes = Object.entries(constants).map(([name, value]) => `${name} = ${value}`);
  return changes.length === 0 ? claim.claim : `${claim.claim} with ${changes.join(', ')}`;
}

/** A piece of text with something put around it: what begins there begins in a line of its own, in the column that it had. */
export interface Wrap {
  readonly place: Place;
  readonly before: string;
  readonly after: string;
}

export interface InstrumentedModel {
  readonly model: Model;
  readonly wraps: readonly Wrap[];
  /** Definitions that the wraps use, of `mutant`, a variable of all modules; they come first. */
  readonly definitions: string;
  /** The module that is checked, by what it says besides `EXTENDS`; it defines InitHere, NextHere and NotedHere. */
  readonly body: (context: { readonly init: string; readonly noted: string | undefined }) => string;
  /** Lines of the configuration besides INIT, NEXT and CONSTANTS. */
  readonly judged: string;
}

/** Modules whose text may be wrapped; the other one extends the first. */
export const WRAPPED = ['EpochCache', 'LeaderEpoch'] as const;

/**
 * Writes a copy of the specification's modules with the wraps, and the model's configuration with the judge's lines, into a
 * folder of its own; removes it in the end.
 */
export async function withInstrumented<T>(
  { model, wraps, definitions, body, judged }: InstrumentedModel,
  folder: string,
  use: (spec: string) => Promise<T>,
): Promise<T> {
  const own = await mkdtemp(join(tmpdir(), 'leader-epoch-mutants-'));
  const read = (name: string): Promise<string> => readFile(join(folder, name), 'utf8');
  const write = (name: string, text: string): Promise<void> => writeFile(join(own, name), text);
  const { claim } = model;
  try {
    for (const name of await readdir(folder))
      if (name.endsWith('.tla')) await copyFile(join(folder, name), join(own, name));
    for (const name of await readdir(join(folder, 'models')))
      if (name.endsWith('.tla')) await copyFile(join(folder, 'models', name), join(own, name));
    for (const module of WRAPPED) {
      const here = wraps.filter(({ place }) => place.module === module);
      await write(`${module}.tla`, wrapped(await read(`${module}.tla`), here));
    }
    const first = await readFile(join(own, 'EpochCache.tla'), 'utf8');
    await write('EpochCache.tla', first.replace(/^EXTENDS (.*)$/m, `EXTENDS $1, TLC\nVARIABLE mutant\n${definitions}`));
    await write('MC.tla', (await read('MC.tla')).replace(/^VARIABLES$/m, 'VARIABLES\n    mutant,'));
    const config = await read(join('models', `${claim.model}.cfg`));
    const init = /^INIT (\w+)/m.exec(config)?.[1] ?? 'Init';
    const noted = modelConfig(claim.model, folder).substitutions.get('Noted');
    await write('Mutants.tla', `---- MODULE Mutants ----\nEXTENDS ${claim.model}\n${body({ init, noted })}====\n`);
    await write('Mutants.cfg', configFor(config, model.constants, judged));
    return await use(join(own, 'Mutants.tla'));
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

/** Pure: the outer of two wraps that begin at one place comes first, and is closed last. */
export function wrapped(source: string, wraps: readonly Wrap[]): string {
  const lines = source.split('\n').map((text) => [...text.split('')]);
  for (const { place, before, after } of [...wraps].sort((a, b) => extent(a.place) - extent(b.place))) {
    const { line, column, endLine, endColumn } = place;
    const first = lines[line - 1]?.[column - 1] ?? '';
    (lines[line - 1] as string[])[column - 1] = `${before}\n${' '.repeat(column - 1)}${first}`;
    const last = lines[endLine - 1]?.[endColumn - 1] ?? '';
    (lines[endLine - 1] as string[])[endColumn - 1] = `${last}${after}`;
  }
  return lines.map((characters) => characters.join('')).join('\n');
}

/** How much text it covers: inner ones have less. */
function extent({ line, column, endLine, endColumn }: Place): number {
  return (endLine - line) * 1_000 + endColumn - column;
}

/** The model's own configuration, with other constants, and judged by these lines alone. */
function configFor(config: string, constants: Readonly<Record<string, string>>, judged: string): string {
  const kept = config
    .split('\n')
    .filter(
      (line) => !/^(INIT|NEXT|SPECIFICATION|INVARIANTS?|PROPERT(Y|IES)|CHECK_DEADLOCK)\b|^\s*Noted\s*<-/.test(line),
    )
    .map((line) => {
      const name = /^\s*(\w+)\s*=/.exec(line)?.[1] ?? '';
      const value = name === 'Watch' ? '{}' : constants[name];
      return value === undefined ? line : `    ${name} = ${value}`;
    })
    .join('\n')
    .trimEnd();
  return `INIT InitHere\nNEXT NextHere\nCHECK_DEADLOCK FALSE\n${kept}\n    Noted <- NotedHere\n${judged}\n`;
}
