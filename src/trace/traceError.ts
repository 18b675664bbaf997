export type JsonPath = readonly (string | number)[];

/** What is wrong: `found` in place of `expected`, or a `problem` in words of its own. */
export type TraceProblem = {
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

/** Anything that keeps a text from being read as a trace, or a trace from being written in a format. */
export class TraceError extends Error {
  override readonly name: string = 'TraceError';
  readonly file?: string;
  /** Such as `states[3].log`. */
  readonly path?: string;
  readonly line?: number;
  readonly column?: number;
  readonly expected: string;
  readonly advice: string;

  constructor({ file, path, line, column, expected, found, problem, advice }: TraceProblem) {
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

/** The text is no trace in ITF. */
export class ItfError extends TraceError {
  override readonly name = 'ItfError';
}

/** What a text in JSON should be: its errors, and what they say of it. */
export type JsonFormat = {
  readonly Error: new (problem: TraceProblem) => TraceError;
  readonly what: string;
};

export const ITF: JsonFormat = {
  Error: ItfError,
  what: 'An ITF trace is one JSON object with "vars" and "states".',
};

export const TLC_JSON: JsonFormat = {
  Error: TraceError,
  what: "TLC's -dumpTrace json writes one JSON object, or a list of states.",
};

/** `states[3].log["#map"][0]`; empty for the whole document. The middle of a very long one is left out. */
export function pathText(path: JsonPath): string {
  const steps = path.map((step, index) => {
    if (typeof step === 'number') return `[${step}]`;
    if (!/^[\p{L}_][\p{L}\p{Nd}_]*$/u.test(step)) return `[${JSON.stringify(step)}]`;
    return index === 0 ? step : `.${step}`;
  });
  return steps.length <= 24 ? steps.join('') : `${steps.slice(0, 12).join('')}…${steps.slice(-4).join('')}`;
}
