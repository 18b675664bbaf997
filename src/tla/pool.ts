import { record, str, type Value } from './value.ts';

/** The fields of a record as they come, and their canonical order. */
interface Shape {
  readonly names: readonly string[];
  /** Positions in `names`, in canonical order; null when a name comes twice. */
  readonly order: readonly number[] | null;
}

const MAX_SHAPES = 256;
const MAX_STRINGS = 4_096;
const MAX_STRING_LENGTH = 40;

/** What comes again and again in a trace, kept once: short strings, and the shapes of records, whose names are sorted once. */
export class Pool {
  readonly #byFirst = new Map<string, Shape[]>();
  readonly #strings = new Map<string, Value>();
  #count = 0;

  string(text: string): Value {
    const known = this.#strings.get(text);
    if (known !== undefined) return known;
    const value = str(text);
    if (text.length <= MAX_STRING_LENGTH && this.#strings.size < MAX_STRINGS) this.#strings.set(text, value);
    return value;
  }

  /** Null when a name comes twice. */
  record(names: readonly string[], values: readonly Value[]): Value | null {
    const { names: kept, order } = this.#shapeOf(names);
    if (order === null) return null;
    const fields = new Map<string, Value>();
    for (const at of order) fields.set(kept[at]!, values[at]!);
    return fields.size === 0 ? record([]) : { kind: 'record', fields };
  }

  #shapeOf(names: readonly string[]): Shape {
    const first = names[0] ?? '';
    const known = this.#byFirst.get(first);
    const found = known?.find((shape) => areSame(shape.names, names));
    if (found !== undefined) return found;
    const order = names.map((_, at) => at).sort((a, b) => (names[a]! < names[b]! ? -1 : names[a]! > names[b]! ? 1 : 0));
    const shape = { names, order: new Set(names).size < names.length ? null : order };
    if (this.#count++ < MAX_SHAPES) this.#byFirst.set(first, [...(known ?? []), shape]);
    return shape;
  }
}

function areSame(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false;
  return true;
}
