import { parse, TlaSyntaxError, type Value } from '../tla/index.ts';

/** What this project's model configurations say: the constants with their values, and which operators stand in for others. */
export interface ModelConfig {
  readonly constants: ReadonlyMap<string, Value>;
  /** `Told <- ToldHere`: a told schedule narrows the steps. */
  readonly substitutions: ReadonlyMap<string, string>;
  readonly invariants: readonly string[];
  /** Temporal properties. */
  readonly properties: readonly string[];
}

export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Sections that a TLC configuration may have; in the singular or the plural. */
const SECTION =
  /^(INIT|NEXT|SPECIFICATION|CHECK_DEADLOCK|CONSTANTS?|INVARIANTS?|PROPERTY|PROPERTIES|CONSTRAINTS?|VIEW)\b/;

/**
 * Reads the part of TLC's configuration language that the models here use: one constant a line, comments by `\*`.
 * @throws ConfigError naming file and line
 */
export function parseConfig(text: string, file: string): ModelConfig {
  const constants = new Map<string, Value>();
  const substitutions = new Map<string, string>();
  const invariants: string[] = [];
  const properties: string[] = [];
  let section = '';
  text.split(/\r?\n/).forEach((raw, index) => {
    const line = raw.replace(/\\\*.*$/, '').trim();
    const keyword = SECTION.exec(line)?.[1];
    if (keyword !== undefined) section = keyword.replace(/S$/, '');
    const rest = keyword === undefined ? line : line.slice(keyword.length).trim();
    if (rest === '') return;
    if (/^PROPERT/.test(section)) properties.push(...rest.split(/\s+/));
    if (section === 'INVARIANT') invariants.push(...rest.split(/\s+/));
    if (section === 'CONSTANT') readConstant(rest, `${file}, line ${index + 1}`, constants, substitutions);
  });
  return { constants, substitutions, invariants, properties };
}

function readConstant(
  line: string,
  place: string,
  constants: Map<string, Value>,
  substitutions: Map<string, string>,
): void {
  const [, name, operator, rest] = /^(\w+)\s*(=|<-)\s*(.+)$/.exec(line) ?? [];
  if (name === undefined || operator === undefined || rest === undefined) {
    throw new ConfigError(`${place}: expected "Name = value" or "Name <- Operator", found "${line}".`);
  }
  if (operator === '<-') {
    substitutions.set(name, rest);
    return;
  }
  try {
    constants.set(name, parse(rest));
  } catch (error) {
    if (error instanceof TlaSyntaxError)
      throw new ConfigError(`${place}: ${name} has no readable value. ${error.message}`);
    throw error;
  }
}
