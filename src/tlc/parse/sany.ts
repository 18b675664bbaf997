import { findPoint, findRange } from './location.ts';

/** An error (or a warning) of SANY, TLA+'s parser. Lines and columns count from 1. */
export interface SpecError {
  readonly message: string;
  readonly module?: string;
  readonly line?: number;
  readonly column?: number;
  readonly endLine?: number;
  readonly endColumn?: number;
}

export interface SanyReport {
  readonly errors: readonly SpecError[];
  readonly warnings: readonly SpecError[];
}

/**
 * Reads what SANY prints between TLC's messages 2220 and 2219. Three families of text: a parse error (a point, and a
 * stack that starts at "Residual stack trace"), a lexical error (a point), and lists with a header such as
 * "*** Errors: 2" of semantic errors, abort messages or warnings (tlaplus `tla2sany.semantic.Errors.toString`).
 */
export function parseSany(lines: readonly string[]): SanyReport {
  const errors: SpecError[] = [];
  const warnings: SpecError[] = [];
  const aborts: SpecError[] = [];
  let module: string | undefined;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    const parsing = /^Parsing file (.+)\.tla\b/.exec(line);
    const list = /^\*\*\* (Errors|Warnings|Abort messages): \d+/.exec(line);
    if (parsing !== null) module = parsing[1]!.split(/[\\/]/).at(-1)!;
    else if (/^\*\*\*\s*Parse Error\s*\*\*\*/.test(line)) {
      const end = findFrom(lines, at + 1, (text) => /^(Residual stack trace|Fatal errors while parsing)/.test(text));
      errors.push(
        atPoint(
          lines
            .slice(at + 1, end)
            .join('\n')
            .trim(),
          module,
        ),
      );
      at = end - 1;
    } else if (/^(Lexical error|TokenMgrError)/.test(line)) errors.push(atPoint(line.trim(), module));
    else if (list !== null) {
      const end = findFrom(lines, at + 1, startsOtherPart);
      const target = list[1] === 'Errors' ? errors : list[1] === 'Warnings' ? warnings : aborts;
      target.push(...parseList(lines.slice(at + 1, end)));
      at = end - 1;
    }
  }
  // That a module "could not be parsed" only repeats the error in it; unless it is all that there is (a module that is missing).
  const own = errors.filter(({ message }) => !/^Could not parse module \w+ from file /.test(message));
  const told = [own, errors, aborts].find((list) => list.length > 0) ?? [];
  return { errors: withoutRepeats(told), warnings: withoutRepeats(warnings) };
}

/** The errors of a module are listed again under each module that imports it. */
function withoutRepeats(errors: readonly SpecError[]): SpecError[] {
  return [...new Map(errors.map((error) => [JSON.stringify(error), error])).values()];
}

/** Each entry is a place on its own line, a blank line, then its text. */
function parseList(lines: readonly string[]): SpecError[] {
  const entries: { place: string; text: string[] }[] = [];
  for (const line of lines) {
    if (isPlace(line)) entries.push({ place: line, text: [] });
    else entries.at(-1)?.text.push(line);
  }
  return entries.map(({ place, text }) => {
    const range = findRange(place);
    const message = text.join('\n').trim() || place;
    const named = /^In module (\w+)/.exec(place);
    if (range === null) return { message, ...(named === null ? {} : { module: named[1]! }) };
    const { module, ...position } = range;
    return { message, ...(module === null ? {} : { module }), ...position };
  });
}

function isPlace(line: string): boolean {
  return (
    /^line \d+, col \d+ to line \d+, col \d+ of module \w+$/.test(line) ||
    /^(Unknown location|In module \w+)$/.test(line)
  );
}

function startsOtherPart(line: string): boolean {
  return /^(\*\*\*|Parsing file |Semantic processing |Fatal errors |Semantic errors)/.test(line);
}

function atPoint(message: string, module: string | undefined): SpecError {
  const point = findPoint(message);
  return { message, ...(module === undefined ? {} : { module }), ...(point ?? {}) };
}

function findFrom(lines: readonly string[], from: number, matches: (line: string) => boolean): number {
  for (let at = from; at < lines.length; at++) if (matches(lines[at]!)) return at;
  return lines.length;
}
