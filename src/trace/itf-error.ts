export type JsonPath = readonly (string | number)[];

/** What is wrong: `found` in place of `expected`, or a `problem` in words of its own. */
export type ItfProblem = {
  readonly file?: string | undefined;
  /** Where in the data. */
  readonly path?: JsonPath;
  /** Where in the text, when it is no JSON. */
  readonly line?: number;
  readonly column?: number;
  readonly expected: string;
  readonly found?: string;
  readonly problem?: string;
  /** What to do about it: a sentence. */
  readonly advice: string;
};

/** Anything that keeps a text from being read as an ITF trace. */
export class ItfError extends Error {
  override readonly name = 'ItfError';
  readonly file?: string;
  /** Such as `states[3].log`. */
  readonly path?: string;
  readonly line?: number;
  readonly column?: number;
  readonly expected: string;
  readonly advice: string;

  constructor({ file, path, line, column, expected, found, problem, advice }: ItfProblem) {
    const place = path !== undefined ? pathText(path) : '';
    const textPlace = line !== undefined ? `line ${line}, column ${column}` : '';
    // A problem in words of its own names its place itself.
    const where = (problem !== undefined ? [file] : [file, textPlace, place])
      .filter((part) => part)
      .map((part) => `${part}: `);
    super(`${where.join('')}${problem ?? `expected ${expected}, found ${found}`}. ${advice}`);
    if (file !== undefined) this.file = file;
    if (path !== undefined) this.path = place;
    if (line !== undefined) this.line = line;
    if (column !== undefined) this.column = column;
    this.expected = expected;
    this.advice = advice;
  }
}

/** `states[3].log["#map"][0]`; empty for the whole document. The middle of a very long one is left out. */
export function pathText(path: JsonPath): string {
  const steps = path.map((step, index) => {
    if (typeof step === 'number') return `[${step}]`;
    if (!/^[\p{L}_][\p{L}\p{Nd}_]*$/u.test(step)) return `[${JSON.stringify(step)}]`;
    return index === 0 ? step : `.${step}`;
  });
  return steps.length <= 24 ? steps.join('') : `${steps.slice(0, 12).join('')}…${steps.slice(-4).join('')}`;
}
