import { Decimal, type Json } from './json.ts';
import type { JsonFormat, TraceProblem } from './traceError.ts';

/** Where a reader is; the path is changed in place on the way down and back. */
export type Place = {
  readonly format: JsonFormat;
  readonly file: string | undefined;
  readonly path: (string | number)[];
};

export function fail(place: Place, problem: Pick<TraceProblem, 'expected' | 'found' | 'problem' | 'advice'>): never {
  throw new place.format.Error({ ...problem, file: place.file, path: [...place.path] });
}

/** Runs `read` one step further down. */
export function inside<T>(place: Place, step: string | number, read: () => T): T {
  place.path.push(step);
  const result = read();
  place.path.pop();
  return result;
}

/** What a piece of JSON is, for a message; cut when long. */
export function describe(json: Json | undefined): string {
  if (json === undefined) return 'nothing';
  if (json === null) return 'null';
  if (json instanceof Decimal) return json.text;
  if (Array.isArray(json)) return json.length === 0 ? 'an empty list' : `a list of ${json.length}`;
  if (json instanceof Map)
    return json.size === 0
      ? 'an empty object'
      : `an object with ${shorten([...json.keys()].map((name) => `"${name}"`).join(', '))}`;
  return shorten(typeof json === 'string' ? JSON.stringify(json) : String(json));
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
